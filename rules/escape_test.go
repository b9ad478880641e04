package rules

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestCodeSpans(t *testing.T) {
	for in, want := range map[string]string{
		"aten::item":        "`aten::item`",
		"a`b":               "``a`b``",
		"`quoted`":          "`` `quoted` ``",
		" padded ":          "`  padded  `",
		"```":               "```` ``` ````",
		"a\nb\x1b[31mc\x00": "`a·b·[31mc·`",
		"a\u202eb\u2066c":   "`a·b·c`",
		"a\u2028b\u0085c":   "`a·b·c`",
		"\xff":              "`·`",
		"a|b<script>":       "`a|b<script>`",
		"":                  "",
	} {
		if got := CodeSpan(in, 200); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
	if got := CodeSpan("void gemm<"+strings.Repeat("x", 300)+">(Params)", 20); got != "`void gemm…x>(Params)`" {
		t.Errorf("long: %q", got)
	}
}

// unspan reads a code span as CommonMark does, and gives what follows it.
func unspan(s string) (text, rest string) {
	n := len(s) - len(strings.TrimLeft(s, "`"))
	fence := s[:n]
	for i := n; i+n <= len(s); i++ {
		if s[i:i+n] == fence && (i+n == len(s) || s[i+n] != '`') && s[i-1] != '`' {
			text = s[n:i]
			if len(text) > 1 && text[0] == ' ' && text[len(text)-1] == ' ' && strings.Trim(text, " ") != "" {
				text = text[1 : len(text)-1]
			}
			return text, s[i+n:]
		}
	}
	return "", s
}

func FuzzCodeSpan(f *testing.F) {
	for _, s := range []string{"a", "`", "``a`", " ` ", "  ", "a\nb", "\u202e", "\xff`", "``` ```"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		span := CodeSpan(s, 200)
		if s == "" {
			return
		}
		text, rest := unspan(span)
		if text != Clean(s, 200) || rest != "" {
			t.Fatalf("%q as %q reads %q and leaves %q", s, span, text, rest)
		}
		if n := utf8.RuneCountInString(text); n > 200 {
			t.Fatalf("%d characters", n)
		}
		for _, r := range span {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				t.Fatalf("%q has %q in it", span, r)
			}
		}
	})
}
