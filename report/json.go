package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

func writeJSON(w io.Writer, r *Report, _ Options) error { return encode(w, r, 4) }

// Read loads a saved JSON report. Fields that this version does not know are ignored; a newer schema is an error.
func Read(data io.Reader) (*Report, error) {
	var r Report
	if err := json.NewDecoder(data).Decode(&r); err != nil {
		return nil, fmt.Errorf("not a perflint report: %w", err)
	}
	if r.Tool.Name != "perflint" || r.Schema < 1 {
		return nil, fmt.Errorf("not a perflint report")
	}
	if r.Schema > Schema {
		return nil, fmt.Errorf("report of schema %d; this perflint reads up to %d", r.Schema, Schema)
	}
	return &r, r.check()
}

// check finds what the faces rely on and an edited file may break.
func (r *Report) check() error {
	for _, l := range r.Lanes {
		if l.ID.Trace < 0 || l.ID.Trace > len(r.Traces) {
			return fmt.Errorf("broken report: no trace %d", l.ID.Trace)
		}
	}
	for _, o := range r.Outcomes {
		for _, f := range o.Findings {
			if level(f.Severity) < 0 {
				return fmt.Errorf("broken report: %s has the severity %q", o.Rule, f.Severity)
			}
			for _, i := range append([]int{max(0, f.Lane)}, f.Lanes...) {
				if f.Lane >= 0 && i >= len(r.Lanes) || f.Lane < -1 || i < 0 {
					return fmt.Errorf("broken report: a finding of %s is about no lane of it", o.Rule)
				}
			}
		}
	}
	return nil
}

// encode writes v with the outermost levels on lines of their own: short enough to read, and a change of one finding is
// a change of one line.
func encode(w io.Writer, v any, levels int) error {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false) // kernel names are full of <>
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(breakLines(escapeActing(buf.Bytes()), levels))
	return err
}

// escapeActing writes characters on which a terminal or an editor acts, as the escapes that JSON has for them: the value stays
// the same. They stand within strings only.
func escapeActing(b []byte) []byte {
	if !bytes.ContainsFunc(b, acts) {
		return b
	}
	out := make([]byte, 0, len(b)+len(b)/64)
	for _, r := range string(b) {
		if !acts(r) || r == '\n' {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, half := range utf16.Encode([]rune{r}) {
			out = fmt.Appendf(out, "\\u%04x", half)
		}
	}
	return out
}

// breakLines puts each member of the outer levels of compact JSON on its own line.
func breakLines(compact []byte, levels int) []byte {
	out := make([]byte, 0, len(compact)+len(compact)/8)
	depth, quoted, escaped := 0, false, false
	newline := func() {
		out = append(out, '\n')
		out = append(out, bytes.Repeat([]byte(" "), depth)...)
	}
	for i, c := range compact {
		if quoted {
			out = append(out, c)
			quoted = c != '"' || escaped
			escaped = c == '\\' && !escaped
			continue
		}
		switch c {
		case '"':
			quoted = true
		case '{', '[':
			depth++
			out = append(out, c)
			if depth <= levels && compact[i+1] != '}' && compact[i+1] != ']' {
				newline()
			}
			continue
		case '}', ']':
			depth--
			if depth < levels && compact[i-1] != '{' && compact[i-1] != '[' {
				newline()
			}
		case ',':
			out = append(out, c)
			if depth <= levels {
				newline()
			}
			continue
		case ':':
			if depth <= levels {
				out = append(out, ": "...)
				continue
			}
		}
		out = append(out, c)
	}
	return out
}
