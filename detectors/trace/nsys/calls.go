package nsys

import (
	"strings"

	"perflint/detectors/trace"
)

// callKey is what a call and its activities share; correlation ids are unique only inside one process.
type callKey struct{ process, corr int64 }

// callName is what the name of a call says.
type callName struct {
	text trace.Text
	sync bool
	wait trace.WaitKind
}

var callColumns = []column{
	{"start", noTime}, {"end", 0}, {"globalTid", noGlobal}, {"correlationId", -1}, {"nameId", -1}, {"returnValue", 0},
}

// syncCall is a call that waits.
type syncCall struct {
	callKey
	kind trace.WaitKind
}

// readCalls reads the calls of runtime and driver; the newer exporters keep both in one table.
func (r *reader) readCalls() {
	var syncs []*[]syncCall // of the batches
	each := func(i int, b *batch) func() {
		w, room, s := r.worker(i), r.b.CallRoom(b.rows), &[]syncCall{}
		syncs = append(syncs, s)
		return func() { *s = w.calls(b, &room) }
	}
	r.scanAll("CUPTI_ACTIVITY_KIND_RUNTIME", callColumns, each)
	r.scanAll("CUPTI_ACTIVITY_KIND_DRIVER", callColumns, each)
	for _, s := range syncs {
		for _, call := range *s {
			r.syncCalls[call.callKey] = call.kind
		}
	}
	if len(r.processes) == 1 {
		for r.soleProcess = range r.processes {
		}
	}
}

// calls fills the room with rows of callColumns and returns those that wait.
func (w *worker) calls(b *batch, room *trace.CallRoom) (syncs []syncCall) {
	last := int64(0)
	for i := range b.rows {
		v := (*[6]int64)(b.row(i))
		name := w.callName(v[4])
		w.out.Call(room, i, &trace.CallRow{Start: v[0], End: v[1], Corr: v[3], Name: name.text, Thread: w.thread(v[2]), Failed: v[5] != 0})
		if name.sync && v[3] >= 0 {
			syncs = append(syncs, syncCall{callKey{pid(v[2]), v[3]}, name.wait})
		}
		last = max(last, v[1])
	}
	w.saw(last)
	return syncs
}

func (r *reader) makeCallName(id int64) callName {
	s, _ := r.string(id)
	s = apiName(s)
	kind, sync := waitOf(s)
	return callName{r.b.Names.Intern(s), sync, kind}
}

// apiName cuts what tells versions and default streams of one function apart: cudaLaunchKernel_v7000,
// cudaMemcpyAsync_ptsz_v7000, cuMemcpyHtoD_v2.
func apiName(s string) string {
	for {
		cut := cutVersion(s)
		cut = strings.TrimSuffix(strings.TrimSuffix(cut, "_ptsz"), "_ptds")
		if cut == s {
			return s
		}
		s = cut
	}
}

// waitOf tells which kind of synchronisation a function records.
func waitOf(api string) (trace.WaitKind, bool) {
	switch {
	case strings.HasSuffix(api, "StreamWaitEvent"):
		return trace.StreamWaitEvent, true
	case strings.HasSuffix(api, "StreamSynchronize"), strings.HasSuffix(api, "StreamQuery"):
		return trace.StreamSync, true
	case strings.HasSuffix(api, "EventSynchronize"), strings.HasSuffix(api, "EventQuery"):
		return trace.EventSync, true
	case strings.HasSuffix(api, "DeviceSynchronize"), strings.HasSuffix(api, "CtxSynchronize"), strings.HasSuffix(api, "ThreadSynchronize"):
		return trace.ContextSync, true
	}
	return trace.UnknownWait, false
}
