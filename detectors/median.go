package detectors

import (
	"iter"
	"slices"

	"perflint/detectors/span"
)

// lengths is durations by their upper digits: nanoseconds in steps of digit, the last step without end.
type lengths struct {
	all   iter.Seq[span.Time]
	count []int32
	n     int
}

const digit = 1 << 16

// medianMicros is the median of durations in µs, the mean of the middle two of an even number, and how many there are. It
// walks over them twice or three times, always the same ones, and keeps none: there may be millions.
func medianMicros(durations iter.Seq[span.Time]) (median float64, n int) {
	l := lengths{all: durations, count: make([]int32, digit)}
	for d := range durations {
		l.count[step(d)]++
		l.n++
	}
	if l.n == 0 {
		return 0, 0
	}
	low := l.nth((l.n - 1) / 2)
	high := low
	if l.n%2 == 0 {
		high = l.nth(l.n / 2)
	}
	return (low.Micros() + high.Micros()) / 2, l.n
}

func step(d span.Time) span.Time { return min(d/digit, digit-1) }

// nth is the duration that has n shorter ones before it.
func (l *lengths) nth(n int) span.Time {
	at, before := rank(l.count, n)
	if at == digit-1 {
		return l.nthOfLongest(n - before)
	}
	count := make([]int32, digit)
	for d := range l.all {
		if step(d) == at {
			count[d%digit]++
		}
	}
	lower, _ := rank(count, n-before)
	return at*digit + lower
}

// nthOfLongest looks among the durations of four seconds and more, which cannot be many.
func (l *lengths) nthOfLongest(n int) span.Time {
	var longest []span.Time
	for d := range l.all {
		if step(d) == digit-1 {
			longest = append(longest, d)
		}
	}
	slices.Sort(longest)
	return longest[n]
}

// rank is the step that holds the n-th, and how many lie in the steps before it.
func rank(count []int32, n int) (at span.Time, before int) {
	for before+int(count[at]) <= n {
		before += int(count[at])
		at++
	}
	return at, before
}
