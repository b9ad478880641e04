package timeline

import (
	"cmp"
	"slices"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// near is the part of a set that may meet s, without copying.
func (b blockedSet) near(s span.Span) span.Set {
	i, _ := slices.BinarySearchFunc(b, s.Start, func(x span.Span, t span.Time) int {
		return cmp.Or(cmp.Compare(x.End, t), -1)
	})
	j := i
	for j < len(b) && b[j].Start < s.End {
		j++
	}
	return span.Set(b[i:j])
}

type blockedSet span.Set

// blockedTime is when a thread was inside calls that block it until the GPU has done something.
func (l *Lane) blockedTime(th int32) blockedSet {
	var spans []span.Span
	for _, c := range l.host.calls.of(th) {
		if l.blocks(c) {
			spans = append(spans, l.Trace.Calls.Span(c))
		}
	}
	return blockedSet(span.UnionSorted(spans))
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
		if pass(l.host.class(overheadNames, o.Name[i])) {
			spans = append(spans, span.Span{Start: o.Start[i], End: o.End[i]})
		}
	}
	return span.UnionSorted(spans).Clip(l.W)
}

// FirstOfName marks the launching calls of the first activity of each kernel name: those that may load its code.
func (l *Lane) FirstOfName() map[int32]bool {
	if l.first != nil {
		return l.first
	}
	seen := make([]bool, l.Trace.Names.Len())
	l.first = map[int32]bool{}
	for i := range l.ActCount() {
		a := l.Act(int32(i))
		if name := l.Trace.Work.Name[a.Row]; !seen[name] {
			seen[name] = true
			if a.Call >= 0 {
				l.first[a.Call] = true
			}
		}
	}
	return l.first
}

// FirstUse is the length of a launch call from which it must have loaded code, when it is the first of its kernel's name.
const FirstUse = 1_000_000 // ns

// callCause tells what the time inside the launching call goes to.
func (l *Lane) callCause(g *Gap, first map[int32]bool) CauseKind {
	if g.LaunchCall().Empty() {
		return Unknown
	}
	c := l.Act(g.Next).Call
	call := l.Trace.Calls.Span(c)
	switch class := l.host.callClass(c); {
	case l.loadsCode(call) || call.Len() >= FirstUse && first[c]:
		return ByCodeLoading
	case class == AsyncCopy || class == BlockingCopy:
		return ByStaging
	case class == GraphLaunch:
		return ByGraphLaunch
	}
	return ByLaunch
}

// loadsCode reports whether a record of code loading lies inside a call.
func (l *Lane) loadsCode(call span.Span) bool {
	o := &l.Trace.Overheads
	i, _ := slices.BinarySearch(o.Start, call.Start)
	for ; i < len(o.Start) && o.Start[i] < call.End; i++ {
		if o.End[i] <= call.End && l.host.class(overheadNames, o.Name[i]) == CodeLoading {
			return true
		}
	}
	return false
}

const producerWithin = 20_000 // ns before the end of a gap in which the work that was waited for must have ended

// waitCause names what work that had been asked for was waiting for.
func (l *Lane) waitCause(g *Gap) CauseKind {
	if g.DeviceWait().Empty() {
		return Unknown
	}
	next := l.Act(g.Next)
	if g.Last >= 0 && l.Act(g.Last).Call == next.Call {
		return ByGraph
	}
	if l.oneStream {
		return ByDispatch
	}
	if l.waitsForStream(g, next) {
		return ByStreamWait
	}
	return ByOutside
}

func (l *Lane) hasOneStream() bool {
	for i := range l.ActCount() {
		a := l.Act(int32(i))
		if a.Stream != l.Act(0).Stream {
			return false
		}
	}
	return true
}

// waitsForStream reports whether an activity of another stream ended shortly before the gap did, or a recorded event says
// that the stream of the next one was made to wait.
func (l *Lane) waitsForStream(g *Gap, next Act) bool {
	if last := g.Last; last >= 0 && l.Act(last).Stream != next.Stream && l.Act(last).End >= g.End-producerWithin {
		return true
	}
	w := &l.Trace.Waits
	number := l.Trace.Streams[next.Stream].Number
	i, _ := slices.BinarySearch(w.Start, g.End+1)
	for i--; i >= 0 && w.Start[i] >= g.Start-latencyMost; i-- {
		if w.Kind[i] == trace.StreamWaitEvent && w.Stream[i] == number && w.OnStream[i] >= 0 && w.OnStream[i] != number {
			return true
		}
	}
	return false
}
