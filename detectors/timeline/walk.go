package timeline

import (
	"math"
	"slices"

	"perflint/detectors/span"
)

// item is a host range or call of a thread that can be a culprit.
type item struct {
	span.Span
	index int32 // into Trace.Ranges, or Trace.Calls
	order int32 // among the items of the thread
	kind  CauseKind
	call  bool
}

// items merges the ranges and calls of a thread, parents before children. Those whose kind is Unknown are left out.
type items struct {
	h             *host
	calls, ranges []int32
	kind          func(index int32, call bool) CauseKind
	given         int32
}

func (h *host) items(thread int32, kind func(int32, bool) CauseKind) *items {
	return &items{h: h, calls: h.calls.of(thread), ranges: h.ranges.of(thread), kind: kind}
}

// next is the next item that ends after from: whoever looks only at later moments never sees the others.
func (it *items) next(from span.Time) (item, bool) {
	for {
		it.skip(from)
		var out item
		switch {
		case len(it.calls) == 0 && len(it.ranges) == 0:
			return item{}, false
		case len(it.ranges) > 0 && (len(it.calls) == 0 || it.rangeFirst()):
			out.index, it.ranges = it.ranges[0], it.ranges[1:]
			out.Span = it.h.t.Ranges.Span(out.index)
		default:
			out.index, it.calls, out.call = it.calls[0], it.calls[1:], true
			out.Span = it.h.t.Calls.Span(out.index)
		}
		if out.Empty() {
			continue
		}
		if out.kind = it.kind(out.index, out.call); out.kind != Unknown {
			it.given++
			out.order = it.given
			return out, true
		}
	}
}

// skip drops the items at the front that end by from. Most of a trace lies between the moments that somebody asks about.
func (it *items) skip(from span.Time) {
	ends := it.h.t.Calls.End
	for len(it.calls) > 0 && ends[it.calls[0]] <= from {
		it.calls = it.calls[1:]
	}
	ends = it.h.t.Ranges.End
	for len(it.ranges) > 0 && ends[it.ranges[0]] <= from {
		it.ranges = it.ranges[1:]
	}
}

// rangeFirst reports whether the next range stands before the next call; of equal starts the longer is the parent.
func (it *items) rangeFirst() bool {
	r, c := it.h.t.Ranges.Span(it.ranges[0]), it.h.t.Calls.Span(it.calls[0])
	return r.Start < c.Start || r.Start == c.Start && r.End >= c.End
}

// open is the items that are open at a moment, in the order of their starts: all, those that rule over what they call, and
// functions. The last of each is open; ranges that do not nest may leave ended ones below it.
type open struct {
	all, rulers, frames []item
	seen                *[]item // functions that open are added here, nil: nobody asks
}

func (o *open) push(it item) {
	o.all = append(o.all, it)
	if rules(it.kind) {
		o.rulers = append(o.rulers, it)
	}
	if it.kind == ByFrame {
		o.frames = append(o.frames, it)
		if o.seen != nil {
			*o.seen = append(*o.seen, it)
		}
	}
}

// watch lists the functions that are open at t, and those that open later until it is called again.
func (o *open) watch(t span.Time, list *[]item) {
	if o.seen = list; list != nil {
		o.frames = slices.DeleteFunc(o.frames, func(f item) bool { return f.End <= t })
		*list = append(*list, o.frames...)
	}
}

// close drops what has ended at t.
func (o *open) close(t span.Time) {
	for _, stack := range []*[]item{&o.all, &o.rulers, &o.frames} {
		n := len(*stack)
		for n > 0 && (*stack)[n-1].End <= t {
			n--
		}
		*stack = (*stack)[:n]
	}
}

// until is the moment at which the last of the three kinds changes, at most t.
func (o *open) until(t span.Time) span.Time {
	for _, stack := range [][]item{o.all, o.rulers, o.frames} {
		if n := len(stack); n > 0 {
			t = min(t, stack[n-1].End)
		}
	}
	return t
}

// walk visits every part of the pieces (ordered, disjoint) during which the innermost open item, the innermost that rules
// and the innermost function stay the same. It takes one pass, however ranges overlap.
func walk(it *items, pieces []span.Span, visit func(piece int, part span.Span, now *open)) {
	if len(pieces) == 0 {
		return
	}
	w := walker{pieces: pieces, visit: visit, at: math.MinInt64}
	end := pieces[len(pieces)-1].End
	for len(w.pieces) > 0 {
		next, ok := it.next(max(w.at, w.pieces[0].Start))
		if !ok || next.Start >= end {
			break
		}
		w.advance(next.Start)
		w.now.push(next)
	}
	w.advance(end)
}

type walker struct {
	pieces []span.Span // that have not passed
	passed int
	visit  func(int, span.Span, *open)
	at     span.Time
	now    open
}

// advance moves to a later moment, closing what ends on the way.
func (w *walker) advance(to span.Time) {
	for w.at < to {
		until := w.now.until(to)
		w.emit(span.Span{Start: w.at, End: until})
		w.at = until
		w.now.close(until)
	}
}

func (w *walker) emit(s span.Span) {
	for len(w.pieces) > 0 && w.pieces[0].End <= s.Start {
		w.pieces, w.passed = w.pieces[1:], w.passed+1
	}
	for i := 0; i < len(w.pieces) && w.pieces[i].Start < s.End; i++ {
		if part := w.pieces[i].Clip(s); !part.Empty() {
			w.visit(w.passed+i, part, &w.now)
		}
	}
}
