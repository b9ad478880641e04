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

// readCalls reads the calls of runtime and driver; the newer exporters keep both in one table.
func (r *reader) readCalls() {
	each := func(v []int64) {
		name := r.callNames.get(v[4], r.makeCallName)
		thread := r.thread(v[2])
		r.b.AddCall(trace.CallRow{Start: v[0], End: v[1], Corr: v[3], Name: name.text, Thread: thread, Failed: v[5] != 0})
		r.last = max(r.last, v[1])
		if process := pid(v[2]); process != r.lastProcess || len(r.processes) == 0 {
			r.processes[process], r.lastProcess = true, process
		}
		if name.sync && v[3] >= 0 {
			r.syncCalls[callKey{r.lastProcess, v[3]}] = name.wait
		}
	}
	r.scanAll("CUPTI_ACTIVITY_KIND_RUNTIME", callColumns, each)
	r.scanAll("CUPTI_ACTIVITY_KIND_DRIVER", callColumns, each)
	if len(r.processes) == 1 {
		r.soleProcess = r.lastProcess
	}
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
