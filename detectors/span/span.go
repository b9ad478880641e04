// Package span is the algebra of half-open intervals of integer nanoseconds.
//
// Every time that perflint reports is the length of a set of intervals, so every feature, gap and claim is computed here.
// All set operations are linear in the number of intervals.
package span

import (
	"slices"
	"sort"
)

// Time is a moment in nanoseconds since the first event of the trace, or a difference of two.
// int64 holds 292 years; float64 would lose nanoseconds of absolute Unix times.
type Time int64

// Micros is t in microseconds, the unit of features.
func (t Time) Micros() float64 { return float64(t) / 1e3 }

// Span is the half-open interval [Start, End). It is empty when End <= Start.
type Span struct{ Start, End Time }

// Len is the length in nanoseconds, zero for an empty span.
func (s Span) Len() Time { return max(0, s.End-s.Start) }

// Empty reports whether the span holds no moment.
func (s Span) Empty() bool { return s.End <= s.Start }

// Clip is the part of s inside w; it may be empty.
func (s Span) Clip(w Span) Span { return Span{max(s.Start, w.Start), min(s.End, w.End)} }

// Meets reports whether s and w share a moment; an empty span meets w when its start lies in w.
func (s Span) Meets(w Span) bool {
	if s.Empty() {
		return s.Start >= w.Start && s.Start < w.End
	}
	return s.Start < w.End && s.End > w.Start
}

// Set is a set of moments: ordered, disjoint, non-touching, non-empty spans. The zero value is the empty set.
type Set []Span

// Of is the set of one span; empty when the span is.
func Of(s Span) Set {
	if s.Empty() {
		return nil
	}
	return Set{s}
}

func byStart(a, b Span) int {
	switch {
	case a.Start < b.Start:
		return -1
	case a.Start > b.Start:
		return 1
	}
	return 0
}

// add appends a span that starts no earlier than the last one of the set did.
func (a Set) add(s Span) Set {
	if s.Empty() {
		return a
	}
	if n := len(a); n > 0 && s.Start <= a[n-1].End {
		a[n-1].End = max(a[n-1].End, s.End)
		return a
	}
	return append(a, s)
}

// Total is the length of the set in nanoseconds.
func (a Set) Total() Time {
	var t Time
	for _, s := range a {
		t += s.End - s.Start
	}
	return t
}

// Or is the union of a and b. Sets are never changed once made, so the result may share memory with either.
func (a Set) Or(b Set) Set {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	out := make(Set, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0].Start <= b[0].Start {
			out, a = out.add(a[0]), a[1:]
		} else {
			out, b = out.add(b[0]), b[1:]
		}
	}
	for _, s := range a {
		out = out.add(s)
	}
	for _, s := range b {
		out = out.add(s)
	}
	return out.fit()
}

// And is the intersection of a and b.
func (a Set) And(b Set) Set {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	a, b = a.Near(Span{b[0].Start, b[len(b)-1].End}), b.Near(Span{a[0].Start, a[len(a)-1].End})
	n := 0
	a.Meet(b, func(Span) { n++ })
	if n == 0 {
		return nil
	}
	out := make(Set, 0, n)
	a.Meet(b, func(s Span) { out = append(out, s) })
	return out
}

// Meet visits the intersection of a and b without building it. Its spans never touch, since those of neither do.
func (a Set) Meet(b Set, visit func(Span)) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].End <= b[0].Start:
			a = a.after(b[0].Start)
			continue
		case b[0].End <= a[0].Start:
			b = b.after(a[0].Start)
			continue
		}
		visit(a[0].Clip(b[0]))
		if a[0].End <= b[0].End {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
}

// after is what is left of a behind the spans that end by t, which are many or few: it looks ever farther ahead, so that a small
// set is compared with a large one in less than the time of a walk over it.
func (a Set) after(t Time) Set {
	near, far := 0, 1 // the span in front of near ends by t, the one at far-1 may not
	for far <= len(a) && a[far-1].End <= t {
		near, far = far, 2*far
	}
	far = min(far, len(a))
	return a[near+sort.Search(far-near, func(i int) bool { return a[near+i].End > t }):]
}

// Shared is the length of the intersection of a and b.
func (a Set) Shared(b Set) Time {
	var t Time
	a.Meet(b, func(s Span) { t += s.Len() })
	return t
}

// fit gives back memory of which a third or more was reserved in vain. Sets live long and may hold millions of spans.
func (a Set) fit() Set {
	if len(a) == 0 {
		return nil
	}
	if 3*len(a) < 2*cap(a) {
		return slices.Clone(a)
	}
	return a
}

// Minus is the part of a outside b. The result may share memory with a.
func (a Set) Minus(b Set) Set {
	if len(a) == 0 {
		return nil
	}
	if b = b.Near(Span{a[0].Start, a[len(a)-1].End}); len(b) == 0 {
		return a
	}
	n := 0
	a.outside(b, func(Span) { n++ })
	if n == 0 {
		return nil
	}
	out := make(Set, 0, n)
	a.outside(b, func(s Span) { out = append(out, s) })
	return out
}

// outside visits the part of a outside b.
func (a Set) outside(b Set, visit func(Span)) {
	for _, s := range a {
		b = b.after(s.Start)
		at := s.Start
		for i := 0; i < len(b) && b[i].Start < s.End; i++ {
			if b[i].Start > at {
				visit(Span{at, b[i].Start})
			}
			at = b[i].End
		}
		if at < s.End {
			visit(Span{at, s.End})
		}
	}
}

// Gaps is the part of w outside a.
func (a Set) Gaps(w Span) Set { return Of(w).Minus(a) }

// Near is the spans of a that meet w, unclipped and shared with a. It takes two binary searches, so that a loop over many
// windows stays linear.
func (a Set) Near(w Span) Set {
	if w.Empty() {
		return nil
	}
	from := sort.Search(len(a), func(i int) bool { return a[i].End > w.Start })
	a = a[from:]
	return a[:sort.Search(len(a), func(i int) bool { return a[i].Start >= w.End })]
}

// Clip is the part of a inside w. It looks only at the spans that meet w, and shares them with a where none is cut.
func (a Set) Clip(w Span) Set {
	near := a.Near(w)
	if len(near) == 0 {
		return nil
	}
	last := len(near) - 1
	if near[0].Start >= w.Start && near[last].End <= w.End {
		return near[: last+1 : last+1]
	}
	out := slices.Clone(near)
	out[0].Start, out[last].End = max(out[0].Start, w.Start), min(out[last].End, w.End)
	return out
}

// Overlap is the length of the part of a inside w, without building it. It looks only at the spans that meet w.
func (a Set) Overlap(w Span) Time {
	var t Time
	for _, s := range a.Near(w) {
		t += s.Clip(w).Len()
	}
	return t
}

// Valid reports whether a is ordered, disjoint, non-touching and without empty spans.
func (a Set) Valid() bool {
	for i, s := range a {
		if s.Empty() || i > 0 && s.Start <= a[i-1].End {
			return false
		}
	}
	return true
}
