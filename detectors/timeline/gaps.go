package timeline

import (
	"cmp"
	"slices"

	"perflint/detectors/span"
)

const (
	gapFloor    = 2_000  // ns: back-to-back kernels show 1 to 2 µs between them by construction
	latencyMost = 50_000 // ns after its call within which a kernel is expected to start
)

// Gap is an idle interval of W, 2 µs or longer, split by why the GPU idled. The five parts are consecutive and add up.
type Gap struct {
	span.Span
	HostLate, LaunchCall, Latency, DeviceWait, Unknown span.Span
	Next                                               int32     // the act that ends it, -1: the last gap of W
	Last                                               int32     // the act that ended last before it, -1 none
	Thread                                             int32     // the launching thread, -1 unknown
	Drained                                            int32     // the call that drained the GPU, -1 none
	Cost                                               span.Span // of the drain: the first part of what is lost
	DrainCost                                          span.Time
	HostCause                                          Cause // who is to blame for the host-late part
	CallCause                                          Cause // for the launch-call part
	WaitCause                                          CauseKind
}

// findGaps splits the idle time of W.
func (l *Lane) findGaps() {
	ends := l.endsBefore()
	lastThread, trusted := l.lastLaunch(), l.mostlyLinked()
	var micro []span.Span
	next := 0
	for _, idle := range l.Idle {
		if idle.Len() < gapFloor {
			micro = append(micro, idle)
			continue
		}
		for next < len(l.In) && l.Acts[l.In[next]].Start < idle.End {
			next++
		}
		g := Gap{Span: idle, Next: -1, Last: -1, Thread: -1, Drained: -1}
		if next > 0 {
			g.Last = ends[next-1]
		}
		switch {
		case next < len(l.In) && idle.End < l.W.End:
			g.Next = l.In[next]
			l.split(&g)
		case trusted:
			g.HostLate, g.Thread = idle, lastThread
		default:
			g.Unknown = idle
		}
		l.Gaps = append(l.Gaps, g)
	}
	l.Micro = micro
	l.drain()
}

// endsBefore is, for each activity of W, the one that ends last among it and those before it.
func (l *Lane) endsBefore() []int32 {
	out := make([]int32, len(l.In))
	for k, i := range l.In {
		out[k] = i
		if k > 0 && l.Acts[out[k-1]].End > l.Acts[i].End {
			out[k] = out[k-1]
		}
	}
	return out
}

// split divides a gap by what the call that ends it was doing.
func (l *Lane) split(g *Gap) {
	call := l.Acts[g.Next].Call
	if call < 0 {
		g.Unknown = g.Span
		return
	}
	g.Thread = l.Trace.Calls.Thread[call]
	c := l.Trace.Calls.Span(call)
	if c.End <= g.Start {
		g.DeviceWait = g.Span
		return
	}
	at := g.Start
	take := func(until span.Time) span.Span {
		s := span.Span{Start: at, End: max(at, min(until, g.End))}
		at = s.End
		return s
	}
	g.HostLate = take(c.Start)
	g.LaunchCall = take(c.End)
	g.Latency = take(at + latencyMost)
	g.DeviceWait = take(g.End)
}

// mostlyLinked reports whether at least 80 % of the activities have a call, so that the end of the window can be judged.
func (l *Lane) mostlyLinked() bool {
	linked := 0
	for _, i := range l.In {
		if l.Acts[i].Call >= 0 {
			linked++
		}
	}
	return 5*linked >= 4*len(l.In)
}

// lastLaunch is the thread of the last launch of the lane that starts before W ends, -1 none.
func (l *Lane) lastLaunch() int32 {
	best, thread := span.Time(-1), int32(-1)
	for _, i := range l.In {
		if c := l.Acts[i].Call; c >= 0 && l.Trace.Calls.Start[c] > best && l.Trace.Calls.Start[c] < l.W.End {
			best, thread = l.Trace.Calls.Start[c], l.Trace.Calls.Thread[c]
		}
	}
	return thread
}

const (
	drainLeast  = 5_000   // ns a call lasts at least to drain a gap
	drainBefore = 30_000  // ns after the call's end in which the gap may begin
	drainAfter  = 200_000 // ns after the call's end until which the loss is its own
)

// drain finds the blocking call that let the GPU run dry before each gap, and what that cost.
func (l *Lane) drain() {
	byThread := map[int32][]int32{}
	for _, c := range l.calls {
		if l.blocks(c) && l.Trace.Calls.Span(c).Len() >= drainLeast {
			th := l.Trace.Calls.Thread[c]
			byThread[th] = append(byThread[th], c)
		}
	}
	if len(byThread) == 0 {
		return
	}
	for i := range l.Gaps {
		g := &l.Gaps[i]
		if g.Next < 0 || g.HostLate.Empty() && g.LaunchCall.Empty() && g.Latency.Empty() {
			continue
		}
		c := l.drainedBy(byThread[g.Thread], g.Start)
		for _, th := range l.Launchers {
			if c >= 0 {
				break
			}
			c = l.drainedBy(byThread[th], g.Start)
		}
		if c >= 0 {
			l.costDrain(g, c)
		}
	}
}

// blocks reports whether call c holds the host until the GPU has done something: a synchronisation, or a copy that blocks.
func (l *Lane) blocks(c int32) bool {
	if l.host.inner[c] {
		return false
	}
	switch l.host.callClass(c) {
	case Sync, BlockingCopy:
		return true
	case AsyncCopy:
		return l.stages(c)
	}
	return false
}

// stages reports whether an asynchronous copy blocked after all: pageable memory makes it wait for its own copy.
func (l *Lane) stages(c int32) bool {
	const longCall, slack = 20_000, 2_000 // ns
	work, call := l.Trace.Calls.Work[c], l.Trace.Calls.Span(c)
	return work >= 0 && call.Len() >= longCall && call.End >= l.Trace.Work.End[work]-slack
}

// drainedBy is the latest-starting of calls, which are ordered by start, that at lies in or shortly after; -1 none.
func (l *Lane) drainedBy(calls []int32, at span.Time) int32 {
	i, _ := slices.BinarySearchFunc(calls, at, func(c int32, at span.Time) int {
		return cmp.Or(cmp.Compare(l.Trace.Calls.Start[c], at), -1)
	})
	const nested = 4 // blocking calls of one thread hardly nest: older ones ended before
	for k := i - 1; k >= max(0, i-nested); k-- {
		if at < l.Trace.Calls.End[calls[k]]+drainBefore {
			return calls[k]
		}
	}
	return -1
}

func (l *Lane) costDrain(g *Gap, c int32) {
	call := l.Trace.Calls.Span(c)
	most := call.Len()
	if l.host.callClass(c) != Sync {
		if work := l.Trace.Calls.Work[c]; work >= 0 {
			most -= l.Trace.Work.Span(work).Len()
		}
	}
	lost := span.Span{Start: g.Start, End: min(g.End, call.End+drainAfter, g.Latency.End)}
	if cost := min(lost.Len(), most); cost > 0 {
		g.Drained, g.DrainCost = c, cost
		g.Cost = span.Span{Start: g.Start, End: g.Start + cost}
	}
}
