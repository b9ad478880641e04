package nsys

import (
	"fmt"
	"reflect"
	"testing"

	"perflint/detectors/trace"
)

// TestVersions reads the same kernel and call as exporters of different years write them.
func TestVersions(t *testing.T) {
	names := stringIds("cudaLaunchKernel_v7000", "void gemm<float>(float*)", "gemm")
	pid, tid := globalOf(77, 0), globalOf(77, 78)
	call := fmt.Sprintf("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1000, 1400, 0, %d, 5, 1, 0, NULL)", tid)
	kernelOld := fmt.Sprintf("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (2000, 3000, 0, 1, 7, 5, %d, 2, 3, 4, 3, 2, 32, 4, 1, NULL)", pid)
	kernelNew := fmt.Sprintf("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (2000, 3000, 0, 1, NULL, 7, 5, %d, 2, 3, 2, 4, 3, 2, 32, 4, 1, NULL, NULL, 1, NULL)", pid)
	for _, c := range []struct {
		year       string
		statements []string
		producer   string
		device     trace.Device
	}{
		{"2020", []string{names, runtimeTable, kernel2020, call, kernelOld, gpu2020,
			"INSERT INTO TARGET_INFO_GPU VALUES (0, 0, 'Tesla V100', '', 1)",
			"CREATE TABLE TARGET_INFO_CUDA_GPU (deviceId INTEGER, name TEXT, numMultiprocessors INTEGER, computeCapabilityMajor INTEGER, computeCapabilityMinor INTEGER)",
			"INSERT INTO TARGET_INFO_CUDA_GPU VALUES (0, 'Tesla V100', 80, 7, 0)"},
			"Nsight Systems", trace.Device{ID: 0, Name: "Tesla V100", Major: 7, SMs: 80}},
		{"2022", []string{names, runtimeTable, kernel2020, call, kernelOld, gpu2021,
			"INSERT INTO TARGET_INFO_GPU VALUES (0, 0, 'A100', 42, 108, 0, 8, 0)",
			"CREATE TABLE EXPORT_META_DATA (name TEXT NOT NULL, value TEXT)",
			"INSERT INTO EXPORT_META_DATA VALUES ('EXPORT_PRODUCT_VERSION', '2022.4.2.1'), ('EXPORT_SCHEMA_VERSION', '3.0.0')"},
			"Nsight Systems 2022.4.2.1 (schema 3.0)", trace.Device{ID: 0, Name: "A100", Major: 8, SMs: 108, Memory: 42}},
		{"2024", []string{names, runtimeTable, kernel2020, call, kernelOld, gpu2021,
			"INSERT INTO TARGET_INFO_GPU VALUES (0, 3, 'H100', 42, 132, 0, 9, 0)",
			"CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT)",
			"INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_VERSION', '2024.6.2.25'), ('EXPORT_SCHEMA_VERSION', '3.16.1')"},
			"Nsight Systems 2024.6.2.25 (schema 3.16)", trace.Device{ID: 0, Name: "H100", Major: 9, SMs: 132, Memory: 42}},
		{"2026", []string{names, runtimeTable, kernel2026, call, kernelNew, gpu2021,
			"INSERT INTO TARGET_INFO_GPU VALUES (0, 0, 'B200', 42, 148, 0, 10, 0), (0, 5, 'B200', 42, 148, 5, 10, 0)",
			"CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid INTEGER, uuid TEXT, numMultiprocessors INTEGER)",
			"INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (5, 0, 77, '', 148)",
			"CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT)",
			"INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_VERSION', '2026.2.1.210'), ('EXPORT_SCHEMA_VERSION', '3.25.0')"},
			"Nsight Systems 2026.2.1.210 (schema 3.25)", trace.Device{ID: 0, Name: "B200", Major: 10, SMs: 148, Memory: 42}},
	} {
		t.Run(c.year, func(t *testing.T) {
			tr := read(t, c.statements...)
			if tr.Producer != c.producer {
				t.Errorf("producer %q", tr.Producer)
			}
			if d, _ := tr.Device(0); d != c.device {
				t.Errorf("device %+v", d)
			}
			if tr.Work.Len() != 1 || tr.Calls.Len() != 1 || tr.Work.Call[0] != 0 {
				t.Fatalf("work %+v, calls %+v", tr.Work, tr.Calls)
			}
			if got := workNames(tr)[0]; got != "void gemm<float>(float*)" {
				t.Errorf("kernel %q", got)
			}
			if got := tr.Names.String(tr.Calls.Name[0]); got != "cudaLaunchKernel" {
				t.Errorf("call %q", got)
			}
			if tr.Work.Blocks(0) != 24 || tr.Work.Threads(0) != 128 || tr.Work.BlocksPerSM(0) != 24/float32(c.device.SMs) {
				t.Errorf("blocks %d, threads %d, blocks per SM %g", tr.Work.Blocks(0), tr.Work.Threads(0), tr.Work.BlocksPerSM(0))
			}
			if want := (trace.Stream{Process: 77, Device: 0, Context: 1, Number: 7}); tr.Streams[0] != want {
				t.Errorf("stream %+v", tr.Streams[0])
			}
			if want := (trace.Thread{PID: 77, TID: 78}); tr.Threads[0] != want {
				t.Errorf("thread %+v", tr.Threads[0])
			}
			if tr.Origin != 1000 || tr.Work.Start[0] != 1000 || tr.Work.End[0] != 2000 {
				t.Errorf("origin %d, kernel %v", tr.Origin, tr.Work.Span(0))
			}
			if tr.NoCUDATables || tr.Cut || len(tr.Notes) > 0 {
				t.Errorf("no CUDA %v, cut %v, notes %v", tr.NoCUDATables, tr.Cut, tr.Notes)
			}
		})
	}
}

func TestDevicesUnderCUDAsNumbers(t *testing.T) {
	gpus := "INSERT INTO TARGET_INFO_GPU VALUES (0, 0, 'first', 1, 10, 1, 8, 0), (0, 1, 'second', 1, 20, 0, 8, 0)"
	for _, c := range []struct {
		name, more string
		want       []string // "number name", in order of number
	}{
		{"the column cuDevice where nothing maps", "SELECT 1", []string{"0 second", "1 first"}},
		{"CUDA_VISIBLE_DEVICES hides one", `CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid INTEGER);
			INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (1, 0, 5)`, []string{"-1 first", "0 second"}},
		{"two processes see each another one", `CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid INTEGER);
			INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0, 0, 5), (1, 0, 6)`, []string{"-1 second", "0 first"}},
		{"two processes see the same", `CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid INTEGER);
			INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0, 1, 5), (1, 0, 5), (0, 1, 6), (1, 0, 6)`, []string{"0 second", "1 first"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := read(t, stringIds(), gpu2021, gpus, c.more)
			var got []string
			for _, d := range tr.Devices {
				got = append(got, fmt.Sprintf("%d %s", d.ID, d.Name))
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
