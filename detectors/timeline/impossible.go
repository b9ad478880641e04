package timeline

import (
	"cmp"
	"slices"
	"strings"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// Flaw is what makes a GPU activity impossible.
type Flaw uint8

// The flaws. The first that is found of an activity counts.
const (
	Sound       Flaw = iota
	Early            // it starts more than 20 µs before the call that launches it
	Overlapping      // it ends more than 1 ms after the next of its stream starts
	Endless          // it alone reaches past the last host call by more than a tenth of the trace
	Twice            // the same activity once more
)

var flawNames = [...]string{"sound", "starts before its launch", "overlaps the next of its stream", "reaches past the end of the program", "recorded twice"}

func (f Flaw) String() string { return flawNames[f] }

// Aside is an activity that cannot be true.
type Aside struct {
	Row  int32 // index into Trace.Work
	Flaw Flaw
}

const (
	earlyMost   = 20_000    // ns by which clocks of host and GPU disagree
	overlapMost = 1_000_000 // ns

	workloadLeast = 10 // activities from which on one that outlasts the rest of the trace is out of place
)

// screen counts the lane's activities and finds those that cannot be true.
func (l *Lane) screen(ours []bool) int {
	w := &l.Trace.Work
	last := make([]int32, len(l.Trace.Streams)) // the activity of each stream that ends last, plus one
	n, first, end := 0, span.Time(0), span.Time(0)
	for i := range w.Start {
		if !ours[w.Stream[i]] {
			continue
		}
		if n++; n == 1 {
			first = w.Start[i]
		}
		end = max(end, w.End[i])
		row, at := int32(i), &last[w.Stream[i]]
		if call := w.Call[i]; call >= 0 && w.Start[i]+earlyMost < l.Trace.Calls.Start[call] {
			l.Asides = append(l.Asides, Aside{row, Early})
		}
		if prev := *at - 1; prev >= 0 {
			if l.same(prev, row) {
				l.Asides = append(l.Asides, Aside{row, Twice})
				continue
			}
			if w.End[prev] <= w.End[i] {
				*at = row + 1
			}
			if w.End[prev]-w.Start[i] > overlapMost && !l.mayOverlap(prev, row) {
				l.Asides = append(l.Asides, Aside{prev, Overlapping})
				*at = row + 1
			}
			continue
		}
		*at = row + 1
	}
	if n >= workloadLeast {
		l.screenEnd(last, first, end)
	}
	slices.SortStableFunc(l.Asides, func(a, b Aside) int { return cmp.Compare(a.Row, b.Row) })
	l.Asides = slices.CompactFunc(l.Asides, func(a, b Aside) bool { return a.Row == b.Row })
	return n
}

// screenEnd finds durations that reach past the last host call of the process by a tenth of the trace: of each stream only
// the activity that ends last can.
func (l *Lane) screenEnd(last []int32, first, end span.Time) {
	begin, stop := l.host.callsOf(l.ID.Process)
	if stop == 0 {
		return
	}
	tenth := (max(end, stop) - min(first, begin)) / 10
	for _, at := range last {
		if at > 0 && l.Trace.Work.End[at-1]-max(l.Trace.Work.Start[at-1], stop) > tenth {
			l.Asides = append(l.Asides, Aside{at - 1, Endless})
		}
	}
}

// same reports whether two activities of a stream are one that was recorded twice. Traces in whole microseconds have many of
// no length, which say nothing.
func (l *Lane) same(a, b int32) bool {
	w := &l.Trace.Work
	return w.Start[a] == w.Start[b] && w.End[a] == w.End[b] && w.End[a] > w.Start[a] && w.Name[a] == w.Name[b] && w.Call[a] == w.Call[b]
}

// mayOverlap reports whether two activities of one stream may run at the same time: branches of a graph do, and since compute
// capability 9 NVIDIA starts a kernel before the one it depends on has ended (programmatic dependent launch). MI300 reports 9
// too, but has no such thing.
func (l *Lane) mayOverlap(a, b int32) bool {
	w := &l.Trace.Work
	if w.Node(a) && w.Node(b) || w.Call[a] >= 0 && w.Call[a] == w.Call[b] || w.Kind[a] == trace.GraphBody || w.Kind[b] == trace.GraphBody {
		return true
	}
	d, ok := l.Trace.Device(int32(l.ID.GPU))
	return ok && d.Major >= 9 && !l.ROCm()
}

// ROCm reports whether the GPU is one of AMD. Where the file leaves its name empty, a call that launched work tells.
func (l *Lane) ROCm() bool {
	if l.ID.Name != "" {
		return strings.Contains(l.ID.Name, "AMD")
	}
	for _, c := range l.Trace.Work.Call {
		if c >= 0 {
			return strings.HasPrefix(l.Name(l.Trace.Calls.Name[c]), "hip")
		}
	}
	return false
}

// callsOf is when the first call of a process starts and the last one ends; of any process for 0. Both 0 without calls.
func (h *host) callsOf(process int64) (first, last span.Time) {
	for i, thread := range h.t.Threads {
		calls := h.calls.of(int32(i))
		if len(calls) == 0 || process != 0 && thread.PID != process {
			continue
		}
		if start := h.t.Calls.Start[calls[0]]; last == 0 || start < first {
			first = start
		}
		for _, c := range calls {
			last = max(last, h.t.Calls.End[c])
		}
	}
	return first, last
}
