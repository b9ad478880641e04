package span

import (
	"math"
	"slices"
)

// Union is the set of the moments of all spans, in any order, overlapping or empty. It sorts spans in place and may keep them.
func Union(spans []Span) Set {
	if !slices.IsSortedFunc(spans, byStart) {
		slices.SortFunc(spans, byStart)
	}
	return UnionSorted(spans)
}

// UnionSorted is Union of spans that are ordered by start. Where they are a set already, it shares memory with them.
func UnionSorted(spans []Span) Set {
	if Set(spans).Valid() {
		return Set(spans).fit()
	}
	return UnionEach(len(spans), func(i int) Span { return spans[i] })
}

// UnionEach is Union of n spans that are ordered by start, empty ones aside. Each is asked for twice, so that a set of millions
// takes no more memory than it needs.
func UnionEach(n int, at func(i int) Span) Set {
	count, end := 0, Time(math.MinInt64)
	for i := range n {
		if s := at(i); !s.Empty() {
			if s.Start > end {
				count++
			}
			end = max(end, s.End)
		}
	}
	if count == 0 {
		return nil
	}
	out := make(Set, 0, count)
	for i := range n {
		out = out.add(at(i))
	}
	return out
}

// GapsEach is the part of w outside of n spans that are ordered by start. As of UnionEach, each is asked for twice.
func GapsEach(w Span, n int, at func(i int) Span) Set {
	count := 0
	gaps(w, n, at, func(Span) { count++ })
	if count == 0 {
		return nil
	}
	out := make(Set, 0, count)
	gaps(w, n, at, func(s Span) { out = append(out, s) })
	return out
}

func gaps(w Span, n int, at func(i int) Span, visit func(Span)) {
	end := w.Start
	for i := range n {
		s := at(i)
		if s.Empty() || s.End <= end {
			continue
		}
		if gap := (Span{end, min(s.Start, w.End)}); !gap.Empty() {
			visit(gap)
		}
		end = s.End
	}
	if end < w.End {
		visit(Span{end, w.End})
	}
}
