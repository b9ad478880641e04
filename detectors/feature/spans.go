package feature

import "perflint/detectors/span"

// Spans sets a set of intervals. One of thousands is packed.
func (s *Set) Spans(name string, v span.Set) { s.put(name, Spans, kept(v)) }

// SharedSpans sets a set of intervals that somebody else keeps anyway: as it is.
func (s *Set) SharedSpans(name string, v span.Set) { s.put(name, Spans, v) }

// PackedSpans sets a set of intervals that is packed already.
func (s *Set) PackedSpans(name string, v span.Packed) { s.put(name, Spans, kept(v)) }

// packFrom is the number of intervals from which on they are kept packed.
const packFrom = 1 << 12

// kept is a value as it is kept: many intervals packed, few ready to use.
func kept(v any) any {
	switch v := v.(type) {
	case span.Set:
		if len(v) >= packFrom {
			return span.Pack(v)
		}
	case span.Packed:
		if v.Len() < packFrom {
			return v.Set()
		}
	}
	return v
}

// SpansOf is the intervals of a Spans feature.
func (s *Set) SpansOf(name string) (span.Set, bool) { return spansOf(s.values[name]) }

// SpansNear is those of the intervals of a Spans feature that meet w, as they are.
func (s *Set) SpansNear(name string, w span.Span) span.Set {
	switch v := s.values[name].(type) {
	case span.Packed:
		return v.Near(w)
	case span.Set:
		return v.Near(w)
	}
	return nil
}

// ExtentOf runs from the first to the last interval of a Spans feature; it is empty without any.
func (s *Set) ExtentOf(name string) span.Span {
	switch v := s.values[name].(type) {
	case span.Packed:
		return v.Extent()
	case span.Set:
		if n := len(v); n > 0 {
			return span.Span{Start: v[0].Start, End: v[n-1].End}
		}
	}
	return span.Span{}
}

// SpansOf is the intervals that a field of a record holds.
func (r Record) SpansOf(field string) (span.Set, bool) { return spansOf(r[field]) }

func spansOf(v any) (span.Set, bool) {
	if p, ok := v.(span.Packed); ok {
		return p.Set(), true
	}
	set, ok := v.(span.Set)
	return set, ok
}
