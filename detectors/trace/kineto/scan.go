package kineto

import (
	"encoding/binary"
	"math/bits"

	"perflint/detectors/trace"
)

// padding is the number of zero bytes behind the text in every buffer. A zero byte ends every inner loop, so that none of
// them tests for the end, and eight bytes can be read at once from anywhere in the text.
const padding = 32

// scanner reads events of one buffer after the other into a builder. It allocates nothing per event.
type scanner struct {
	b       []byte // the text and its padding
	end     int    // length of the text
	base    int64  // where the text starts in the file
	stop    int    // where reading failed
	at      int    // where the event starts
	loose   bool   // strings may hold unescaped quotes, keys may lack one
	careful bool   // read all arguments, needed or not
	lost    bool   // no event is known to start here: look for one
	comma   bool   // a comma stands since the last event
	final   bool   // the text ends where the file ends
	limit   int    // where a loose event must end
	far     int    // how far the last event was read
	wasted  int    // bytes that were read behind broken events in vain
	e       event
	tally   tally
	out     *trace.Builder
	names   []learned
	before  trace.Text          // the raw string of the name of the event before
	steps   [2]map[string]*step // by their spelling, by level
	first   [2]step             // stands before the first step
	loosely [2]step             // the same in a loose event, whose steps are not remembered
	spare   [2]step             // stands for what is not remembered
	cats    [16]spelling        // the categories of the file, by hash
	thread  struct {
		pid, tid int64
		index    int32
		known    bool
	}
}

func newScanner(out *trace.Builder) *scanner {
	s := &scanner{out: out, comma: true, names: make([]learned, 1)}
	for at := range s.first {
		s.first[at].next = [2]*step{never, never}
		s.loosely[at].next = [2]*step{never, never}
	}
	return s
}

// word is the eight bytes at b[i], the first of them lowest. This slicing needs the fewest instructions.
func word(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i : i+8 : i+8]) }

var blank = [256]bool{' ': true, '\n': true, '\r': true, '\t': true}

// space is the index of the next byte that is no white space.
func space(b []byte, i int) int {
	for blank[b[i]] {
		i++
	}
	return i
}

// fail notes where reading stopped. Beyond the end of the text the event is incomplete, before it broken.
func (s *scanner) fail(i int) int {
	s.stop = i
	return -1
}

// object reads the object at i and returns the index behind it, -1 when it is broken or incomplete.
func (s *scanner) object(i int, at level) int {
	b := s.b
	last := &s.first[at]
	if s.loose {
		last = &s.loosely[at]
	}
	i++
	for {
		k := last.next[0]
		next := k.behind(b, i)
		if next == 0 {
			k = last.next[1]
			if next = k.behind(b, i); next == 0 {
				if k, next = s.follows(last, i, at); next < 0 {
					return -1
				}
			}
		}
		if k.ends {
			return next
		}
		if blank[b[next]] {
			next = space(b, next)
		}
		switch {
		case k.id == otherKey && b[next]-'0' <= 9:
			i = numberEnd(b, next)
		case at == inEvent:
			i = s.member(k.id, next)
		default:
			i = s.argument(k.id, next)
		}
		if i < 0 {
			return -1
		}
		last = k
	}
}

// indent is space for the line breaks and indentations between members.
func indent(b []byte, i int) int {
	for blank[b[i]] {
		if i++; b[i] == ' ' {
			i += bits.TrailingZeros64(word(b, i)^ones*' ') >> 3
		}
	}
	return i
}

// between is the index behind the white space and the comma that separate two members.
func (s *scanner) between(i int, first bool) int {
	b, commas := s.b, 0
	for i = indent(b, i); b[i] == ','; i = indent(b, i+1) {
		commas++
	}
	if wanted := b[i] != '}' && !first; wanted != (commas == 1) {
		s.e.fixes |= fixComma
	}
	return i
}

// keyEnd is stringEnd for a key, which is short.
func (s *scanner) keyEnd(i int) int {
	if m := special(word(s.b, i)); m != 0 && !s.loose {
		if end := i + bits.TrailingZeros64(m)>>3; s.b[end] == '"' {
			return end
		}
	}
	return s.stringEnd(i, true)
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special marks the bytes of w that end a plain stretch of a string: quotes, backslashes, control characters. Only the
// lowest mark is exact.
func special(w uint64) uint64 {
	q, s := w^ones*'"', w^ones*'\\'
	return ((q-ones)&^q | (s-ones)&^s | (w-ones*' ')&^w) & highs
}

// stringEnd is the index of the quote that ends the string whose inside begins at i. Raw control characters are tolerated.
func (s *scanner) stringEnd(i int, key bool) int {
	b := s.b
	for {
		m := special(word(b, i))
		if m == 0 {
			i += 8
			continue
		}
		i += bits.TrailingZeros64(m) >> 3
		switch b[i] {
		case '"':
			if !s.loose || s.closes(i, key) {
				return i
			}
			if i > s.limit {
				return s.fail(i)
			}
			s.e.fixes |= fixQuote
			i++
		case '\\':
			i += 2
		default:
			if i >= s.end {
				return s.fail(i)
			}
			s.e.fixes |= fixControl
			i++
		}
	}
}

// string is the inside of the string at i; from is greater than to where something else stands there.
func (s *scanner) string(i int) (text, int) {
	if s.b[i] != '"' {
		return text{1, 0}, s.skip(i)
	}
	end := s.stringEnd(i+1, false)
	if end < 0 {
		return text{1, 0}, -1
	}
	return text{i + 1, end}, end + 1
}

// skip returns the index behind the value at i, whatever it is. Depth is counted, not recursed into.
func (s *scanner) skip(i int) int {
	b := s.b
	switch b[i] {
	case '"':
		if i = s.stringEnd(i+1, false); i < 0 {
			return -1
		}
		return i + 1
	case '{', '[':
		return s.nest(i)
	}
	end := numberEnd(b, i)
	if end == i {
		return s.fail(i)
	}
	switch c := b[i]; {
	case c == '-' && b[i+1]-'0' <= 9 || c-'0' <= 9:
	default:
		return s.word(i, end)
	}
	return end
}

// word checks a bare word: JSON's own three, or a number that JSON cannot write.
func (s *scanner) word(i, end int) int {
	switch w := s.b[i:end]; string(w) {
	case "true", "false", "null":
	case "NaN", "nan", "-nan", "-NaN", "Infinity", "-Infinity", "inf", "-inf", "Inf", "-Inf", "infinity", "-infinity", "+Inf",
		"+inf", "INF", "-INF", "NAN":
		s.e.fixes |= fixNumber
	default:
		if end >= s.end {
			return s.fail(end)
		}
		return s.fail(i)
	}
	return end
}

const (
	plain uint8 = iota
	opens
	shuts
	quotes
	nul
)

var bracket = [256]uint8{'{': opens, '[': opens, '}': shuts, ']': shuts, '"': quotes, 0: nul}

// nest returns the index behind the object or array at i.
func (s *scanner) nest(i int) int {
	if s.loose {
		return s.looseNest(i)
	}
	b := s.b
	if b[i] == '{' {
		if end, ok := s.flatEnd(i); ok {
			return end
		}
	}
	for depth := 0; ; i++ {
		switch bracket[b[i]] {
		case opens:
			depth++
		case shuts:
			if depth--; depth == 0 {
				return i + 1
			}
		case quotes:
			if i = s.stringEnd(i+1, false); i < 0 {
				return -1
			}
		case nul:
			if i >= s.end {
				return s.fail(i)
			}
		}
	}
}
