package kineto

import "bytes"

// pass goes from i to the bracket that ends the event, where it is certain that nothing will say otherwise.
func (s *scanner) pass(i int) int {
	end, ok := s.flatEnd(s.at)
	switch {
	case !ok || end >= 0 && end <= i || end > i && bytes.Contains(s.b[i:end], []byte(`ph"`)):
		return i
	case end < 0:
		return end
	}
	return end - 1
}

// lone reads the only argument that an op or a call needs, without a look at the others where nothing speaks against it.
func (s *scanner) lone(i int) int {
	end, ok := s.flatEnd(i)
	if !ok {
		return s.object(i, inArgs)
	}
	if end < 0 {
		return end
	}
	key := `correlation"`
	if s.e.cat == opCat {
		key = `ms"` // of Input Dims, or Input dims
	}
	at := bytes.Index(s.b[i:end], []byte(key))
	if at < 0 {
		s.e.skipped = true
		return end
	}
	at += i
	value := at + len(key)
	if s.b[value] != ':' || bytes.Contains(s.b[value:end], []byte(key)) {
		return s.object(i, inArgs)
	}
	value = space(s.b, value+1)
	s.e.skipped = true
	switch start := at - len(`"Input Di`); {
	case s.e.cat == callCat && s.b[at-1] == '"':
		s.number(&s.e.corr, hasCorr, value)
	case s.e.cat == opCat && start > i && (string(s.b[start:at]) == `"Input Di` || string(s.b[start:at]) == `"Input di`):
		if s.raw(&s.e.dims, hasDims, value) > end {
			return s.object(i, inArgs)
		}
	default:
		return s.object(i, inArgs)
	}
	return end
}

// flatEnd is the index behind the object at i, without going through it; not ok when it may hold others, or escapes. Where
// its end is not in the text yet, stop says that it is incomplete: the answer must not depend on how much has been read.
func (s *scanner) flatEnd(i int) (int, bool) {
	b := s.b[:s.end]
	end := bytes.IndexByte(b[i:], '}')
	if end < 0 {
		return s.fail(s.end), !s.final
	}
	inside := b[i+1 : i+end]
	if bytes.IndexByte(inside, '{') >= 0 || bytes.IndexByte(inside, '\\') >= 0 || bytes.Count(inside, []byte{'"'})&1 != 0 {
		return 0, false
	}
	return i + end + 1, true
}
