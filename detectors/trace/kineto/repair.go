package kineto

import "bytes"

// fix is a set of the defects of JSON that are read over. Kineto wrote each of them at some time, or a tool that edits its
// files did; an event that needs none of them never comes here.
type fix uint16

const (
	fixNumber    fix = 1 << iota // NaN, Infinity, inf
	fixControl                   // a raw line break or another control character inside a string (Python names, before 2024)
	fixQuote                     // a quote inside a string without its backslash (Python names, before July 2026)
	fixEscape                    // a backslash that escapes nothing: Windows paths
	fixComma                     // a missing or a spare comma
	fixDuplicate                 // a key twice in one object
	fixUTF8                      // bytes that are not UTF-8
	fixTextTime                  // a time written as text
	fixKey                       // a key without its first quote (2020)
)

var fixNames = []string{"a number that JSON cannot write (NaN, Infinity)", "a raw control character in a string",
	"an unescaped quote in a string", "a backslash that escapes nothing", "a missing or a spare comma", "a duplicate key",
	"invalid UTF-8", "a time written as text", "a key without its quote"}

// closes tells whether the quote at i ends its string, by what follows: a colon after a key; after a value a closing bracket,
// or a comma and the next key.
func (s *scanner) closes(i int, key bool) bool {
	b := s.b
	next := space(b, i+1)
	switch {
	case next >= s.end:
		return true
	case key:
		return b[next] == ':'
	case b[next] == '}', b[next] == ']':
		return true
	case b[next] != ',':
		return false
	}
	if next = space(b, next+1); next >= s.end {
		return true
	}
	if b[next] != '"' {
		return false
	}
	end := bytes.IndexByte(b[next+1:s.end], '"')
	return end < 0 || b[space(b, next+1+end+1)] == ':'
}

// bareKey is the index of the quote that ends a key at i whose first quote is missing (`, tid": 0`).
func (s *scanner) bareKey(i int) int {
	start := i
	for c := s.b[i] | 0x20; 'a' <= c && c <= 'z'; c = s.b[i] | 0x20 {
		i++
	}
	if i == start || s.b[i] != '"' {
		return s.fail(i)
	}
	s.e.fixes |= fixKey
	return i
}

// looseNest is nest for text with unescaped quotes: it must know whether a string is a key, a member or an element.
func (s *scanner) looseNest(i int) int {
	b := s.b
	var open []byte
	key := false
	for ; ; i++ {
		switch c := b[i]; c {
		case '{', '[':
			if len(open) == 1000 {
				return s.fail(i)
			}
			open = append(open, c)
			key = c == '{'
		case '}', ']':
			if open = open[:len(open)-1]; len(open) == 0 {
				return i + 1
			}
		case ',':
			key = open[len(open)-1] == '{'
		case ':':
			key = false
		case '"':
			if i = s.looseEnd(i+1, key, open[len(open)-1] == '['); i < 0 {
				return -1
			}
		case 0:
			if i >= s.end {
				return s.fail(i)
			}
		}
	}
}

func (s *scanner) looseEnd(i int, key, element bool) int {
	if !element {
		return s.stringEnd(i, key)
	}
	for ; i < s.end; i++ {
		switch s.b[i] {
		case '\\':
			i++
		case '"':
			if next := space(s.b, i+1); next >= s.end || s.b[next] == ',' || s.b[next] == ']' {
				return i
			}
			s.e.fixes |= fixQuote
		}
	}
	return s.fail(i)
}

// candidate is the index of the next `{` from i on that looks like the start of an event, by its first key; -1 when there is
// none, or when the text ends before it is certain.
func candidate(b []byte, i, end int) int {
	for ; i < end; i++ {
		k := bytes.IndexByte(b[i:end], '{')
		if k < 0 {
			return -1
		}
		if i += k; startsEvent(b, i, end) {
			return i
		}
	}
	return -1
}

func startsEvent(b []byte, i, end int) bool {
	key := space(b, i+1)
	if b[key] != '"' || end-key < 8 {
		return false
	}
	key++
	for _, want := range [...]string{`ph"`, `name"`, `cat"`, `pid"`, `tid"`, `ts"`, `args"`, `dur"`, `id"`} {
		if string(b[key:key+len(want)]) == want {
			return true
		}
	}
	return false
}
