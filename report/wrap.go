package report

import (
	"regexp"
	"strings"
	"unicode"

	xansi "github.com/charmbracelet/x/ansi"
)

// blank stands for the blank in "28 %" while lines are broken: no place to break at.
const blank = "\u00a0"

var (
	quantity = regexp.MustCompile(`(\d) (%|[nµm]?s\b|GB/s|[KMGT]?i?B\b|\d{3}\b|of \d)`)
	compared = regexp.MustCompile(`([<>=!]=?) (\S)`)
	bulleted = regexp.MustCompile(`^ *(?:• |\d+\. )`)
)

// wrap breaks a line into lines of at most width columns: at blanks, and inside words that are longer than a line, addresses
// aside. Escape sequences have no width. (The library's own breaks at every hyphen, and loses count in long words; x/ansi v0.10.2.)
func wrap(s string, width int) string {
	s = quantity.ReplaceAllString(s, "$1"+blank+"$2")
	s = compared.ReplaceAllString(s, "$1"+blank+"$2")
	var b strings.Builder
	at := 0
	for _, word := range strings.FieldsFunc(s, breakable) {
		w := xansi.StringWidth(word)
		if strings.HasPrefix(word, "::") {
			w++ // Harmless puts a dot before it at the start of a line
		}
		switch {
		case at > 0 && at+1+w <= width:
			b.WriteByte(' ')
			at++
		case at > 0:
			b.WriteByte('\n')
			at = 0
		}
		if w > width && !strings.Contains(word, "://") { // an address in two pieces is none
			word, w = chop(word, width)
		}
		b.WriteString(word)
		at += w
	}
	return strings.ReplaceAll(b.String(), blank, " ")
}

// codeIndent is how far styleOf sets code off.
const codeIndent = "   "

// breakable reports whether a line may be broken at r. (strings.Fields would break at the blank that stands for no break too.)
func breakable(r rune) bool { return unicode.IsSpace(r) && string(r) != blank }

// chop breaks a word into lines of at most width columns; it returns the width of the last one too.
func chop(word string, width int) (lines string, last int) {
	var b strings.Builder
	escape := false
	for _, r := range word {
		if escape = escape || r == '\x1b'; escape {
			b.WriteRune(r)
			escape = r == '\x1b' || r == '[' || r == ';' || r >= '0' && r <= '9'
			continue
		}
		w := xansi.StringWidth(string(r))
		if last+w > width {
			b.WriteByte('\n')
			last = 0
		}
		b.WriteRune(r)
		last += w
	}
	return b.String(), last
}

// wrapLines breaks the paragraphs and list items of rendered text; tables were fitted before, and code blocks, which are
// indented, stay whole so that they can be copied.
func wrapLines(s string, width int) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		shown := xansi.Strip(l)
		if xansi.StringWidth(l) <= width || strings.ContainsAny(shown, "│┼") {
			continue
		}
		bullet := bulleted.FindString(shown)
		if bullet == "" && strings.HasPrefix(shown, codeIndent) {
			continue
		}
		indent := xansi.StringWidth(bullet)
		marker, rest, _ := strings.Cut(l, bullet)
		lines[i] = marker + bullet + strings.ReplaceAll(wrap(rest, width-indent), "\n", "\n"+strings.Repeat(" ", indent))
	}
	return strings.Join(lines, "\n")
}
