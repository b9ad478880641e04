package timeline

import (
	"slices"

	"perflint/detectors/span"
)

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
	if unlike(wall(0), medianOf(all[1:], wall)) {
		first = 1
	}
	end := int32(n - 1)
	if launched(end) < 0.8*medianOf(all[:end], launched) || wall(end) > 1.5*medianOf(all[:end], wall) {
		last = n - 1
	}
	return all[first:last]
}

// FirstCountsOff reports whether both of two steps count although the first is unlike the second.
func (l *Lane) FirstCountsOff() bool {
	return len(l.Steps) == 2 && len(l.Steady) == 2 && unlike(float64(l.Steps[0].Host.Len()), float64(l.Steps[1].Host.Len()))
}

// unlike reports whether the first step takes so much more or less time than the others that something else happens in it.
func unlike(first, others float64) bool { return first > 1.25*others || first < 0.67*others }

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

// timeSteps sets the duration of each step on the GPU, once it is known which activities are own. Host marks jitter while
// the host runs ahead; they stand in only where no activity has a call, so that nothing tells its step.
func (l *Lane) timeSteps() {
	if l.linked == 0 {
		for i := range l.Steps {
			l.Steps[i].GPU = l.Steps[i].Host
		}
		return
	}
	first := make([]span.Time, len(l.Steps))
	has := make([]bool, len(l.Steps))
	for i, step := range l.StepIndex {
		if step >= 0 && !has[step] && l.Own[i] {
			first[step], has[step] = l.Start[i], true
		}
	}
	for i := 0; i+1 < len(l.Steps); i++ {
		if has[i] && has[i+1] {
			l.Steps[i].GPU = span.Span{Start: first[i], End: first[i+1]}
		}
	}
}
