package kineto

import (
	"strings"

	"perflint/detectors/trace"
)

// A program does the same again and again, so the name of an event is mostly one that followed the name before it when that
// was met last. To compare the text with it is cheaper than to find its end, to hash it and to look it up.

// guess is a string that may follow; the zero guess never does.
type guess struct {
	id   trace.Text // the raw string
	dims trace.Text // the raw dimensions of the inputs of the last event of that name, 0 none
	size uint32
	tail uint64 // its last seven bytes and the quote
}

// shortGuess is the length of the shortest string that is guessed.
const shortGuess = 7

// stands tells whether the string stands at i, in quotes, as it did before.
func (g *guess) stands(s *scanner, i int) bool {
	end := i + 1 + int(g.size)
	return end < s.end && word(s.b, end-shortGuess) == g.tail && s.b[i] == '"' && string(s.b[i+1:end]) == s.out.Names.String(g.id)
}

// name reads the name of an event at i.
func (s *scanner) name(i int) int {
	e := &s.e
	guesses := &s.names[s.before].next
	for k := range guesses {
		if g := &guesses[k]; g.stands(s, i) && !s.loose {
			e.mark(hasName)
			e.name, e.guess = text{i + 1, i + 1 + int(g.size)}, g
			return i + int(g.size) + 2
		}
	}
	fixes := e.fixes
	e.guess, e.fixes = nil, 0
	next := s.text(&e.name, hasName, i)
	e.exact = e.fixes == 0 && !s.loose
	e.fixes |= fixes
	return next
}

// named returns what is known of the name of the event, and lets it be guessed.
func (s *scanner) named() *learned {
	e := &s.e
	var id trace.Text
	if e.guess != nil && e.is(hasName) {
		id = e.guess.id
	} else {
		id = s.learn(e.nameText())
		if n := e.name.to - e.name.from; e.is(hasName) && e.exact && n >= shortGuess {
			next := &s.names[s.before].next
			*next = [2]guess{{id: id, size: uint32(n), tail: word(s.b, e.name.to-shortGuess)}, next[0]}
		}
	}
	s.before = id
	n := &s.names[id]
	e.fixes |= n.fixes
	return n
}

// dims reads the dimensions of the inputs at i, which mostly are those that an op of that name had before.
func (s *scanner) dims(i int) int {
	e := &s.e
	if g := e.guess; g != nil && e.is(hasName) && g.dims != 0 && !s.loose {
		raw := s.out.Names.String(g.dims)
		if end := i + len(raw); end <= s.end && string(s.b[i:end]) == raw {
			e.mark(hasDims)
			e.dims, e.dimsAs = text{i, end}, g.dims
			return end
		}
	}
	e.dimsAs = 0
	return s.raw(&e.dims, hasDims, i)
}

// shape is the dimensions as Kineto writes them.
func (s *scanner) shape() trace.Text {
	e := &s.e
	id := e.dimsAs
	if id == 0 {
		id = s.out.Names.InternBytes(s.b[e.dims.from:e.dims.to])
		if e.guess != nil && e.is(hasName) {
			e.guess.dims = id
		}
	}
	n := s.about(id)
	if n.shape == 0 {
		n.shape = id
		if line := onOneLine(s.out.Names.String(id)); line != "" {
			n.shape = s.out.Names.Intern(line)
		}
	}
	return n.shape
}

// onOneLine writes dimensions as Kineto does, where a tool has spread them over lines since; empty where none has.
func onOneLine(dims string) string {
	if strings.IndexByte(dims, '\n') < 0 {
		return ""
	}
	return strings.ReplaceAll(strings.Join(strings.Fields(dims), ""), ",", ", ")
}
