package nsys

import (
	"cmp"
	"fmt"
	"slices"

	"perflint/detectors/trace"
)

// The values of memoryOperationType.
const (
	memAllocate = 0
	memFree     = 1
)

var memoryColumns = []column{{"start", noTime}, {"deviceId", 0}, {"bytes", 0}, {"memKind", -1}, {"memoryOperationType", -1}}

// readMemory reads allocations and adds up what is allocated on each device; host memory, pinned or not, is device -1. The
// exporter knows nothing of the framework's pool, so what is reserved is unknown.
func (r *reader) readMemory() {
	kinds := r.symbols("ENUM_CUDA_MEM_KIND", memKinds)
	var rows []trace.MemoryRow
	timeless := 0
	r.scanAll("CUDA_GPU_MEMORY_USAGE_EVENTS", memoryColumns, ints(func(v []int64) {
		row := trace.MemoryRow{At: v[0], Device: int32(v[1]), Bytes: v[2], Reserved: -1}
		if kind := kinds[v[3]]; kind == "PAGEABLE" || kind == "PINNED" {
			row.Device = -1
		}
		switch {
		case v[0] == 0: // some exporters write the allocations without their times
			timeless++
			return
		case v[4] == memFree:
			row.Bytes = -row.Bytes
		case v[4] != memAllocate:
			return
		}
		rows = append(rows, row)
	}))
	if timeless > 0 {
		r.b.Note("dropped", fmt.Sprintf("%d memory events without a time were left out", timeless))
	}
	slices.SortStableFunc(rows, func(x, y trace.MemoryRow) int { return cmp.Compare(x.At, y.At) })
	total := map[int32]int64{}
	for _, row := range rows {
		total[row.Device] += row.Bytes
		row.Allocated = max(total[row.Device], 0)
		r.last = max(r.last, row.At)
		r.b.AddMemory(row)
	}
	r.b.HasMemory = len(rows) > 0
}
