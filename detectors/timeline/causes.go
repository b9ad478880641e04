package timeline

import (
	"math"
	"slices"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// blockedTime is when a thread was inside calls that block it until the GPU has done something.
func (l *Lane) blockedTime(th int32) span.Set {
	var spans []span.Span
	for _, c := range l.host.calls.of(th) {
		if l.Blocks(c) {
			spans = append(spans, l.Trace.Calls.Span(c))
		}
	}
	return span.UnionSorted(spans)
}

// profilerTime is the overhead that is the profiler's own; a full launch queue and code loading are none.
func (l *Lane) profilerTime() span.Set {
	return l.overhead(func(c Class) bool { return c == Plain })
}

// overhead is the union of the overhead records whose class passes, on whatever thread.
func (l *Lane) overhead(pass func(Class) bool) span.Set {
	o := &l.Trace.Overheads
	var spans []span.Span
	for i := range o.Start {
		if pass(l.host.classOf(overheadNames, o.Name[i])) {
			spans = append(spans, span.Span{Start: o.Start[i], End: o.End[i]})
		}
	}
	return span.UnionSorted(spans).Clip(l.W)
}

// FirstOfName marks the launching calls of the first activity of each kernel name: those that may load its code.
func (l *Lane) FirstOfName() map[int32]bool { return l.first() }

func (l *Lane) firstOfName() map[int32]bool {
	seen := make([]bool, l.Trace.Names.Len())
	first := map[int32]bool{}
	for i, name := range l.WorkName {
		if seen[name] || l.Class[i] != Compute && l.Class[i] != Comm {
			continue
		}
		seen[name] = true
		if call := l.Call[i]; call >= 0 {
			first[call] = true
		}
	}
	return first
}

// FirstUse is the length of a launch call from which it must have loaded code, when it is the first of its kernel's name.
const FirstUse = 1_000_000 // ns

// nameCalls tells what the time inside the launching calls goes to.
func (l *Lane) nameCalls() {
	first := l.FirstOfName()
	for i := range l.Gaps {
		if g := &l.Gaps[i]; !g.LaunchCall().Empty() {
			g.callCause = l.callCause(l.Call[g.Next], first)
		}
	}
}

func (l *Lane) callCause(c int32, first map[int32]bool) CauseKind {
	switch class := l.host.class[c]; {
	case l.loadsCode(c) || l.Trace.Calls.Span(c).Len() >= FirstUse && first[c]:
		return ByCodeLoading
	case class == AsyncCopy || class == BlockingCopy:
		return ByStaging
	case class == GraphLaunch:
		return ByGraphLaunch
	}
	return ByLaunch
}

// loadsCode reports whether a record or a call of code loading lies inside a call.
func (l *Lane) loadsCode(c int32) bool {
	call, o := l.Trace.Calls.Span(c), &l.Trace.Overheads
	i, _ := slices.BinarySearch(o.Start, call.Start)
	for ; i < len(o.Start) && o.Start[i] < call.End; i++ {
		if o.End[i] <= call.End && l.host.classOf(overheadNames, o.Name[i]) == CodeLoading {
			return true
		}
	}
	calls := l.host.calls.of(l.Trace.Calls.Thread[c])
	i, _ = slices.BinarySearch(calls, c)
	for _, inner := range calls[i+1:] {
		if l.Trace.Calls.Start[inner] >= call.End {
			break
		}
		if l.Trace.Calls.End[inner] <= call.End && l.host.class[inner] == CodeLoading {
			return true
		}
	}
	return false
}

const producerWithin = 20_000 // ns before the end of a gap in which the work that was waited for must have ended

// nameWaits names what work that had been asked for was waiting for.
func (l *Lane) nameWaits() {
	l.oneStream = l.hasOneStream()
	ended, next := ends{{stream: -1}, {stream: -1}}, 0
	waits, asked := l.eventWaits(), make([]span.Time, len(l.Trace.Streams))
	for i := range asked {
		asked[i] = math.MinInt64
	}
	for i := range l.Gaps {
		g := &l.Gaps[i]
		for ; next < len(l.In) && l.Start[l.In[next]] < g.End; next++ {
			i := l.In[next]
			ended.add(l.Stream[i], l.End[i])
			if call := l.Call[i]; call >= 0 {
				asked[l.Stream[i]] = l.Trace.Calls.Start[call]
			}
		}
		if !g.DeviceWait().Empty() {
			l.nameWait(g, &ended, waits, asked)
		}
	}
}

// nameWait names one; asked is when the last launch of each stream so far was made.
func (l *Lane) nameWait(g *Gap, ended *ends, waits map[int64]eventWaits, asked []span.Time) {
	next := l.Act(g.Next)
	if g.Last >= 0 && l.Call[g.Last] == next.Call && l.host.class[next.Call] == GraphLaunch {
		g.WaitCause = ByGraph
		return
	}
	if l.oneStream {
		g.WaitCause = ByDispatch
		return
	}
	stream := waits[l.Trace.Streams[next.Stream].Number]
	if on := stream.between(asked[next.Stream], l.Trace.Calls.Start[next.Call]); on >= 0 {
		g.WaitCause, g.Producer = ByStreamWait, int32(on)
		return
	}
	g.WaitCause = ByOutside
	if other, at := ended.other(next.Stream); at >= g.End-producerWithin {
		g.WaitCause, g.Producer = ByStreamWait, int32(l.Trace.Streams[other].Number)
	}
}

// eventWaits is the recorded events that one stream was made to wait for: when the host said so, and of which stream.
type eventWaits struct {
	at []span.Time
	on []int64
}

// eventWaits collects those of the lane by the number of the waiting stream. Streams that wait for events of their own, or of
// nobody knows which stream, tell nothing.
func (l *Lane) eventWaits() map[int64]eventWaits {
	w := &l.Trace.Waits
	out := map[int64]eventWaits{}
	for i, kind := range w.Kind {
		if kind == trace.StreamWaitEvent && w.OnStream[i] >= 0 && w.OnStream[i] != w.Stream[i] && l.waitIsOurs(i) {
			s := out[w.Stream[i]]
			s.at, s.on = append(s.at, w.Start[i]), append(s.on, w.OnStream[i])
			out[w.Stream[i]] = s
		}
	}
	return out
}

// between is the stream of the last event that was enqueued after one launch and no later than the next; -1 none. Both times
// are the host's: the GPU may come to it much later.
func (w eventWaits) between(after, until span.Time) int64 {
	i, found := slices.BinarySearch(w.at, until)
	if found {
		for i+1 < len(w.at) && w.at[i+1] == until {
			i++
		}
	} else if i--; i < 0 {
		return -1
	}
	if w.at[i] <= after {
		return -1
	}
	return w.on[i]
}

// ends is when the work of the two streams ended that worked last, the last one first.
type ends [2]struct {
	stream int32
	at     span.Time
}

func (e *ends) add(stream int32, end span.Time) {
	switch {
	case stream == e[0].stream:
		e[0].at = max(e[0].at, end)
	case end >= e[0].at || e[0].stream < 0:
		e[1], e[0].stream, e[0].at = e[0], stream, end
	case stream == e[1].stream:
		e[1].at = max(e[1].at, end)
	case end > e[1].at || e[1].stream < 0:
		e[1].stream, e[1].at = stream, end
	}
}

// other is the other stream than this whose work ended last, and when; before all time where there is none.
func (e *ends) other(stream int32) (int32, span.Time) {
	for _, s := range e {
		if s.stream >= 0 && s.stream != stream {
			return s.stream, s.at
		}
	}
	return -1, math.MinInt64
}

func (l *Lane) hasOneStream() bool {
	return !slices.ContainsFunc(l.Stream, func(s int32) bool { return s != l.Stream[0] })
}

// waitIsOurs reports whether a recorded wait is one of the lane: two processes, and two GPUs, both have a stream 7.
func (l *Lane) waitIsOurs(i int) bool {
	w := &l.Trace.Waits
	return int(w.Device[i]) == l.ID.GPU && (w.Call[i] < 0 || l.speaks(l.Trace.Calls.Thread[w.Call[i]]))
}
