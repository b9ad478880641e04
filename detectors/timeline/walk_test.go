package timeline

import (
	"math/rand/v2"
	"slices"
	"testing"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// drawn is an item of a walk as it was drawn: the model has nothing else.
type drawn struct {
	span.Span
	index int32
	call  bool
	kind  CauseKind
}

// walkCase draws items that may nest or not, and pieces, all within 60 ns.
func walkCase(r *rand.Rand, nest bool) (*host, map[[2]int32]CauseKind, []drawn, []span.Span) {
	const end = 60
	s := draw()
	s.NameThread(1, 1, "main")
	kinds := []CauseKind{Unknown, ByOp, ByFrame, ByLoader, ByAllocation, ByRange}
	var fill func(from, to int64, depth int)
	add := func(from, to int64) {
		if r.IntN(3) == 0 {
			s.AddCall(trace.CallRow{Start: from, End: to, Corr: -1, Thread: s.thread()})
		} else {
			s.AddRange(trace.RangeRow{Start: from, End: to, Thread: s.thread()})
		}
	}
	fill = func(from, to int64, depth int) {
		for from < to && r.IntN(4) > 0 {
			a := from + r.Int64N(to-from)
			b := a + r.Int64N(to-a+1)
			add(a, b)
			if depth < 5 && b > a {
				fill(a, b, depth+1)
			}
			from = b + 1
		}
	}
	if nest {
		fill(0, end, 0)
	} else {
		for range r.IntN(12) {
			a := r.Int64N(end)
			add(a, a+r.Int64N(end-a+1))
		}
	}
	tr := s.Build()
	h := newHost(tr)
	kind := map[[2]int32]CauseKind{}
	var items []drawn
	for i := range tr.Ranges.Len() {
		items = append(items, drawn{tr.Ranges.Span(int32(i)), int32(i), false, kinds[r.IntN(len(kinds))]})
	}
	for i := range tr.Calls.Len() {
		items = append(items, drawn{tr.Calls.Span(int32(i)), int32(i), true, kinds[r.IntN(len(kinds))]})
	}
	// Of equal starts the longest first, of equal ranges and calls the range.
	slices.SortStableFunc(items, func(a, b drawn) int {
		if a.Start != b.Start {
			return int(a.Start - b.Start)
		}
		return int(b.End - a.End)
	})
	for _, it := range items {
		kind[key(it.index, it.call)] = it.kind
	}
	var pieces []span.Span
	for at := span.Time(r.Int64N(10)); at < end+5 && r.IntN(5) > 0; {
		p := span.Span{Start: at, End: at + 1 + span.Time(r.Int64N(20))}
		pieces = append(pieces, p)
		at = p.End + span.Time(r.Int64N(8))
	}
	return h, kind, items, pieces
}

func key(i int32, call bool) [2]int32 {
	if call {
		return [2]int32{i, 1}
	}
	return [2]int32{i, 0}
}

// last is the innermost item open at t that passes: the last in order.
func last(items []drawn, t span.Time, pass func(CauseKind) bool) *drawn {
	var out *drawn
	for i, it := range items {
		if it.Start <= t && t < it.End && pass(it.kind) {
			out = &items[i]
		}
	}
	return out
}

func same(stack []item, want *drawn) bool {
	if want == nil || len(stack) == 0 {
		return want == nil && len(stack) == 0
	}
	top := stack[len(stack)-1]
	return top.index == want.index && top.call == want.call && top.Span == want.Span && top.kind == want.kind
}

func TestWalkAgainstAModel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 10_000 {
		h, kind, items, pieces := walkCase(r, n%2 == 0)
		covered := make([]span.Time, len(pieces))
		at := span.Time(-1)
		walk(h.items(0, func(i int32, call bool) CauseKind { return kind[key(i, call)] }), pieces, func(piece int, part span.Span, now *open) {
			if part.Empty() || part.Start < pieces[piece].Start || part.End > pieces[piece].End || part.Start < at {
				t.Fatalf("part %v of piece %v, after %v", part, pieces[piece], at)
			}
			at = part.End
			covered[piece] += part.Len()
			for m := part.Start; m < part.End; m++ {
				any := func(k CauseKind) bool { return k != Unknown }
				if !same(now.all, last(items, m, any)) || !same(now.rulers, last(items, m, rules)) ||
					!same(now.frames, last(items, m, func(k CauseKind) bool { return k == ByFrame })) {
					t.Fatalf("case %d at %d: got %+v of %+v", n, m, now, items)
				}
			}
		})
		for i, p := range pieces {
			if covered[i] != p.Len() {
				t.Fatalf("case %d: %v of piece %v were visited", n, covered[i], p)
			}
		}
	}
}

// watch lists the functions that are open when it is called, and those that open afterwards, outer ones first.
func TestWatchedFunctions(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 3_000 {
		h, kind, items, pieces := walkCase(r, n%2 == 0)
		if len(pieces) == 0 {
			continue
		}
		piece := r.IntN(len(pieces))
		var got []item
		started := false
		walk(h.items(0, func(i int32, call bool) CauseKind { return kind[key(i, call)] }), pieces, func(p int, part span.Span, now *open) {
			switch {
			case p == piece && !started:
				started = true
				now.watch(part.Start, &got)
			case p > piece:
				now.watch(part.Start, nil)
			}
		})
		var want []int32
		for _, it := range items {
			until := pieces[piece].End
			if piece+1 < len(pieces) {
				until = pieces[piece+1].Start + 1 // the next piece stops the watch when it is met
			}
			if it.kind == ByFrame && !it.Empty() && it.End > pieces[piece].Start && it.Start < until {
				want = append(want, it.index)
			}
		}
		var have []int32
		for _, f := range got {
			have = append(have, f.index)
		}
		if started && !slices.Equal(have, want) {
			t.Fatalf("case %d: got %v, want %v of %v in %v", n, have, want, items, pieces[piece])
		}
	}
}
