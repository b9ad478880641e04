package span

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// model is a set of the moments 0…63 as bits: the algebra written so that it cannot be wrong.
type model uint64

func (m model) set() Set {
	var out Set
	for t := Time(0); t < 64; t++ {
		if m>>uint(t)&1 == 1 {
			out = out.add(Span{t, t + 1})
		}
	}
	return out
}

func modelOf(spans []Span) model {
	var m model
	for _, s := range spans {
		for t := s.Start; t < s.End; t++ {
			m |= 1 << uint(t)
		}
	}
	return m
}

func (m model) len() Time {
	var n Time
	for ; m != 0; m &= m - 1 {
		n++
	}
	return n
}

func check(t *testing.T, what string, got Set, want model) {
	t.Helper()
	if !got.Valid() {
		t.Fatalf("%s: %v is not a set", what, got)
	}
	if modelOf(got) != want {
		t.Fatalf("%s: got %v, want %v", what, got, want.set())
	}
	if got.Total() != want.len() {
		t.Fatalf("%s: total %d, want %d", what, got.Total(), want.len())
	}
}

func TestAlgebraAgainstBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		a, b := model(r.Uint64()&r.Uint64()), model(r.Uint64()|r.Uint64())
		lo := Time(r.IntN(64))
		w := Span{lo, lo + Time(r.IntN(int(65-lo)))}
		in := modelOf([]Span{w})
		sa, sb := a.set(), b.set()
		check(t, "or", sa.Or(sb), a|b)
		check(t, "and", sa.And(sb), a&b)
		if got := sa.Shared(sb); got != sa.And(sb).Total() {
			t.Errorf("shared: got %d of %v", got, sa.And(sb))
		}
		check(t, "minus", sa.Minus(sb), a&^b)
		check(t, "minus", sb.Minus(sa), b&^a)
		check(t, "gaps", sa.Gaps(w), in&^a)
		check(t, "clip", sb.Clip(w), b&in)
		if sa.Overlap(w) != (a & in).len() {
			t.Fatalf("overlap of %v and %v", sa, w)
		}
		for _, s := range sa.Near(w) {
			if s.Clip(w).Empty() {
				t.Fatalf("%v is not near %v", s, w)
			}
		}
	}
}

func TestUnionTakesAnyOrderAndEmptySpans(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		spans := make([]Span, r.IntN(12))
		for i := range spans {
			lo := Time(r.IntN(64))
			spans[i] = Span{lo, lo + Time(r.IntN(int(65-lo)))}
		}
		check(t, "union", Union(spans), modelOf(spans))
	}
}

func TestBuilderTakesAnyOrderAndStartsAnew(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var b Builder
	for range 5000 {
		spans := make([]Span, r.IntN(12))
		for i := range spans {
			lo := Time(r.IntN(64))
			spans[i] = Span{lo, lo + Time(r.IntN(int(65-lo)))}
			b.Add(spans[i])
		}
		check(t, "builder", b.Set(), modelOf(spans))
	}
}

// Of large sets the same comes out as of small ones, and what came out before stays as it was.
func TestAlgebraOfLargeSets(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	var a, b, and, or, minus Set
	far := func(s Set, by Time) Set {
		var out Set
		for _, x := range s {
			out = append(out, Span{x.Start + by, x.End + by})
		}
		return out
	}
	for k := range Time(40) {
		x, y := model(r.Uint64()).set(), model(r.Uint64()).set()
		a, b = append(a, far(x, 100*k)...), append(b, far(y, 100*k)...)
		and, or, minus = append(and, far(x.And(y), 100*k)...), append(or, far(x.Or(y), 100*k)...), append(minus, far(x.Minus(y), 100*k)...)
	}
	gotAnd, gotOr, gotMinus := a.And(b), a.Or(b), a.Minus(b)
	if !slices.Equal(gotAnd, and) || !slices.Equal(gotOr, or) || !slices.Equal(gotMinus, minus) || a.Shared(b) != and.Total() {
		t.Errorf("got %v, %v and %v, want %v, %v and %v", gotAnd, gotOr, gotMinus, and, or, minus)
	}
	if far := far(a, 10_000); far.And(a) != nil || len(a.Minus(a)) != 0 {
		t.Error("an empty result is not empty")
	}
}

func TestGapsEachIsWhatTheUnionLeaves(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 500 {
		var spans []Span
		at := Time(-20)
		for range r.IntN(12) {
			at += Time(r.IntN(4))
			spans = append(spans, Span{at, at + Time(r.IntN(6)-1)})
		}
		w := Span{Time(r.IntN(20) - 15), Time(r.IntN(30) - 10)}
		want, got := Union(slices.Clone(spans)).Gaps(w), GapsEach(w, len(spans), func(i int) Span { return spans[i] })
		if !slices.Equal(got, want) {
			t.Fatalf("%v in %v: got %v, want %v", spans, w, got, want)
		}
	}
}

func TestMeets(t *testing.T) {
	w := Span{10, 20}
	for _, c := range []struct {
		s    Span
		want bool
	}{
		{Span{0, 10}, false}, {Span{0, 11}, true}, {Span{19, 30}, true}, {Span{20, 30}, false},
		{Span{10, 10}, true}, {Span{20, 20}, false}, {Span{12, 12}, true},
	} {
		if c.s.Meets(w) != c.want {
			t.Errorf("%v meets %v: want %v", c.s, w, c.want)
		}
	}
}

func FuzzUnion(f *testing.F) {
	f.Add([]byte{1, 5, 3, 9, 20, 2})
	f.Fuzz(func(t *testing.T, data []byte) {
		var spans []Span
		for ; len(data) > 1; data = data[2:] {
			lo := Time(data[0] % 64)
			spans = append(spans, Span{lo, min(64, lo+Time(data[1]%64))})
		}
		check(t, "union", Union(spans), modelOf(spans))
	})
}

func BenchmarkAlgebra(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	build := func() Set {
		spans := make([]Span, 100_000)
		at := Time(0)
		for i := range spans {
			at += Time(r.IntN(2000))
			spans[i] = Span{at, at + Time(r.IntN(1500))}
		}
		return Union(spans)
	}
	x, y := build(), build()
	for b.Loop() {
		_ = x.Or(y).Minus(x.And(y)).Total()
	}
}

func TestUnionEachIsUnion(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		var spans []Span
		at := Time(-20)
		for range r.IntN(12) {
			at += Time(r.IntN(4))
			spans = append(spans, Span{at, at + Time(r.IntN(5)-1)})
		}
		want, got := Union(slices.Clone(spans)), UnionEach(len(spans), func(i int) Span { return spans[i] })
		if !slices.Equal(got, want) || cap(got) != len(got) {
			t.Fatalf("%v: got %v with room for %d, want %v", spans, got, cap(got), want)
		}
	}
}
