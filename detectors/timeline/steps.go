package timeline

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// Step is one iteration of the job.
type Step struct {
	Number   int // of the mark ("ProfilerStep#12" is 12), else counted from 0
	Host     span.Span
	Thread   int32     // that opened it
	Launched int       // GPU activities whose launching call starts in it
	GPU      span.Span // start of its first own activity to that of the next step's; empty when it has none
}

// findSteps takes the first source of steps that gives any.
func (l *Lane) findSteps(opt Options) {
	l.Source = "none"
	for _, s := range []struct {
		name string
		find func() []Step
	}{
		{"mark", func() []Step { return l.userMarks(opt.Mark) }},
		{"ProfilerStep", l.profilerSteps},
		{"measure", func() []Step { return l.marks(MeasureMark, 1) }},
		{"Optimizer.step", l.optimizerSteps},
		{"loader", l.loaderSteps},
		{"serving", func() []Step { return l.marks(Serving, 2) }},
		{"annotation", l.repeatedAnnotation},
	} {
		if l.Steps = s.find(); len(l.Steps) > 0 {
			l.Source = s.name
			break
		}
	}
	l.assignSteps()
	l.Steady = l.steady()
}

// RangesOf lists the annotations and ops of the lane's threads whose class is c, ordered by start.
func (l *Lane) RangesOf(c Class) []int32 {
	var out []int32
	for _, th := range l.threadsOf() {
		for _, r := range l.host.ranges.of(th) {
			if kind := l.Trace.Ranges.Kind[r]; kind != trace.Frame && kind != trace.OSCall && l.host.rangeClass(r) == c {
				out = append(out, r)
			}
		}
	}
	slices.Sort(out)
	return out
}

func (l *Lane) marks(c Class, least int) []Step {
	ranges := l.RangesOf(c)
	if len(ranges) < least {
		return nil
	}
	return l.outermost(ranges)
}

// outermost turns ranges into steps, leaving out those inside another.
func (l *Lane) outermost(ranges []int32) []Step {
	var out []Step
	for _, r := range ranges {
		s := l.Trace.Ranges.Span(r)
		if n := len(out); n > 0 && s.Start < out[n-1].Host.End {
			continue
		}
		out = append(out, Step{Number: len(out), Host: s, Thread: l.Trace.Ranges.Thread[r]})
	}
	return out
}

// profilerSteps are the marks of torch.profiler whose process has an op or a call inside them.
func (l *Lane) profilerSteps() []Step {
	var out []Step
	for _, s := range l.marksNumbered(l.RangesOf(StepMark)) {
		if l.anythingIn(s.Host) {
			out = append(out, s)
		}
	}
	return out
}

func (l *Lane) marksNumbered(ranges []int32) []Step {
	steps := l.outermost(ranges)
	byStart := map[span.Time]int{}
	for _, r := range ranges {
		name := l.Trace.Names.String(l.Trace.Ranges.Name[r])
		_, digits, _ := strings.Cut(name, "#")
		if n, err := strconv.Atoi(digits); err == nil {
			byStart[l.Trace.Ranges.Start[r]] = n
		}
	}
	for i := range steps {
		if n, ok := byStart[steps[i].Host.Start]; ok {
			steps[i].Number = n
		}
	}
	return steps
}

// anythingIn reports whether an op or a call of the lane's process starts inside s.
func (l *Lane) anythingIn(s span.Span) bool {
	t := l.Trace
	for _, th := range l.threadsOf() {
		calls := l.host.calls.of(th)
		i, _ := slices.BinarySearchFunc(calls, s.Start, func(c int32, at span.Time) int { return cmp.Compare(t.Calls.Start[c], at) })
		if i < len(calls) && t.Calls.Start[calls[i]] < s.End {
			return true
		}
		ranges := l.host.ranges.of(th)
		i, _ = slices.BinarySearchFunc(ranges, s.Start, func(r int32, at span.Time) int { return cmp.Compare(t.Ranges.Start[r], at) })
		for ; i < len(ranges) && t.Ranges.Start[ranges[i]] < s.End; i++ {
			if t.Ranges.Kind[ranges[i]] == trace.Op && l.host.rangeClass(ranges[i]) != StepMark {
				return true
			}
		}
	}
	return false
}

// optimizerSteps run from the end of one Optimizer.step of a thread to the end of its next.
func (l *Lane) optimizerSteps() []Step {
	return l.between(l.RangesOf(OptimizerStep), func(s span.Span) span.Time { return s.End })
}

// loaderSteps run from the start of one data-loader range of a thread to the start of its next.
func (l *Lane) loaderSteps() []Step {
	var next []int32
	for _, r := range l.RangesOf(Loader) {
		if strings.Contains(l.Trace.Names.String(l.Trace.Ranges.Name[r]), "__next__") {
			next = append(next, r)
		}
	}
	return l.between(next, func(s span.Span) span.Time { return s.Start })
}

// between makes steps from one edge to the next of the thread that has most of the ranges, at least three.
func (l *Lane) between(ranges []int32, edge func(span.Span) span.Time) []Step {
	byThread := map[int32][]int32{}
	best := int32(-1)
	for _, r := range ranges {
		th := l.Trace.Ranges.Thread[r]
		byThread[th] = append(byThread[th], r)
		if best < 0 || len(byThread[th]) > len(byThread[best]) {
			best = th
		}
	}
	if best < 0 || len(byThread[best]) < 3 {
		return nil
	}
	var out []Step
	edges := l.outermost(byThread[best])
	for i := 1; i < len(edges); i++ {
		out = append(out, Step{Number: i - 1, Thread: best, Host: span.Span{Start: edge(edges[i-1].Host), End: edge(edges[i].Host)}})
	}
	return out
}

// stepAt is the index of the step in which t lies, -1 none.
func (l *Lane) stepAt(t span.Time) int32 {
	i, found := slices.BinarySearchFunc(l.Steps, t, func(s Step, t span.Time) int { return cmp.Compare(s.Host.Start, t) })
	if !found {
		i--
	}
	if i >= 0 && t < l.Steps[i].Host.End {
		return int32(i)
	}
	return -1
}

// assignSteps gives each activity the step in which its launching call starts.
func (l *Lane) assignSteps() {
	if len(l.Steps) == 0 {
		return
	}
	l.acts.steps = make([]int32, l.ActCount())
	for i := range l.acts.steps {
		l.acts.steps[i] = -1
		if call := l.Act(int32(i)).Call; call >= 0 {
			if step := l.stepAt(l.Trace.Calls.Start[call]); step >= 0 {
				l.acts.steps[i] = step
				l.Steps[step].Launched++
			}
		}
	}
}

// steady leaves out a first step that warms up and a last one that was cut off.
func (l *Lane) steady() []int32 {
	n := len(l.Steps)
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	if n < 3 {
		return all
	}
	wall := func(i int32) float64 { return float64(l.Steps[i].Host.Len()) }
	launched := func(i int32) float64 { return float64(l.Steps[i].Launched) }
	first, last := 0, n
	others := medianOf(all[1:], wall)
	if w := wall(0); w > 1.25*others || w < 0.67*others {
		first = 1
	}
	end := int32(n - 1)
	if launched(end) < 0.8*medianOf(all[:end], launched) || wall(end) > 1.5*medianOf(all[:end], wall) {
		last = n - 1
	}
	return all[first:last]
}

func medianOf(items []int32, value func(int32) float64) float64 {
	values := make([]float64, len(items))
	for i, it := range items {
		values[i] = value(it)
	}
	return Median(values)
}

// Median of values, the mean of the middle two of an even number; 0 of none. It sorts values in place.
func Median(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return 0
	}
	slices.Sort(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

// timeSteps sets the duration of each step on the GPU, once it is known which activities are own.
func (l *Lane) timeSteps() {
	first := make([]span.Time, len(l.Steps))
	has := make([]bool, len(l.Steps))
	for i := range l.ActCount() {
		a := l.Act(int32(i))
		if a.Own && a.Step >= 0 && !has[a.Step] {
			first[a.Step], has[a.Step] = a.Start, true
		}
	}
	if len(l.Steps) == 1 {
		l.Steps[0].GPU = l.W
		return
	}
	for i := 0; i+1 < len(l.Steps); i++ {
		if has[i] && has[i+1] {
			l.Steps[i].GPU = span.Span{Start: first[i], End: first[i+1]}
		}
	}
}
