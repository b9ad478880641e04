package kineto

import "bytes"

// pass goes from i to the bracket that ends the event, where it is certain that nothing will say otherwise.
func (s *scanner) pass(i int) int {
	end, ok := s.flatEnd(s.at)
	switch {
	case !ok || end >= 0 && end <= i:
		return i
	case end < 0:
		return end
	}
	if rest := s.b[i:end]; bytes.IndexByte(rest, 'h') >= 0 && bytes.Contains(rest, []byte(`ph"`)) { // the first is faster
		return i
	}
	return end - 1
}

// dimsEnd is the end of the only key that an op needs: Input Dims, or Input dims.
var dimsEnd = []byte(`ms"`)

// lone reads the only argument that an op needs, without a look at the others where nothing speaks against it.
func (s *scanner) lone(i int) int {
	end, ok := s.flatEnd(i)
	if !ok {
		return s.object(i, inArgs)
	}
	if end < 0 {
		return end
	}
	at := bytes.Index(s.b[i:end], dimsEnd)
	if at < 0 {
		s.e.skipped = true
		return end
	}
	at += i
	value := at + len(dimsEnd)
	start := at - len(`"Input Di`)
	if s.b[value] != ':' || bytes.Contains(s.b[value:end], dimsEnd) || start <= i ||
		string(s.b[start:at]) != `"Input Di` && string(s.b[start:at]) != `"Input di` {
		return s.object(i, inArgs)
	}
	s.e.skipped = true
	if s.dims(space(s.b, value+1)) > end {
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
