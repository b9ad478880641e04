package span

import (
	"encoding/binary"
	"iter"
	"math/bits"
)

// Packed is a set in two fifths of its memory or less: for each span the distance from the one before and its own length, in as few
// bytes as they need. Sets of millions are kept for long, and looked at once if ever. The zero value is the empty set.
type Packed struct {
	slabs [][]byte // whole spans and slabEnd bytes behind them
	start Time     // of the first span
	n     int
	total Time
}

// A span is a byte that holds the sizes of two numbers, less one, and the numbers, little-endian. They are written and read
// eight bytes at a time, whatever follows, so a slab goes on behind its last span.
const (
	slabLeast, slabMost = 1 << 8, 1 << 16
	slabEnd             = 7
	spanMost            = 1 + 8 + 8
)

// Pack is the set a in less memory.
func Pack(a Set) Packed {
	var p Packer
	for _, s := range a {
		p.Add(s)
	}
	return p.Packed()
}

// Len is the number of spans.
func (p Packed) Len() int { return p.n }

// Total is the length of the set in nanoseconds.
func (p Packed) Total() Time { return p.total }

// Set is the set as spans.
func (p Packed) Set() Set {
	if p.n == 0 {
		return nil
	}
	out := make(Set, 0, p.n)
	for s := range p.All() {
		out = append(out, s)
	}
	return out
}

// Near is the spans that meet w.
func (p Packed) Near(w Span) Set {
	var out Set
	for s := range p.All() {
		if s.Start >= w.End {
			break
		}
		if s.End > w.Start {
			out = append(out, s)
		}
	}
	return out
}

// Extent runs from the first span to the last; it is empty without any.
func (p Packed) Extent() Span {
	var out Span
	for s := range p.All() {
		if out.Empty() {
			out.Start = s.Start
		}
		out.End = s.End
	}
	return out
}

// All walks over the spans in their order.
func (p Packed) All() iter.Seq[Span] {
	return func(yield func(Span) bool) {
		at := p.start
		for _, slab := range p.slabs {
			for len(slab) > slabEnd {
				distance, n := number(slab[1:], slab[0]&7)
				length, m := number(slab[1+n:], slab[0]>>3)
				slab = slab[1+n+m:]
				s := Span{Start: at + distance, End: at + distance + length}
				if !yield(s) {
					return
				}
				at = s.End
			}
		}
	}
}

// number reads one of size+1 bytes.
func number(b []byte, size byte) (v Time, n int) {
	return Time(binary.LittleEndian.Uint64(b) & (1<<(8*size+8) - 1)), int(size) + 1
}

// size is the bytes that v needs, less one.
func size(v Time) int { return (bits.Len64(uint64(v)|1) - 1) / 8 }

// Packer makes a packed set. Spans that come ordered by start are packed as they come, in no other memory than the set needs;
// the others are put in their places at the end.
type Packer struct {
	packed Packed
	slab   []byte
	end    Time // of the last span that was packed
	last   Span // not packed yet: the next one may touch it; empty at first
	late   []Span
}

// Add takes a span; an empty one is left out.
func (p *Packer) Add(s Span) {
	switch {
	case s.Empty():
	case p.last.Empty():
		p.last = s
	case s.Start < p.last.Start:
		p.late = append(p.late, s)
	case s.Start <= p.last.End:
		p.last.End = max(p.last.End, s.End)
	default:
		p.flush()
		p.last = s
	}
}

// flush packs the last span.
func (p *Packer) flush() {
	if p.packed.n == 0 {
		p.packed.start, p.end = p.last.Start, p.last.Start
	}
	at := len(p.slab)
	if cap(p.slab)-at < spanMost+slabEnd {
		p.packed.add(p.slab)
		p.slab = make([]byte, 0, min(slabMost, max(slabLeast, 2*cap(p.slab))))
		at = 0
	}
	distance, length := p.last.Start-p.end, p.last.Len()
	n, m := size(distance), size(length)
	b := p.slab[at : at+spanMost]
	b[0] = byte(n | m<<3)
	binary.LittleEndian.PutUint64(b[1:], uint64(distance))
	binary.LittleEndian.PutUint64(b[2+n:], uint64(length))
	p.slab = p.slab[:at+3+n+m]
	p.end = p.last.End
	p.packed.n++
	p.packed.total += length
}

func (p *Packed) add(slab []byte) {
	if len(slab) > 0 {
		p.slabs = append(p.slabs, slab[:len(slab)+slabEnd])
	}
}

// Packed is what was added since the last call.
func (p *Packer) Packed() Packed {
	if !p.last.Empty() {
		p.flush()
		p.packed.add(append(make([]byte, 0, len(p.slab)+slabEnd), p.slab...))
	}
	packed, late := p.packed, p.late
	*p = Packer{}
	if len(late) > 0 {
		return Pack(packed.Set().Or(Union(late)))
	}
	return packed
}
