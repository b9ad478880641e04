package rules

import (
	"strings"

	"perflint/detectors/feature"
	"perflint/rules/source"
)

// template is text with {{ expression }} in it.
type template struct{ parts []part }

// part is a piece of text followed by a placeholder; the last one has none.
type part struct {
	text  string
	value *expression
	shown *printable // value, taken apart for printing
}

// template parses and checks a scalar; nil when it is absent or wrong.
func (l language) template(r *reader, n *source.Node) *template {
	if n == nil {
		return nil
	}
	text := text(r, n)
	t, before := &template{}, len(r.diags)
	rest, offset := text, 0
	for {
		lead, after, found := strings.Cut(rest, "{{")
		if !found {
			t.parts = append(t.parts, part{text: rest})
			break
		}
		start := offset + len([]rune(lead)) + 2
		inner, tail, closed := strings.Cut(after, "}}")
		size := len([]rune(inner))
		switch {
		case !closed:
			r.diags = append(r.diags, n.DiagAt(start-2, start, "template-syntax", "{{ is never closed", "write }} after the expression"))
			return nil
		case strings.TrimSpace(inner) == "":
			r.diags = append(r.diags, n.DiagAt(start-2, start+size+2, "template-syntax", "there is no expression between {{ and }}", ""))
		default:
			value := l.compile(r, n, inner, start, anything)
			t.parts = append(t.parts, part{lead, value, l.printable(value)})
		}
		rest, offset = tail, start+size+2
	}
	if len(r.diags) > before {
		return nil
	}
	return t
}

// render fills in the placeholders. One that cannot be judged reads n/a and spoils nothing else.
func (t *template) render(s *scene) string {
	if t == nil {
		return ""
	}
	var b strings.Builder
	for _, p := range t.parts {
		b.WriteString(p.text)
		if p.value != nil {
			b.WriteString(p.shown.print(s))
		}
	}
	return b.String()
}

// print is the value as Markdown. What holds text of the trace is a code span: nobody knows what a kernel is called.
func (e *expression) print(s *scene) string {
	v, unit := e.measured(s)
	text, isText := v.(string)
	switch {
	case isText && text == "":
		return "n/a"
	case isText && e.names.text:
		return CodeSpan(text, maxInText)
	case isText:
		return text
	}
	return feature.Format(v, unit)
}

// plain fills in the placeholders with the values as they are, for those who escape or compare them.
func (t *template) plain(s *scene) string {
	if t == nil {
		return ""
	}
	var b strings.Builder
	for _, p := range t.parts {
		b.WriteString(p.text)
		if p.value == nil {
			continue
		}
		v, unit := p.value.measured(s)
		if text, ok := v.(string); ok {
			b.WriteString(text)
		} else if v != nil {
			b.WriteString(feature.Format(v, unit))
		}
	}
	return strings.TrimSpace(b.String())
}
