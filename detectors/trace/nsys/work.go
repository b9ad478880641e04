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
	n := r.scanAll("CUPTI_ACTIVITY_KIND_KERNEL", kernelColumns, func(i int, b *batch) func() {
		w, room := r.worker(i), r.b.WorkRoom(b.rows)
		return func() { w.kernels(b, &room) }
	})
	copies := r.newCopyNames()
	n += r.scanAll("CUPTI_ACTIVITY_KIND_MEMCPY", columns(column{"bytes", -1}, column{"copyKind", 0}, column{"srcKind", -1}, column{"dstKind", -1}), ints(func(v []int64) {
		row := r.activity(trace.Copy, v)
		row.Bytes = v[8]
		c := copies.copy(v[9], v[10], v[11])
		row.Name, row.Dir, row.Src, row.Dst = c.name, c.dir, c.src, c.dst
		r.b.AddWork(row)
	}))
	n += r.scanAll("CUPTI_ACTIVITY_KIND_MEMSET", columns(column{"bytes", -1}, column{"memKind", -1}), ints(func(v []int64) {
		row := r.activity(trace.Fill, v)
		row.Bytes = v[8]
		row.Name, row.Dst = copies.fill(v[9])
		r.b.AddWork(row)
	}))
	n += r.scanAll("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", columns(column{"graphId", -1}), ints(func(v []int64) {
		row := r.activity(trace.GraphBody, v)
		row.Name, row.Node = r.graphNames.get(v[8], r.makeGraphName), false
		r.b.AddWork(row)
	}))
	r.hasWork = n > 0
}

func (r *reader) makeGraphName(id int64) trace.Text {
	if id < 0 {
		return r.b.Names.Intern("CUDA graph")
	}
	return r.b.Names.Intern(fmt.Sprintf("CUDA graph %d", id))
}

func (r *reader) makeKernelName(id int64) trace.Text { return r.b.Names.Intern(fmt.Sprintf("#%d", id)) }

// kernels fills the room with rows of kernelColumns.
func (w *worker) kernels(b *batch, room *trace.WorkRoom) {
	last := int64(0)
	for i := range b.rows {
		v := (*[16]int64)(b.row(i))
		row := trace.WorkRow{
			Kind: trace.Kernel, Start: v[0], End: v[1], Process: w.r.process(v[2]), Corr: v[3],
			Device: int32(v[4]), Context: v[5], Stream: v[6], Node: v[7] != 0, Name: w.kernelName(v[8], v[9]),
			Blocks: v[10] * v[11] * v[12], Threads: int32(v[13] * v[14] * v[15]), Bytes: -1, BlocksPerSM: -1,
		}
		if sms := w.smsOf(v[4]); sms > 0 {
			row.BlocksPerSM = float32(float64(row.Blocks) / float64(sms))
		}
		w.out.Work(room, i, &row)
		last = max(last, v[1])
	}
	w.saw(last)
}
