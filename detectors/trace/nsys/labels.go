package nsys

import (
	"bytes"
	"path"
	"strings"
	"unicode/utf8"

	"perflint/detectors/trace"
)

// label is what the text of an NVTX range says.
type label struct {
	name, shape trace.Text
	kind        trace.RangeKind
}

// rawText is the text of an NVTX row: exactly one of an own text and a registered string is set.
func (r *reader) rawText(textID int64, text []byte) trace.Text {
	if text != nil {
		return r.b.Names.Intern(validText(text))
	}
	return r.name(textID)
}

func (r *reader) label(textID int64, text []byte) label {
	if text != nil {
		return r.makeLabel(text)
	}
	return r.labels.get(textID, func(id int64) label {
		s, _ := r.string(id)
		return r.makeLabel([]byte(s))
	})
}

// makeLabel reads the texts of torch.autograd.profiler.emit_nvtx: "aten::add, seq = 7, op_id = 31, sizes = [[2, 3]],
// input_op_ids = [(1,0)]". The numbers differ from call to call and are no part of the name.
func (r *reader) makeLabel(text []byte) label {
	l := label{kind: trace.Annotation}
	name := text
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(", "))
		if i < 0 {
			break
		}
		at += i + 2
		rest := text[at:]
		if !hasKey(rest, "seq") && !hasKey(rest, "op_id") && !hasKey(rest, "sizes") {
			continue
		}
		name, l.kind = text[:at-2], trace.Op
		l.shape = r.shape(text[at-2:])
		break
	}
	switch {
	case bytes.HasPrefix(name, []byte("aten::")):
		l.kind = trace.Op
	case len(name) > 0 && name[0] == '{':
		l.name = r.b.Names.Intern(markerName(validText(name)))
		return l
	}
	l.name = r.b.Names.InternBytes(valid(name))
	return l
}

// valid is b with what is no UTF-8 replaced.
func valid(b []byte) []byte {
	if utf8.Valid(b) {
		return b
	}
	return bytes.ToValidUTF8(b, []byte("\uFFFD"))
}

func hasKey(s []byte, key string) bool {
	return len(s) > len(key)+3 && string(s[:len(key)]) == key && string(s[len(key):len(key)+3]) == " = "
}

// shape is the raw text of the input dimensions, as Kineto keeps it.
func (r *reader) shape(tail []byte) trace.Text {
	const key = ", sizes = "
	i := bytes.Index(tail, []byte(key))
	if i < 0 {
		return 0
	}
	tail = tail[i+len(key):]
	if end := bytes.Index(tail, []byte(", input_op_ids = ")); end >= 0 {
		tail = tail[:end]
	}
	return r.b.Names.InternBytes(valid(tail))
}

// markerName is a short name for the Python dictionaries that DLProf and PyProf push: the operation, else the module, else
// the innermost line of the call stack.
func markerName(dict string) string {
	module, op := quotedAfter(dict, "mod"), quotedAfter(dict, "op")
	switch {
	case op != "" && module != "":
		return module + "." + op
	case op != "" || module != "":
		return module + op
	}
	if _, stack, ok := strings.Cut(dict, "traceMarker"); ok {
		if end := strings.IndexByte(stack, ']'); end >= 0 {
			stack = stack[:end]
		}
		if fields := strings.FieldsFunc(stack, func(c rune) bool { return c == '\'' || c == '"' || c == ',' || c == '[' }); len(fields) > 0 {
			if last := path.Base(strings.TrimSpace(fields[len(fields)-1])); last != "." && last != ":" {
				return last
			}
		}
	}
	return "marker"
}

// quotedAfter is the string that a Python dictionary gives for a key, empty when it has none.
func quotedAfter(dict, key string) string {
	for _, q := range []string{"'", `"`} {
		_, rest, ok := strings.Cut(dict, q+key+q+":")
		rest = strings.TrimLeft(rest, " ")
		if !ok || rest == "" || rest[0] != '\'' && rest[0] != '"' {
			continue
		}
		if end := strings.IndexByte(rest[1:], rest[0]); end >= 0 {
			return rest[1 : 1+end]
		}
	}
	return ""
}
