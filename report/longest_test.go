package report

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"perflint/detectors/span"
)

func TestLongestIsThatOfASort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var s span.Set
		at := span.Time(0)
		for range r.IntN(40) {
			at += span.Time(1 + r.IntN(5))
			s = append(s, span.Span{Start: at, End: at + span.Time(1+r.IntN(4))})
			at = s[len(s)-1].End
		}
		n := 1 + r.IntN(12)
		want := slices.Clone(s)
		slices.SortStableFunc(want, func(a, b span.Span) int { return cmp.Compare(b.Len(), a.Len()) })
		want = want[:min(n, len(want))]
		slices.SortFunc(want, func(a, b span.Span) int { return cmp.Compare(a.Start, b.Start) })
		got := longest(s, n)
		if len(got) != len(want) {
			t.Fatalf("%d of %v: got %v, want %v", n, s, got, want)
		}
		for i, w := range want {
			if got[i] != [2]int64{int64(w.Start), int64(w.Len())} {
				t.Fatalf("%d of %v: got %v, want %v", n, s, got, want)
			}
		}
	}
}
