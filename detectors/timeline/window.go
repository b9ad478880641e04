package timeline

import (
	"slices"
	"sort"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// setWindow decides W and which activities are own. A step or range that the user gave narrows the window that the trace
// has, and the steady steps to those in it. A step that is not steady has the window of its own that it would have alone.
func (l *Lane) setWindow(opt Options) {
	step := l.stepNumbered(opt.Step)
	if step >= 0 && !slices.Contains(l.Steady, step) {
		l.Steady = []int32{step}
	}
	from := span.Time(0)
	steps := opt.Window != "gpu" && len(l.Steady) > 0 && l.linked > 0
	if steps {
		from = l.Steps[l.Steady[0]].Host.Start
	}
	l.markForeign(steps, from)
	if steps {
		l.W = l.stepWindow(from)
	} else {
		l.W = l.gpuWindow()
	}
	l.timeSteps()
	l.whole = l.W
	l.narrow(opt, step)
	if !l.W.Empty() {
		l.In = l.meeting(l.W)
	}
	if len(l.Steps) == 1 {
		l.Steps[0].GPU = l.W
	}
}

// narrow clips W to the step and the range that the user asked for. A step that the trace does not have leaves nothing.
func (l *Lane) narrow(opt Options, step int32) {
	switch {
	case opt.Step < 0:
	case step < 0:
		l.W, l.Steady = span.Span{}, nil
	default:
		l.W, l.Steady = l.W.Clip(l.oneStep(step)), []int32{step}
	}
	if !opt.Range.Empty() {
		l.W = l.W.Clip(opt.Range)
		l.Steady = slices.DeleteFunc(l.Steady, func(i int32) bool { return !l.Steps[i].Host.Meets(l.W) })
	}
	if l.W.Empty() {
		l.W = span.Span{}
	}
}

// meeting lists the activities that meet w.
func (l *Lane) meeting(w span.Span) []int32 {
	behind := sort.Search(len(l.Start), func(i int) bool { return l.Start[i] >= w.End })
	meets := func(i int) bool { return l.End[i] > w.Start || l.Start[i] == w.Start }
	first, n := 0, 0
	for i := range behind {
		if meets(i) {
			if n == 0 {
				first = i
			}
			n++
		}
	}
	if first+n == behind {
		return l.host.from(first, n)
	}
	in := make([]int32, 0, n)
	for i := range behind {
		if meets(i) {
			in = append(in, int32(i))
		}
	}
	return in
}

// markForeign finds the backlog of work launched earlier. Candidates are activities without a call and, where W comes from
// steps, those whose call starts before the first steady step; foreign are the candidates before the first that is none.
func (l *Lane) markForeign(steps bool, from span.Time) {
	first := slices.IndexFunc(l.Call, func(call int32) bool { return call >= 0 && !(steps && l.Trace.Calls.Start[call] < from) })
	for i := range first { // none where all are candidates: then all are own
		l.Own[i] = l.Start[i] == l.Start[first]
	}
}

// gpuWindow runs over the activities whose launching call is in the trace; over all where none is linked.
func (l *Lane) gpuWindow() span.Span {
	any := l.linked == 0
	var w span.Span
	found := false
	for i, call := range l.Call {
		if !any && call < 0 {
			continue
		}
		if !found {
			w, found = l.ActSpan(int32(i)), true
		}
		w.End = max(w.End, l.End[i])
	}
	return w
}

// stepWindow runs from the first steady step, or the end of the backlog, to the end of what the steady steps launched and,
// where another step follows, of the last one's mark; else to the last thing its launching threads did in it.
func (l *Lane) stepWindow(from span.Time) span.Span {
	w := span.Span{Start: from}
	first, last := l.Steady[0], l.Steady[len(l.Steady)-1]
	for i, step := range l.StepIndex {
		if !l.Own[i] {
			if l.Class[i] == Compute {
				w.Start = max(w.Start, l.End[i])
			}
		} else if step >= first && step <= last {
			w.End = max(w.End, l.End[i])
		}
	}
	if int(last)+1 < len(l.Steps) {
		w.End = max(w.End, l.Steps[last].Host.End)
	} else {
		w.End = max(w.End, l.lastWork(l.Steps[last].Host))
	}
	return w
}

// lastWork is the end, at most that of the step, of the last call or host range that starts inside it on a thread that
// launched own work in the steady steps, marks of steps and frames of the profiler aside. So the profiler's own stopping does
// not count.
func (l *Lane) lastWork(step span.Span) span.Time {
	t := l.Trace
	launched := make([]bool, len(t.Threads))
	for i, step := range l.StepIndex {
		if call := l.Call[i]; call >= 0 && step >= l.Steady[0] && l.Own[i] {
			launched[t.Calls.Thread[call]] = true
		}
	}
	var end span.Time
	for i, ours := range launched {
		if !ours {
			continue
		}
		th := int32(i)
		for _, c := range l.host.calls.of(th) {
			if at := t.Calls.Start[c]; at >= step.Start && at < step.End {
				end = max(end, min(t.Calls.End[c], step.End))
			}
		}
		for _, r := range l.host.ranges.of(th) {
			if at := t.Ranges.Start[r]; at >= step.Start && at < step.End && !l.ofProfiler(r) {
				end = max(end, min(t.Ranges.End[r], step.End))
			}
		}
	}
	return end
}

// ofProfiler reports whether a range is the mark of a step, a frame of the profiler, or a wait of the operating system.
func (l *Lane) ofProfiler(r int32) bool {
	if l.Trace.Ranges.Kind[r] == trace.OSCall {
		return true
	}
	return l.host.rangeClass(r) == StepMark || l.isStep(l.Trace.Ranges.Span(r)) || l.host.frame(l.Trace.Ranges.Name[r]).profiler
}

func (l *Lane) stepNumbered(number int) int32 {
	return int32(slices.IndexFunc(l.Steps, func(s Step) bool { return s.Number == number }))
}

// oneStep is the window of one step: its time on the GPU where that is known, else its mark and what it launched.
func (l *Lane) oneStep(i int32) span.Span {
	if g := l.Steps[i].GPU; !g.Empty() && len(l.Steps) > 1 {
		return g
	}
	return span.Span{Start: l.Steps[i].Host.Start, End: max(l.Steps[i].Host.End, l.lastEnd(i))}
}

func (l *Lane) lastEnd(step int32) span.Time {
	var end span.Time
	for i, s := range l.StepIndex {
		if s == step {
			end = max(end, l.End[i])
		}
	}
	return end
}
