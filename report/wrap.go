package report

import (
	"regexp"
	"strings"

	xansi "github.com/charmbracelet/x/ansi"
)

// Stand-ins while lines are broken: a hyphen of a rule id and the blank in "28 %" are no places to break at.
const (
	hyphen = "\u2011"
	blank  = "\u00a0"
)

var (
	quantity = regexp.MustCompile(`(\d) (%|[nµm]?s\b|GB/s|[KMGT]?i?B\b|\d{3}\b|of \d)`)
	compared = regexp.MustCompile(`([<>=!]=?) (\S)`)
	bulleted = regexp.MustCompile(`^ *(?:• |\d+\. )`)
)

// wrap breaks a line into lines of at most width columns: at blanks, and inside words that are longer than a line. It
// keeps escape sequences.
func wrap(s string, width int) string {
	s = quantity.ReplaceAllString(strings.ReplaceAll(s, "-", hyphen), "$1"+blank+"$2")
	s = compared.ReplaceAllString(s, "$1"+blank+"$2")
	s = xansi.Wrap(s, max(10, width), "")
	return strings.NewReplacer(hyphen, "-", blank, " ").Replace(s)
}

// wrapLines breaks the paragraphs and list items of rendered text; tables were fitted before, and code blocks, which are
// indented, stay whole so that they can be copied.
func wrapLines(s string, width int) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		shown := xansi.Strip(l)
		if xansi.StringWidth(l) <= width || strings.Contains(shown, "│") {
			continue
		}
		bullet := bulleted.FindString(shown)
		if bullet == "" && strings.HasPrefix(shown, " ") {
			continue
		}
		indent := xansi.StringWidth(bullet)
		first := wrap(l, width)
		if indent == 0 {
			lines[i] = first
			continue
		}
		head, _, _ := strings.Cut(first, "\n")
		rest := strings.TrimSpace(xansi.Cut(l, xansi.StringWidth(head), xansi.StringWidth(l)))
		lines[i] = head + "\n" + indentLines(wrap(rest, width-indent), strings.Repeat(" ", indent))
	}
	return strings.Join(lines, "\n")
}
