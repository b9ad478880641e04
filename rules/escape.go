package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxInText is the longest text of a trace that a message quotes.
const maxInText = 200

// CodeSpan is text of a trace as Markdown that shows it and nothing else: a code span with a fence longer than any run of
// backticks inside, of at most limit characters, cut in the middle, where kernel names differ least. Control characters, line
// ends and bidi overrides become ·. A | stays: only the writer of a table knows that it must be escaped.
func CodeSpan(s string, limit int) string {
	s = Clean(s, limit)
	if s == "" {
		return ""
	}
	fence := strings.Repeat("`", longestRun(s, '`')+1)
	pad, blank := "", strings.Trim(s, " ") == ""
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || !blank && strings.HasPrefix(s, " ") && strings.HasSuffix(s, " ") {
		pad = " " // CommonMark takes one blank off each side
	}
	return fence + pad + s + pad + fence
}

// Clean is text of a trace without anything that a terminal or a browser would act on, cut in the middle to limit characters.
func Clean(s string, limit int) string {
	r := []rune(s)
	if len(r) > limit {
		head := (limit - 1) / 2
		tail := limit - 1 - head
		r = append(append(r[:head:head], '…'), r[len(r)-tail:]...)
	}
	for i, c := range r {
		if unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) || unicode.Is(unicode.Zl, c) || unicode.Is(unicode.Zp, c) || c == utf8.RuneError {
			r[i] = '·'
		}
	}
	return string(r)
}

func longestRun(s string, of rune) int {
	longest, run := 0, 0
	for _, r := range s {
		if r != of {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
