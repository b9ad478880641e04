package timeline

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// Step is one iteration of the job.
type Step struct {
	Name     trace.Text // of the mark; 0 where the step runs between two marks
	Number   int        // of the mark ("ProfilerStep#12" is 12), else counted from 0
	Host     span.Span
	Thread   int32     // that opened it
	Launched int       // GPU activities whose launching call starts in it
	GPU      span.Span // start of its first own activity to that of the next step's; empty when it has none; the mark where nothing is linked
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
	l.FirstOff = len(l.Steady) > 0 && l.Steady[0] > 0
}

// RangesOf lists the annotations and ops of the lane's threads whose class is c, ordered by start.
func (l *Lane) RangesOf(c Class) []int32 {
	var out []int32
	for _, r := range l.host.byClass[c] {
		if l.speaks(l.Trace.Ranges.Thread[r]) {
			out = append(out, r)
		}
	}
	return out
}

func (l *Lane) marks(c Class, least int) []Step {
	ranges := l.outermost(l.RangesOf(c))
	if len(ranges) < least {
		return nil
	}
	return l.stepsOf(ranges)
}

// outermost leaves out ranges inside another, those that overlap the one before, and empty ones.
func (l *Lane) outermost(ranges []int32) []int32 {
	var out []int32
	end := span.Time(math.MinInt64)
	for _, r := range ranges {
		if s := l.Trace.Ranges.Span(r); !s.Empty() && s.Start >= end {
			out, end = append(out, r), s.End
		}
	}
	return out
}

// stepsOf turns ranges that do not overlap into steps.
func (l *Lane) stepsOf(ranges []int32) []Step {
	out := make([]Step, len(ranges))
	for i, r := range ranges {
		out[i] = Step{Name: l.Trace.Ranges.Name[r], Number: i, Host: l.Trace.Ranges.Span(r), Thread: l.Trace.Ranges.Thread[r]}
	}
	return out
}

// profilerSteps are the marks of torch.profiler whose process has an op or a call inside them.
func (l *Lane) profilerSteps() []Step {
	var out []Step
	ranges := l.outermost(l.RangesOf(StepMark))
	for i, s := range l.stepsOf(ranges) {
		if n, ok := markNumber(l.Name(l.Trace.Ranges.Name[ranges[i]])); ok {
			s.Number = n
		}
		if l.anythingIn(s.Host) {
			out = append(out, s)
		}
	}
	return out
}

// markNumber is the 12 of "ProfilerStep#12", whatever emit_nvtx appended.
func markNumber(name string) (int, bool) {
	_, digits, _ := strings.Cut(name, "#")
	digits, _, _ = strings.Cut(digits, ",")
	n, err := strconv.Atoi(digits)
	return n, err == nil
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
	var threads []int32
	for _, r := range ranges {
		th := l.Trace.Ranges.Thread[r]
		if byThread[th] == nil {
			threads = append(threads, th)
		}
		byThread[th] = append(byThread[th], r)
	}
	var best []int32
	for _, th := range threads {
		if edges := l.outermost(byThread[th]); len(edges) > len(best) {
			best = edges
		}
	}
	if len(best) < 3 {
		return nil
	}
	var out []Step
	edges := l.stepsOf(best)
	for i := 1; i < len(edges); i++ {
		out = append(out, Step{Number: i - 1, Thread: edges[i].Thread, Host: span.Span{Start: edge(edges[i-1].Host), End: edge(edges[i].Host)}})
	}
	return out
}

// stepAt is the index of the step in which t lies, -1 none.
func (l *Lane) stepAt(t span.Time) int32 { return stepAt(l.Steps, t) }

func stepAt(steps []Step, t span.Time) int32 {
	i := int32(sort.Search(len(steps), func(i int) bool { return steps[i].Host.Start > t })) - 1
	if i >= 0 && t < steps[i].Host.End {
		return i
	}
	return -1
}

// StepFinder tells the step in which a moment lies, quickly where the moment before lay in the same or between the same two.
type StepFinder struct {
	steps []Step
	near  span.Span // in which the answer is the last one
	last  int32
}

// StepFinder is a finder of steps of the lane.
func (l *Lane) StepFinder() StepFinder { return StepFinder{steps: l.Steps} }

// At is the index of the step in which t lies, -1 none.
func (f *StepFinder) At(t span.Time) int32 {
	if t < f.near.Start || t >= f.near.End {
		f.look(t)
	}
	return f.last
}

func (f *StepFinder) look(t span.Time) {
	f.near = span.Span{Start: math.MinInt64, End: math.MaxInt64}
	next := sort.Search(len(f.steps), func(i int) bool { return f.steps[i].Host.Start > t })
	if next < len(f.steps) {
		f.near.End = f.steps[next].Host.Start
	}
	f.last = int32(next) - 1
	if next == 0 {
		return
	}
	switch host := f.steps[f.last].Host; {
	case t < host.End:
		f.near.Start, f.near.End = host.Start, min(host.End, f.near.End)
	default:
		f.near.Start, f.last = host.End, -1
	}
}

// assignSteps gives each activity the step in which its launching call starts.
func (l *Lane) assignSteps() {
	if len(l.Steps) == 0 {
		return
	}
	l.StepIndex = make([]int32, l.ActCount())
	at := l.StepFinder()
	for i, call := range l.Call {
		l.StepIndex[i] = -1
		if call >= 0 {
			if step := at.At(l.Trace.Calls.Start[call]); step >= 0 {
				l.StepIndex[i] = step
				l.Steps[step].Launched++
			}
		}
	}
}
