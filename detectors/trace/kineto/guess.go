package kineto

import "perflint/detectors/trace"

// A program does the same again and again, so the name of an event is mostly one that followed the name before it when that
// was met last. To compare the text with it is cheaper than to find its end, to hash it and to look it up.

// guess is a string that may follow; the zero guess never does.
type guess struct {
	id   trace.Text // the raw string
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
			e.name, e.guessed = text{i + 1, i + 1 + int(g.size)}, g.id
			return i + int(g.size) + 2
		}
	}
	fixes := e.fixes
	e.guessed, e.fixes = 0, 0
	next := s.text(&e.name, hasName, i)
	e.exact = e.fixes == 0 && !s.loose
	e.fixes |= fixes
	return next
}

// named returns what is known of the name of the event, and lets it be guessed.
func (s *scanner) named() *learned {
	e := &s.e
	id := e.guessed
	if id == 0 || !e.is(hasName) {
		id = s.learn(e.nameText())
		if n := e.name.to - e.name.from; e.is(hasName) && e.exact && n >= shortGuess {
			next := &s.names[s.before].next
			*next = [2]guess{{id, uint32(n), word(s.b, e.name.to-shortGuess)}, next[0]}
		}
	}
	s.before = id
	n := &s.names[id]
	e.fixes |= n.fixes
	return n
}
