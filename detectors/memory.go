package detectors

import (
	"perflint/detectors/feature"
	"perflint/detectors/timeline"
)

var _ = register(Detector{
	Name: "memory",
	Doc:  "Device memory as the allocator reports it.",
	Features: declare(
		number("memory.peak_allocated_bytes", feature.Bytes, "Most device memory that tensors held at once"),
		number("memory.peak_reserved_bytes", feature.Bytes, "Most device memory that the allocator held at once"),
		number("memory.reserved_frac", feature.Frac, "The same as a share of the GPU's memory"),
	),
	Detect: detectMemory,
})

func detectMemory(lane *timeline.Lane, set *feature.Set) error {
	m := &lane.Trace.Memory
	allocated, reserved := int64(-1), int64(-1)
	for i, d := range m.Device {
		if int(d) == lane.ID.GPU && d >= 0 {
			allocated, reserved = max(allocated, m.Allocated[i]), max(reserved, m.Reserved[i])
		}
	}
	reason := "the trace records no device memory; record with " + byFormat(lane, "`profile_memory=True`", "`--cuda-memory-usage=true`")
	put := func(name string, v int64) {
		if v < 0 {
			set.Missing(reason, name)
			return
		}
		set.Float(name, float64(v))
	}
	put("memory.peak_allocated_bytes", allocated)
	put("memory.peak_reserved_bytes", reserved)
	device, ok := lane.Trace.Device(int32(lane.ID.GPU))
	switch {
	case reserved < 0:
		set.Missing(reason, "memory.reserved_frac")
	case !ok || device.Memory <= 0:
		set.Missing("the trace does not give the GPU's memory", "memory.reserved_frac")
	default:
		set.Float("memory.reserved_frac", min(1, float64(reserved)/float64(device.Memory)))
	}
	return nil
}
