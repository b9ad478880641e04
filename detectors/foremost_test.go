package detectors

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestForemostAreTheFirstOfAllSorted(t *testing.T) {
	type pair struct{ key, at int }
	draw := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		all := make([]pair, draw.IntN(60))
		for i := range all {
			all[i] = pair{draw.IntN(12), i}
		}
		n := 1 + draw.IntN(9)
		byKey := func(a, b pair) int { return cmp.Compare(b.key, a.key) }
		got := foremost(slices.Values(all), n, byKey)
		want := slices.Clone(all)
		slices.SortStableFunc(want, byKey)
		if want = want[:min(len(want), n)]; !slices.Equal(got, want) {
			t.Fatalf("the first %d of %v are %v, want %v", n, all, got, want)
		}
	}
}
