package span

import (
	"slices"
	"sync"
)

// Builder makes a set of spans. While it collects, it borrows memory that all builders share, and the set gets just what it
// needs: large lanes have dozens of sets of a million spans. Spans that come ordered by start need no sorting.
type Builder struct {
	set      Set
	borrowed *Set // where set began
	unsorted bool
}

// scratch is the memory that builders borrow, as *Set.
var scratch = sync.Pool{New: func() any { return new(Set) }}

// Add takes a span; an empty one is left out.
func (b *Builder) Add(s Span) {
	if b.borrowed == nil {
		b.borrowed = scratch.Get().(*Set)
		b.set = (*b.borrowed)[:0]
	}
	if n := len(b.set); n > 0 && s.Start < b.set[n-1].Start && !s.Empty() {
		b.unsorted = true
		b.set = append(b.set, s)
		return
	}
	b.set = b.set.add(s)
}

// Set is what was added since the last call.
func (b *Builder) Set() Set {
	if b.borrowed == nil {
		return nil
	}
	if b.unsorted {
		slices.SortFunc(b.set, byStart)
		merged := b.set[:0]
		for _, s := range b.set {
			merged = merged.add(s)
		}
		b.set = merged
	}
	out := slices.Clone(b.set)
	*b.borrowed = b.set[:0]
	scratch.Put(b.borrowed)
	*b = Builder{}
	if len(out) == 0 {
		return nil
	}
	return out
}
