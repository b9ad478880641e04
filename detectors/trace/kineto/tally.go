package kineto

import "math/bits"

// tally counts what a stretch of the file held beside its rows.
type tally struct {
	events  int // objects of traceEvents
	phased  int // of them with a phase
	known   int // of them with a category of Kineto's
	gpu     int // rows of GPU work
	fixed   [16]int
	fixedAt [16]int64 // where the first of each stands

	broken, noDur, noTime, noObject, pairs, clocked, negative, unknown int
	brokenAt                                                           int64

	foreign                     [cats - mtiaCat]int
	counters                    int
	shapes, frames, memory, ops bool
	ascend, tensorflow          bool
}

// repaired counts the fixes of the event at that place of the file.
func (t *tally) repaired(f fix, at int64) {
	for ; f != 0; f &= f - 1 {
		k := bits.TrailingZeros16(uint16(f))
		if t.fixed[k] == 0 {
			t.fixedAt[k] = at
		}
		t.fixed[k]++
	}
}

// add appends the tally of the stretch that follows.
func (t *tally) add(o *tally) {
	for k, n := range o.fixed {
		if t.fixed[k] == 0 {
			t.fixedAt[k] = o.fixedAt[k]
		}
		t.fixed[k] += n
	}
	if t.broken == 0 {
		t.brokenAt = o.brokenAt
	}
	t.broken += o.broken
	t.events, t.phased, t.known = t.events+o.events, t.phased+o.phased, t.known+o.known
	t.noDur, t.noTime, t.noObject = t.noDur+o.noDur, t.noTime+o.noTime, t.noObject+o.noObject
	t.pairs, t.clocked, t.negative = t.pairs+o.pairs, t.clocked+o.clocked, t.negative+o.negative
	t.unknown, t.gpu = t.unknown+o.unknown, t.gpu+o.gpu
	for k, n := range o.foreign {
		t.foreign[k] += n
	}
	t.counters += o.counters
	t.shapes, t.frames, t.memory, t.ops = t.shapes || o.shapes, t.frames || o.frames, t.memory || o.memory, t.ops || o.ops
	t.ascend, t.tensorflow = t.ascend || o.ascend, t.tensorflow || o.tensorflow
}
