package timeline

import "perflint/detectors/span"

const (
	gapFloor    = 2_000  // ns: back-to-back kernels show 1 to 2 µs between them by construction
	latencyMost = 50_000 // ns after its call within which a kernel is expected to start
)

// Gap is an idle interval of W, 2 µs or longer, split by why the GPU idled. The parts are consecutive and add up.
type Gap struct {
	span.Span
	late, call, latency span.Time // where the parts end: host-late, launch-call, launch-latency; device-wait is the rest
	DrainCost           span.Time
	Next                int32 // the act that ends it, -1: the last gap of W
	Last                int32 // the act that ended last before it, -1 none
	Drained             int32 // the call that drained the GPU, -1 none
	Producer            int32 // number of the stream that was waited for, where WaitCause is a stream; -1 unknown
	hostCause           int32 // index into Lane.causes
	callCause           CauseKind
	WaitCause           CauseKind
	unknown             bool // the whole gap is: no part of it can be told
}

// HostLate is the part in which the host had not asked for the next work yet.
func (g *Gap) HostLate() span.Span { return span.Span{Start: g.Start, End: g.late} }

// LaunchCall is the part in which the host is inside the launching call.
func (g *Gap) LaunchCall() span.Span { return span.Span{Start: g.late, End: g.call} }

// Latency is the part of up to 50 µs after the call.
func (g *Gap) Latency() span.Span { return span.Span{Start: g.call, End: g.latency} }

// DeviceWait is the part in which the work was queued and waited for something.
func (g *Gap) DeviceWait() span.Span {
	if g.unknown {
		return span.Span{Start: g.End, End: g.End}
	}
	return span.Span{Start: g.latency, End: g.End}
}

// Unknown is the whole gap where its next work has no call in the trace, else empty.
func (g *Gap) Unknown() span.Span {
	if g.unknown {
		return g.Span
	}
	return span.Span{Start: g.End, End: g.End}
}

// Cost is what the drain cost: the first part of what is lost.
func (g *Gap) Cost() span.Span { return span.Span{Start: g.Start, End: g.Start + g.DrainCost} }

// GapTime is the time of one part of the gaps.
func (l *Lane) GapTime(part func(*Gap) span.Span) span.Set {
	b := l.Builder()
	for i := range l.Gaps {
		b.Add(part(&l.Gaps[i]))
	}
	return b.Set()
}

// findGaps splits the idle time of W.
func (l *Lane) findGaps() {
	trusted := l.mostlyLinked()
	l.lastThread = l.lastLaunch()
	long := 0
	for _, idle := range l.Idle {
		if idle.Len() >= gapFloor {
			long++
		}
	}
	l.Gaps = make([]Gap, 0, long)
	var micro span.Packer
	next, last := 0, int32(-1)
	for _, idle := range l.Idle {
		if idle.Len() < gapFloor {
			micro.Add(idle)
			continue
		}
		for ; next < len(l.In) && l.Start[l.In[next]] < idle.Start; next++ {
			if last < 0 || l.End[last] <= l.End[l.In[next]] {
				last = l.In[next]
			}
		}
		for next < len(l.In) && l.Start[l.In[next]] < idle.End {
			next++ // takes no time, so it does not end the gap
		}
		g := Gap{Span: idle, Next: -1, Last: last, Drained: -1, Producer: -1, late: idle.Start, call: idle.Start, latency: idle.Start}
		switch {
		case next < len(l.In) && idle.End < l.W.End:
			g.Next = l.In[next]
			l.split(&g)
		case trusted:
			g.late, g.call, g.latency = idle.End, idle.End, idle.End
		default:
			g.unknown = true
		}
		l.Gaps = append(l.Gaps, g)
	}
	l.Micro = micro.Packed()
	l.drain()
}

// ThreadOf is the thread whose fault a gap may be: that of the launching call, of the last launch for the last gap; -1
// unknown.
func (l *Lane) ThreadOf(g *Gap) int32 {
	switch {
	case g.unknown:
		return -1
	case g.Next < 0:
		return l.lastThread
	}
	return l.Trace.Calls.Thread[l.Call[g.Next]]
}

// HostCause is who is to blame for the host-late part of a gap.
func (l *Lane) HostCause(g *Gap) Cause { return l.causes[g.hostCause] }

// HostKind is the kind of that.
func (l *Lane) HostKind(g *Gap) CauseKind { return l.causes[g.hostCause].Kind }

// CallKind is the kind of who is to blame for its launch-call part.
func (g *Gap) CallKind() CauseKind { return g.callCause }

// CallCause is who is to blame for its launch-call part.
func (l *Lane) CallCause(g *Gap) Cause {
	if g.callCause == Unknown || g.callCause == ByProfiler {
		return Cause{Kind: g.callCause}
	}
	return Cause{Kind: g.callCause, Subject: l.Trace.Calls.Name[l.Call[g.Next]]}
}

// intern is the index of a cause: gaps are many and their causes few.
func (l *Lane) intern(c Cause) int32 {
	i, ok := l.causeAt[c]
	if !ok {
		i = int32(len(l.causes))
		l.causes = append(l.causes, c)
		l.causeAt[c] = i
	}
	return i
}

// split divides a gap by what the call that ends it was doing.
func (l *Lane) split(g *Gap) {
	call := l.Call[g.Next]
	if call < 0 {
		g.unknown = true
		return
	}
	c := l.Trace.Calls.Span(call)
	if c.End <= g.Start {
		return // all of it device-wait
	}
	g.late = max(g.Start, min(c.Start, g.End))
	g.call = max(g.late, min(c.End, g.End))
	g.latency = min(g.call+latencyMost, g.End)
}

// mostlyLinked reports whether at least 80 % of the activities have a call, so that the end of the window can be judged.
func (l *Lane) mostlyLinked() bool {
	linked := 0
	for _, i := range l.In {
		if l.Call[i] >= 0 {
			linked++
		}
	}
	return 5*linked >= 4*len(l.In)
}

// lastLaunch is the thread of the last launch of the lane that starts before W ends, -1 none.
func (l *Lane) lastLaunch() int32 {
	best, thread := span.Time(-1), int32(-1)
	for _, c := range l.Call {
		if c >= 0 && l.Trace.Calls.Start[c] > best && l.Trace.Calls.Start[c] < l.W.End {
			best, thread = l.Trace.Calls.Start[c], l.Trace.Calls.Thread[c]
		}
	}
	return thread
}
