package detectors

import (
	"iter"
	"slices"

	"perflint/detectors/span"
)

// lengths counts durations by their upper digits: nanoseconds in steps of digit, the last step without end. There may be
// millions, so none is kept.
type lengths struct {
	count []int32 // nil without any
	n     int
}

const digit = 1 << 16

func step(d span.Time) span.Time { return min(d/digit, digit-1) }

func (l *lengths) add(d span.Time) {
	if l.count == nil {
		l.count = make([]int32, digit)
	}
	l.count[step(d)]++
	l.n++
}

// medianMicros is the median in µs, the mean of the middle two of an even number. again walks over the durations that were added.
func (l *lengths) medianMicros(again iter.Seq[span.Time]) float64 {
	if l.n == 0 {
		return 0
	}
	lower, upper := l.pair((l.n-1)/2, l.n/2, again)
	return (lower.Micros() + upper.Micros()) / 2
}

// pair is the durations that have i and j shorter ones before them.
func (l *lengths) pair(i, j int, again iter.Seq[span.Time]) (lower, upper span.Time) {
	at, before := rank(l.count, i)
	if other, _ := rank(l.count, j); other != at {
		lower, _ = l.pair(i, i, again)
		upper, _ = l.pair(j, j, again)
		return lower, upper
	}
	if at == digit-1 {
		longest := slices.Sorted(within(at, again)) // those of four seconds and more cannot be many
		return longest[i-before], longest[j-before]
	}
	count := make([]int32, digit)
	for d := range within(at, again) {
		count[d%digit]++
	}
	lower, _ = rank(count, i-before)
	upper, _ = rank(count, j-before)
	return at*digit + lower, at*digit + upper
}

func within(at span.Time, durations iter.Seq[span.Time]) iter.Seq[span.Time] {
	return func(yield func(span.Time) bool) {
		for d := range durations {
			if step(d) == at && !yield(d) {
				return
			}
		}
	}
}

// rank is the step that holds the n-th, and how many lie in the steps before it.
func rank(count []int32, n int) (at span.Time, before int) {
	for before+int(count[at]) <= n {
		before += int(count[at])
		at++
	}
	return at, before
}
