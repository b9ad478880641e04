package kineto

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"perflint/detectors/trace"
)

// learned is what is known of a raw string, found out once for each distinct one. Its Text stands for the raw bytes; text is
// what they mean.
type learned struct {
	known, isCall, isCopy bool
	asAnnotation          bool // an op by category, but the mark of a user or of the framework
	fixes                 fix
	kind                  trace.WorkKind // of a kernel: Copy or Fill where its name says that it is one
	dir                   trace.Direction
	src, dst              trace.MemKind
	text, call            trace.Text
	shape                 trace.Text // of dimensions: as Kineto writes them, 0 unknown
	next                  [2]guess   // the names that followed, the latest first
}

// learn finds out what is to be known of the raw string t, and returns its Text.
func (s *scanner) learn(t text) trace.Text {
	raw := s.b[t.from:t.to]
	id := s.out.Names.InternBytes(raw)
	if n := s.about(id); !n.known {
		s.study(n, id, raw)
	}
	return id
}

// about is the place for what is known of a raw string.
func (s *scanner) about(id trace.Text) *learned {
	for int(id) >= len(s.names) {
		s.names = append(s.names, learned{})
	}
	return &s.names[id]
}

func (s *scanner) study(n *learned, id trace.Text, raw []byte) {
	n.known, n.text = true, id
	meant, fixes := meaning(raw)
	if n.fixes = fixes; meant != nil {
		n.text = s.out.Names.InternBytes(meant)
	} else {
		meant = raw
	}
	n.asAnnotation = marks(meant)
	n.kind, n.dir = disguised(meant)
}

// callName is the name of a runtime or driver call without the suffixes of its version.
func (s *scanner) callName() trace.Text {
	n := s.named()
	if !n.isCall {
		name := s.out.Names.String(n.text)
		n.isCall, n.call = true, n.text
		if short := unversioned(name); short != name {
			n.call = s.out.Names.Intern(short)
		}
	}
	return n.call
}

// unversioned cuts what NVIDIA appends to the names of its API: _v10000 (version), _ptsz and _ptds (per-thread streams).
func unversioned(name string) string {
	for {
		short := strings.TrimSuffix(strings.TrimSuffix(name, "_ptsz"), "_ptds")
		if i := strings.LastIndex(short, "_v"); i > 0 && i+2 < len(short) && strings.Trim(short[i+2:], "0123456789") == "" {
			short = short[:i]
		}
		if short == name {
			return name
		}
		name = short
	}
}

// marks tells the ops that are none: Kineto of 2020 and 2021 gives annotations the category of ops.
func marks(name []byte) bool {
	for _, prefix := range [...]string{"ProfilerStep#", "enumerate(DataLoader)", "Optimizer.", "nccl:", "[param|", "## ",
		"DistributedDataParallel.forward"} {
		if len(name) >= len(prefix) && string(name[:len(prefix)]) == prefix {
			return true
		}
	}
	return false
}

// meaning is the string that raw, the inside of a JSON string, stands for; nil when it stands for itself.
func meaning(raw []byte) ([]byte, fix) {
	var fixes fix
	out := raw
	if bytes.IndexByte(raw, '\\') >= 0 {
		if escaped, ok := unescape(raw); ok {
			out = escaped
		} else {
			// Whoever writes one wrong escape does not escape at all: no backslash of a Windows path means anything.
			out = bytes.ReplaceAll(bytes.ReplaceAll(raw, []byte(`\"`), []byte(`"`)), []byte(`\\`), []byte(`\`))
			fixes |= fixEscape
		}
	}
	if !utf8.Valid(out) {
		out = []byte(string([]rune(string(out)))) // each wrong byte becomes U+FFFD, as encoding/json has it
		fixes |= fixUTF8
	}
	if fixes == 0 && len(out) == len(raw) {
		return nil, 0
	}
	return out, fixes
}

// unescape resolves the escapes of JSON; not ok when there is one that JSON does not have.
func unescape(raw []byte) ([]byte, bool) {
	out := make([]byte, 0, len(raw))
	for {
		at := bytes.IndexByte(raw, '\\')
		if at < 0 {
			return append(out, raw...), true
		}
		out = append(out, raw[:at]...)
		if raw = raw[at+1:]; len(raw) == 0 {
			return nil, false
		}
		c := raw[0]
		switch raw = raw[1:]; c {
		case '"', '\\', '/':
			out = append(out, c)
		case 'b', 'f', 'n', 'r', 't':
			out = append(out, "\b\f\n\r\t"[strings.IndexByte("bfnrt", c)])
		case 'u':
			r, size, ok := escapedRune(raw)
			if !ok {
				return nil, false
			}
			out = utf8.AppendRune(out, r)
			raw = raw[size:]
		default:
			return nil, false
		}
	}
}

// escapedRune reads the digits behind a \u, and the second half of a pair behind them.
func escapedRune(b []byte) (r rune, size int, ok bool) {
	if r, ok = hex4(b); !ok {
		return 0, 0, false
	}
	if low, ok := surrogate(b[4:]); ok && utf16.IsSurrogate(r) {
		if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
			return both, 10, true
		}
	}
	return r, 4, true
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range b[:4] {
		switch l := c | 0x20; {
		case c-'0' <= 9:
			r = r<<4 | rune(c-'0')
		case 'a' <= l && l <= 'f':
			r = r<<4 | rune(l-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

func surrogate(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	return hex4(b[2:])
}

// plain is the inside of a short string as it is meant.
func (s *scanner) plain(t text) []byte {
	raw := s.b[t.from:t.to]
	if meant, ok := unescapedKey(raw); ok {
		return meant
	}
	return raw
}

// unescapedKey resolves a key or a short word that holds escapes; ok only then.
func unescapedKey(key []byte) ([]byte, bool) {
	if bytes.IndexByte(key, '\\') < 0 {
		return nil, false
	}
	plain, ok := unescape(key)
	return plain, ok && bytes.IndexByte(plain, '\\') < 0
}
