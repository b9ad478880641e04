package timeline

import (
	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// setWindow decides W and which activities are own. Where the user gave a range, it narrows the window that the trace has.
func (l *Lane) setWindow(opt Options) {
	from := span.Time(0)
	steps := opt.Window != "gpu" && len(l.Steady) > 0 && l.linked() > 0
	if steps {
		from = l.Steps[l.Steady[0]].Host.Start
	}
	l.markForeign(steps, from)
	switch {
	case steps:
		l.W = l.stepWindow(from)
	default:
		l.W = l.gpuWindow()
	}
	if n := l.stepNumbered(opt.Step); n >= 0 {
		l.W = l.W.Clip(l.oneStep(n))
	}
	if !opt.Range.Empty() {
		l.W = l.W.Clip(opt.Range)
	}
	n := 0
	for i := range l.ActCount() {
		if l.Act(int32(i)).Meets(l.W) {
			n++
		}
	}
	l.In = make([]int32, 0, n)
	for i := range l.ActCount() {
		if l.Act(int32(i)).Meets(l.W) {
			l.In = append(l.In, int32(i))
		}
	}
	l.timeSteps()
}

func (l *Lane) linked() int {
	n := 0
	for i := range l.ActCount() {
		a := l.Act(int32(i))
		if a.Call >= 0 {
			n++
		}
	}
	return n
}

// markForeign finds the backlog of work launched earlier. Candidates are activities without a call and, where W comes from
// steps, those whose call starts before the first steady step; foreign are the candidates before the first that is none.
func (l *Lane) markForeign(steps bool, from span.Time) {
	candidate := func(a Act) bool {
		return a.Call < 0 || steps && l.Trace.Calls.Start[a.Call] < from
	}
	first := -1
	for i := range l.ActCount() {
		a := l.Act(int32(i))
		if !candidate(a) {
			first = i
			break
		}
	}
	for i := range first { // none where all are candidates: then all are own
		l.acts.own[i] = false
	}
}

// gpuWindow runs over the activities whose launching call is in the trace; over all where none is linked.
func (l *Lane) gpuWindow() span.Span {
	any := l.linked() == 0
	var w span.Span
	found := false
	for i := range l.ActCount() {
		a := l.Act(int32(i))
		if !any && a.Call < 0 {
			continue
		}
		if !found {
			w, found = a.Span, true
		}
		w.End = max(w.End, a.End)
	}
	return w
}

// stepWindow runs from the first steady step, or the end of the backlog, to the end of what the steady steps launched and,
// where another step follows, of the last one's mark; else to the last thing its launching threads did in it.
func (l *Lane) stepWindow(from span.Time) span.Span {
	w := span.Span{Start: from}
	last := l.Steady[len(l.Steady)-1]
	for i := range l.ActCount() {
		a := l.Act(int32(i))
		if !a.Own && a.Class == Compute {
			w.Start = max(w.Start, a.End)
		}
		if a.Own && a.Step >= l.Steady[0] && a.Step <= last {
			w.End = max(w.End, a.End)
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
// launched own work in the steady steps, step marks and frames of the profiler aside. So the profiler's own stopping does
// not count.
func (l *Lane) lastWork(step span.Span) span.Time {
	t := l.Trace
	launched := map[int32]bool{}
	for i := range l.ActCount() {
		a := l.Act(int32(i))
		if a.Own && a.Call >= 0 && a.Step >= l.Steady[0] {
			launched[t.Calls.Thread[a.Call]] = true
		}
	}
	var end span.Time
	for th := range launched {
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

// ofProfiler reports whether a range is a step mark or a frame of the profiler.
func (l *Lane) ofProfiler(r int32) bool {
	if l.Trace.Ranges.Kind[r] == trace.OSCall {
		return true
	}
	return l.host.rangeClass(r) == StepMark || l.host.frame(l.Trace.Ranges.Name[r]).profiler
}

func (l *Lane) stepNumbered(number int) int {
	if number < 0 {
		return -1
	}
	for i, s := range l.Steps {
		if s.Number == number {
			return i
		}
	}
	return -1
}

// oneStep is the window of one step: its time on the GPU where that is known, else its mark.
func (l *Lane) oneStep(i int) span.Span {
	l.timeSteps()
	if g := l.Steps[i].GPU; !g.Empty() && len(l.Steps) > 1 {
		return g
	}
	return span.Span{Start: l.Steps[i].Host.Start, End: max(l.Steps[i].Host.End, l.lastEnd(int32(i)))}
}

func (l *Lane) lastEnd(step int32) span.Time {
	var end span.Time
	for i := range l.ActCount() {
		a := l.Act(int32(i))
		if a.Step == step {
			end = max(end, a.End)
		}
	}
	return end
}
