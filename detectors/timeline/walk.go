package timeline

import (
	"math"

	"perflint/detectors/span"
)

// item is a host range or call that is open on a thread.
type item struct {
	span.Span
	index int32 // into Trace.Ranges, or Trace.Calls
	call  bool
}

// items merges the ranges and calls of a thread that pass, parents before children.
type items struct {
	h             *host
	calls, ranges []int32
	keep          func(index int32, call bool) bool
}

func (h *host) items(thread int32, keep func(int32, bool) bool) *items {
	return &items{h, h.calls.of(thread), h.ranges.of(thread), keep}
}

func (it *items) next() (item, bool) {
	for {
		var out item
		switch {
		case len(it.calls) == 0 && len(it.ranges) == 0:
			return item{}, false
		case len(it.ranges) > 0 && (len(it.calls) == 0 || it.rangeFirst()):
			out = item{it.h.t.Ranges.Span(it.ranges[0]), it.ranges[0], false}
			it.ranges = it.ranges[1:]
		default:
			out = item{it.h.t.Calls.Span(it.calls[0]), it.calls[0], true}
			it.calls = it.calls[1:]
		}
		if !out.Empty() && it.keep(out.index, out.call) {
			return out, true
		}
	}
}

// rangeFirst reports whether the next range stands before the next call; of equal starts the longer is the parent.
func (it *items) rangeFirst() bool {
	r, c := it.h.t.Ranges.Span(it.ranges[0]), it.h.t.Calls.Span(it.calls[0])
	return r.Start < c.Start || r.Start == c.Start && r.End >= c.End
}

// walk visits every part of the pieces (ordered, disjoint) during which the stack of open items does not change. The
// stack is outermost first and may be empty; visit must not keep it.
func walk(it *items, pieces []span.Span, visit func(piece int, part span.Span, stack []item)) {
	if len(pieces) == 0 {
		return
	}
	w := walker{pieces: pieces, visit: visit, now: math.MinInt64}
	end := pieces[len(pieces)-1].End
	for {
		next, ok := it.next()
		if !ok || next.Start >= end {
			break
		}
		w.advance(next.Start)
		w.stack = append(w.stack, next)
	}
	w.advance(end)
}

type walker struct {
	pieces []span.Span
	first  int // index of the first piece that has not passed
	visit  func(int, span.Span, []item)
	now    span.Time
	stack  []item
}

// advance moves to a later moment, closing what ends on the way.
func (w *walker) advance(to span.Time) {
	for w.now < to {
		until := to
		if n := len(w.stack); n > 0 {
			until = min(until, w.stack[n-1].End)
		}
		w.emit(span.Span{Start: w.now, End: until})
		w.now = max(w.now, until)
		for n := len(w.stack); n > 0 && w.stack[n-1].End <= w.now; n-- {
			w.stack = w.stack[:n-1]
		}
	}
}

func (w *walker) emit(s span.Span) {
	for w.first < len(w.pieces) && w.pieces[w.first].End <= s.Start {
		w.first++
	}
	for i := w.first; i < len(w.pieces) && w.pieces[i].Start < s.End; i++ {
		if part := w.pieces[i].Clip(s); !part.Empty() {
			w.visit(i, part, w.stack)
		}
	}
}
