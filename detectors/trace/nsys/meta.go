package nsys

import (
	"fmt"
	"strconv"
	"strings"

	"perflint/detectors/trace"
)

// readMeta reads what the file says about itself. It must come before the kernels, which need the number of
// multiprocessors, and before the waits, which need the version of the schema.
func (r *reader) readMeta() {
	r.readVersion()
	r.readDevices()
	r.readEnvironment()
	r.readDiagnostics()
}

func (r *reader) readVersion() {
	r.b.Producer = "Nsight Systems"
	each := func(rec fields) {
		value := rec.text("value")
		switch rec.text("name") {
		case "EXPORT_PRODUCT_VERSION":
			r.b.Producer = "Nsight Systems " + value
		case "EXPORT_SCHEMA_VERSION":
			major, minor, _ := strings.Cut(value, ".")
			minor, _, _ = strings.Cut(minor, ".")
			r.schema[0], _ = strconv.Atoi(major)
			r.schema[1], _ = strconv.Atoi(minor)
		}
	}
	r.records("EXPORT_META_DATA", each) // 2022.1 to 2023.2
	r.records("META_DATA_EXPORT", each) // from 2023.3
	if r.schema != [2]int{} {
		r.b.Producer += fmt.Sprintf(" (schema %d.%d)", r.schema[0], r.schema[1])
	}
}

// schemaFrom tells whether the export's schema is of that version or a later one.
func (r *reader) schemaFrom(major, minor int) bool {
	return r.schema[0] > major || r.schema[0] == major && r.schema[1] >= minor
}

// readDevices lists the GPUs of the host under the numbers that CUDA gave them. TARGET_INFO_GPU numbers them otherwise:
// under CUDA_VISIBLE_DEVICES, and by bus on some hosts. A GPU that CUDA did not see, or that each of several processes called
// by the number of another one, has the number -1.
func (r *reader) readDevices() {
	ordinals := map[int64][]int64{}                         // CUDA ordinals by GPU
	r.records("TARGET_INFO_CUDA_DEVICE", func(rec fields) { // from 2025.1
		gpu, ordinal := rec.int(-1, "gpuId"), rec.int(-1, "cudaId")
		ordinals[gpu] = append(ordinals[gpu], ordinal)
		if n := rec.int(0, "numMultiprocessors"); n > 0 {
			r.sms[ordinal] = n
		}
	})
	listed := map[int64]bool{}
	each := func(rec fields) {
		d := trace.Device{
			Name:  rec.text("name"),
			Major: int(rec.int(0, "computeMajor", "computeCapabilityMajor")), Minor: int(rec.int(0, "computeMinor", "computeCapabilityMinor")),
			SMs:    int(rec.int(0, "smCount", "numMultiprocessors")),
			Memory: rec.int(0, "totalMemory", "globalMemoryBytes"),
		}
		numbers := ordinals[rec.int(-1, "id")]
		if len(ordinals) == 0 {
			numbers = []int64{rec.int(-1, "cuDevice", "id", "deviceId")}
		}
		before := len(r.b.Devices)
		for _, n := range numbers {
			if listed[n] {
				continue
			}
			listed[n] = true
			d.ID = int(n)
			r.b.Devices = append(r.b.Devices, d)
			if d.SMs > 0 {
				r.sms[n] = int64(d.SMs)
			}
		}
		if len(ordinals) > 0 && len(r.b.Devices) == before {
			d.ID = -1
			r.b.Devices = append(r.b.Devices, d)
		}
	}
	r.records("TARGET_INFO_CUDA_GPU", each) // 2020, with the limits that TARGET_INFO_GPU lacked
	r.records("TARGET_INFO_GPU", each)
}

// readDiagnostics counts what the profiler says it lost, without repeating its words.
func (r *reader) readDiagnostics() {
	r.records("DIAGNOSTIC_EVENT", func(rec fields) {
		text := strings.ToLower(rec.text("text"))
		if severity := rec.int(0, "severity"); severity != 2 && severity != 3 {
			return
		}
		if strings.Contains(text, "dropped") || strings.Contains(text, "lost") || strings.Contains(text, "discarded") {
			r.b.Lost++
		}
	})
	if r.b.Lost > 0 {
		r.b.Note("dropped", fmt.Sprintf("the profiler warned %d times that it lost events", r.b.Lost))
	}
}
