package span

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A packed set is the union of what was added, whatever the order and the sizes.
func TestPackedIsTheUnion(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var p Packer
	for n := range 2000 {
		most := []int64{20, 300, 1 << 20, 1 << 40}[n%4]
		spans := make([]Span, r.IntN([]int{5, 50, 3000}[n%3]))
		for i := range spans {
			spans[i].Start = Time(r.Int64N(most * 10))
			spans[i].End = spans[i].Start + Time(r.Int64N(most)) - 3
		}
		if n%5 > 0 {
			slices.SortFunc(spans, byStart)
		}
		for _, s := range spans {
			p.Add(s)
		}
		got := p.Packed()
		want := Union(spans)
		if back := got.Set(); !slices.Equal(back, want) || back == nil != (want == nil) || got.Len() != len(want) || got.Total() != want.Total() {
			t.Fatalf("case %d: packed %d spans of %d, want %d of %d", n, got.Len(), got.Total(), len(want), want.Total())
		}
	}
}

func TestPackedKeepsTheLongestTimes(t *testing.T) {
	want := Set{{math.MinInt64 / 2, -5}, {-4, -3}, {0, 1}, {2, math.MaxInt64 / 2}}
	if got := Pack(want).Set(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestPackedTakesLittleMemory(t *testing.T) {
	var p Packer
	for i := range Time(100_000) {
		p.Add(Span{i * 300_000, i*300_000 + 299_500})
	}
	bytes := 0
	packed := p.Packed()
	for _, s := range packed.slabs {
		bytes += cap(s)
	}
	if bytes > 100_000*16*2/5 {
		t.Errorf("100000 spans take %d bytes", bytes)
	}
}

func TestWalkingOverPackedSpansMayStop(t *testing.T) {
	for s := range Pack(Set{{1, 2}, {4, 5}}).All() {
		if s != (Span{1, 2}) {
			t.Errorf("the first span is %v", s)
		}
		break
	}
}

func BenchmarkPack(b *testing.B) {
	for range b.N {
		var p Packer
		for i := range Time(1_000_000) {
			p.Add(Span{i * 300_000, i*300_000 + 299_500})
		}
		p.Packed()
	}
}

func BenchmarkUnpack(b *testing.B) {
	var p Packer
	for i := range Time(1_000_000) {
		p.Add(Span{i * 300_000, i*300_000 + 299_500})
	}
	packed := p.Packed()
	for range b.N {
		packed.Set()
	}
}

func BenchmarkBuilder(b *testing.B) {
	for range b.N {
		var p Builder
		for i := range Time(1_000_000) {
			p.Add(Span{i * 300_000, i*300_000 + 299_500})
		}
		p.Set()
	}
}

func TestPartsOfAPackedSet(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 300 {
		set := model(r.Uint64() & r.Uint64()).set()
		p, lo := Pack(set), Time(r.IntN(64))
		w := Span{lo, lo + 1 + Time(r.IntN(20))}
		if got, want := p.Near(w), set.Near(w); !slices.Equal(got, want) {
			t.Fatalf("%v near %v: got %v, want %v", set, w, got, want)
		}
		var want Span
		if n := len(set); n > 0 {
			want = Span{set[0].Start, set[n-1].End}
		}
		if got := p.Extent(); got != want {
			t.Fatalf("%v: got %v", set, got)
		}
	}
}
