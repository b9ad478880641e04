package span

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestLengthIsThatOfTheUnion(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		spans := make([]Span, draw.IntN(12))
		for i := range spans {
			spans[i].Start = Time(draw.IntN(40) - 20)
			spans[i].End = spans[i].Start + Time(draw.IntN(12)-2)
		}
		slices.SortFunc(spans, byStart)
		var l Length
		for _, s := range spans {
			l.Add(s)
		}
		if want := UnionSorted(spans).Total(); l.Total() != want {
			t.Fatalf("the union of %v is %d long, not %d", spans, want, l.Total())
		}
	}
}
