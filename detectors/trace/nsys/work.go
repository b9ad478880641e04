package nsys

import (
	"fmt"

	"perflint/detectors/trace"
)

var kernelColumns = []column{
	{"start", noTime}, {"end", 0}, {"globalPid", noGlobal}, {"correlationId", -1}, {"deviceId", 0}, {"contextId", 0}, {"streamId", 0},
	{"graphNodeId", 0},
	{"demangledName", -1}, {"shortName", -1},
	{"gridX", 0}, {"gridY", 0}, {"gridZ", 0}, {"blockX", 0}, {"blockY", 0}, {"blockZ", 0},
}

// activityColumns begin the columns of every kind of GPU activity, as kernelColumns do.
var activityColumns = kernelColumns[:8:8]

func columns(more ...column) []column { return append(activityColumns, more...) }

// activity fills what all kinds of GPU activity share.
func (r *reader) activity(kind trace.WorkKind, v []int64) trace.WorkRow {
	r.last = max(r.last, v[1])
	return trace.WorkRow{
		Kind: kind, Start: v[0], End: v[1], Process: r.process(v[2]), Corr: v[3],
		Device: int32(v[4]), Context: v[5], Stream: v[6], Node: v[7] != 0,
		Bytes: -1, BlocksPerSM: -1,
	}
}

// readWork reads the GPU activities; it must come after the calls, which may settle their process.
func (r *reader) readWork() {
	n := r.scanAll("CUPTI_ACTIVITY_KIND_KERNEL", kernelColumns, func(v []int64) {
		row := r.activity(trace.Kernel, v)
		row.Name = r.kernelName(v[8], v[9])
		row.Blocks, row.Threads = v[10]*v[11]*v[12], int32(v[13]*v[14]*v[15])
		if sms := r.sms[v[4]]; sms > 0 {
			row.BlocksPerSM = float32(float64(row.Blocks) / float64(sms))
		}
		r.b.AddWork(row)
	})
	copies := r.newCopyNames()
	n += r.scanAll("CUPTI_ACTIVITY_KIND_MEMCPY", columns(column{"bytes", -1}, column{"copyKind", 0}, column{"srcKind", -1}, column{"dstKind", -1}), func(v []int64) {
		row := r.activity(trace.Copy, v)
		row.Bytes = v[8]
		c := copies.copy(v[9], v[10], v[11])
		row.Name, row.Dir, row.Src, row.Dst = c.name, c.dir, c.src, c.dst
		r.b.AddWork(row)
	})
	n += r.scanAll("CUPTI_ACTIVITY_KIND_MEMSET", columns(column{"bytes", -1}, column{"memKind", -1}), func(v []int64) {
		row := r.activity(trace.Fill, v)
		row.Bytes = v[8]
		row.Name, row.Dst = copies.fill(v[9])
		r.b.AddWork(row)
	})
	n += r.scanAll("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", columns(column{"graphId", -1}), func(v []int64) {
		row := r.activity(trace.GraphBody, v)
		row.Name, row.Node = r.graphNames.get(v[8], r.makeGraphName), false
		r.b.AddWork(row)
	})
	r.hasWork = n > 0
}

func (r *reader) makeGraphName(id int64) trace.Text {
	if id < 0 {
		return r.b.Names.Intern("CUDA graph")
	}
	return r.b.Names.Intern(fmt.Sprintf("CUDA graph %d", id))
}

// kernelName falls back to the short name: exports of the first versions and trimmed files number names that they do not hold.
func (r *reader) kernelName(demangled, short int64) trace.Text {
	if name := r.name(demangled); name != 0 {
		return name
	}
	if name := r.name(short); name != 0 {
		return name
	}
	if demangled <= 0 {
		demangled = short
	}
	return r.kernelIDs.get(demangled, func(id int64) trace.Text { return r.b.Names.Intern(fmt.Sprintf("#%d", id)) })
}
