package timeline

import (
	"cmp"
	"slices"
	"sync"

	"perflint/detectors/parallel"
	"perflint/detectors/trace"
)

// host is what all lanes of a trace share: classes of names, and the events of each thread in order. It is only read once
// it is made.
type host struct {
	*classifier
	t      *trace.Trace
	calls  grouped // calls of each thread
	ranges grouped // ranges of each thread
	class  []Class // by call: what its name means
	marks  []mark  // by call

	byClass   [][]int32          // annotations, ops and functions that compile by the class of their name, Plain aside, in the order of Ranges
	osCalls   bool               // calls of the operating system were recorded
	enclosing func() *enclosures // by call
	counting
}

// mark is what is true of a call beside the class of its name.
type mark uint8

const (
	captured mark = 1 << iota // a launch that was recorded into a graph, not executed
	inner                     // lies inside a call of its own class on its thread
	blocking                  // holds the host until the GPU has done something
)

func newHost(t *trace.Trace) *host {
	h := &host{classifier: newClassifier(t), t: t, class: make([]Class, t.Calls.Len()), marks: make([]mark, t.Calls.Len())}
	h.from(0, max(t.Work.Len(), t.Calls.Len()))
	var all parallel.Group
	all.Go(func() {
		h.ranges = new(counting).group(t.Ranges.Thread, len(t.Threads))
		h.classRanges()
	})
	for c, name := range t.Calls.Name {
		h.class[c] = h.classOf(callNames, name)
	}
	h.calls = h.group(t.Calls.Thread, len(t.Threads))
	for i := range t.Threads {
		h.markCaptured(h.calls.of(int32(i)))
		h.markInner(h.calls.of(int32(i)))
	}
	h.markBlocking()
	all.Wait()
	h.enclosing = sync.OnceValue(h.enclosures)
	return h
}

func (h *host) is(c int32, m mark) bool { return h.marks[c]&m != 0 }

func (h *host) rangeClass(r int32) Class { return h.classOf(rangeNames, h.t.Ranges.Name[r]) }

// classRanges lists the annotations and ops by what their name means, and with compilation the functions that compile.
func (h *host) classRanges() {
	h.byClass = make([][]int32, len(classNames))
	for r, kind := range h.t.Ranges.Kind {
		class := Plain
		switch {
		case kind == trace.OSCall:
			h.osCalls = true
		case kind != trace.Frame:
			class = h.rangeClass(int32(r))
		case h.frame(h.t.Ranges.Name[r]).work == ByCompilation:
			class = Compile
		}
		if class != Plain {
			h.byClass[class] = append(h.byClass[class], int32(r))
		}
	}
}

// markCaptured finds launches that a stream capture recorded: those between BeginCapture and EndCapture of a thread, and
// those from its last linked call to its next GraphInstantiate when none of them has GPU work.
func (h *host) markCaptured(calls []int32) {
	capturing := false
	var since []int32 // launches since the last linked call
	for _, c := range calls {
		if h.t.Calls.Work[c] >= 0 {
			since = since[:0]
		}
		switch h.class[c] {
		case BeginCapture:
			capturing = true
		case EndCapture:
			capturing = false
		case Instantiate:
			for _, s := range since {
				h.marks[s] |= captured
			}
			since = since[:0]
		case Launch:
			if capturing {
				h.marks[c] |= captured
			} else if h.t.Calls.Work[c] < 0 {
				since = append(since, c)
			}
		}
	}
}

// markInner finds calls inside a call of their own class: a driver call under its runtime call counts once, as the outer.
func (h *host) markInner(calls []int32) {
	var outer [len(classNames)]int32
	for i := range outer {
		outer[i] = -1
	}
	end := h.t.Calls.End
	for _, c := range calls {
		class := h.class[c]
		if o := outer[class]; o >= 0 && end[c] <= end[o] {
			h.marks[c] |= inner
			continue
		}
		outer[class] = c
	}
}

type process struct {
	pid              int64
	launches, events int
}

// processes lists the processes that have host events, by pid.
func (h *host) processes() []process {
	byPID := map[int64]*process{}
	for i, thread := range h.t.Threads {
		calls, ranges := h.calls.of(int32(i)), h.ranges.of(int32(i))
		if len(calls)+len(ranges) == 0 {
			continue
		}
		p := byPID[thread.PID]
		if p == nil {
			p = &process{pid: thread.PID}
			byPID[thread.PID] = p
		}
		p.events += len(calls)
		for _, r := range ranges {
			if h.t.Ranges.Kind[r] != trace.OSCall {
				p.events++
			}
		}
		for _, c := range calls {
			if class := h.class[c]; class == Launch || class == GraphLaunch {
				p.launches++
			}
		}
	}
	var out []process
	for _, p := range byPID {
		out = append(out, *p)
	}
	slices.SortFunc(out, func(a, b process) int { return cmp.Compare(a.pid, b.pid) })
	return out
}

// threadsOf lists the threads whose host events speak for the lane.
func (l *Lane) threadsOf() []int32 {
	var out []int32
	for i := range l.Trace.Threads {
		if l.speaks(int32(i)) {
			out = append(out, int32(i))
		}
	}
	return out
}

// speaks reports whether the host events of a thread speak for the lane: it is of its process, or no process is known.
func (l *Lane) speaks(th int32) bool {
	return l.ID.Process == 0 || l.Trace.Threads[th].PID == l.ID.Process
}
