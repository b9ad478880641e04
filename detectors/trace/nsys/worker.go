package nsys

import "perflint/detectors/trace"

// worker puts rows of the big tables into the trace, beside other workers. It asks the reader, which one of them may do at a
// time, only for what it has not seen before.
type worker struct {
	r          *reader
	out        *trace.Filler
	names      byID[trace.Text]
	callNames  byID[callName]
	threads    map[int64]int32 // by globalTid
	lastTID    int64
	lastThread int32 // thread of lastTID
	device     int64 // of the kernel before, -1 none
	sms        int64 // of device
}

// worker is that of a number below maxWorkers.
func (r *reader) worker(i int) *worker {
	if r.workers[i] == nil {
		r.workers[i] = &worker{r: r, out: r.b.NewFiller(&r.shared), threads: map[int64]int32{}, device: -1}
	}
	return r.workers[i]
}

func (w *worker) name(id int64) trace.Text { return w.names.get(id, w.askName) }

func (w *worker) askName(id int64) trace.Text {
	w.r.shared.Lock()
	defer w.r.shared.Unlock()
	return w.r.name(id)
}

func (w *worker) callName(id int64) callName { return w.callNames.get(id, w.askCallName) }

func (w *worker) askCallName(id int64) callName {
	w.r.shared.Lock()
	defer w.r.shared.Unlock()
	return w.r.callNames.get(id, w.r.makeCallName)
}

// thread is that of a call.
func (w *worker) thread(globalTid int64) int32 {
	if globalTid == w.lastTID && len(w.threads) > 0 {
		return w.lastThread
	}
	t, ok := w.threads[globalTid]
	if !ok {
		w.r.shared.Lock()
		t = w.r.thread(globalTid)
		w.r.processes[pid(globalTid)] = true
		w.r.shared.Unlock()
		w.threads[globalTid] = t
	}
	w.lastTID, w.lastThread = globalTid, t
	return t
}

// kernelName falls back to the short name: exports of the first versions and trimmed files number names that they do not hold.
func (w *worker) kernelName(demangled, short int64) trace.Text {
	if name := w.name(demangled); name != 0 {
		return name
	}
	if name := w.name(short); name != 0 {
		return name
	}
	if demangled <= 0 {
		demangled = short
	}
	w.r.shared.Lock()
	defer w.r.shared.Unlock()
	return w.r.kernelIDs.get(demangled, w.r.makeKernelName)
}

// smsOf is the number of multiprocessors of a device, 0 unknown.
func (w *worker) smsOf(device int64) int64 {
	if device != w.device {
		w.device, w.sms = device, w.r.sms[device]
	}
	return w.sms
}

// saw notes when the latest event of a batch ended.
func (w *worker) saw(end int64) {
	w.r.shared.Lock()
	w.r.last = max(w.r.last, end)
	w.r.shared.Unlock()
}
