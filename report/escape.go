package report

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"perflint/rules"
)

// How much of a text that comes from a trace is shown; JSON has all of it.
const (
	inTable = 60
	inText  = 200
)

// clean replaces what a terminal or a browser would obey instead of show: control characters, line separators, the
// bidirectional overrides that reorder what follows, invisible characters, invalid UTF-8.
func clean(s string) string {
	if isPlain(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || acts(r) {
			return '·'
		}
		return r
	}, s)
}

// acts reports whether a character does something instead of being seen.
func acts(r rune) bool {
	if ' ' <= r && r <= '~' { // nearly all of a document
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co)
}

func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// cut shortens s to n characters by taking out its middle: the ends of a kernel's name tell more than its template
// arguments.
func cut(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	head := (n - 1) / 2
	return string(r[:head]) + "…" + string(r[len(r)-(n-1-head):])
}

// code is a Markdown code span that shows s, which comes from a trace, and nothing else.
func code(s string, n int) string {
	if s = clean(s); strings.TrimSpace(s) == "" {
		return "` `"
	}
	return rules.CodeSpan(s, n)
}

func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return longest
}

var harmless = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9 ./()-]|[A-Za-z0-9]_[A-Za-z0-9])*$`)

// name shows s bare when it can be nothing but a name, else as code. A name with @ or # would notify people on GitHub.
func name(s string, n int) string {
	if s = cut(clean(s), n); harmless.MatchString(s) {
		return s
	}
	return code(s, n)
}

// cell makes inline Markdown fit into a table cell: one line, every bar escaped. That holds inside code spans too, for a
// table is cut into cells before spans are read; there, a single backslash in front of a bar is lost.
func cell(md string) string {
	var b strings.Builder
	backslashes := 0
	for _, r := range strings.Join(strings.Fields(md), " ") {
		if r == '|' && backslashes%2 == 0 {
			b.WriteByte('\\')
		}
		if backslashes++; r != '\\' {
			backslashes = 0
		}
		b.WriteRune(r)
	}
	return b.String()
}

// tidy is Markdown of a rule as one paragraph's text: no line breaks, nothing invisible. Values of the trace were put
// into code spans by the rule engine.
func tidy(md string) string {
	return clean(strings.Join(strings.Fields(md), " "))
}

// piece is a stretch of inline Markdown: a code span, by its content, or what stands between two of them.
type piece struct {
	text string
	code bool
}

// pieces splits inline Markdown at its code spans: a run of backticks up to the next run of the same length.
func pieces(md string) []piece {
	var out []piece
	start := 0
	for i := 0; i < len(md); {
		if md[i] == '\\' {
			i += 2
			continue
		}
		if md[i] != '`' {
			i++
			continue
		}
		open := i
		for i < len(md) && md[i] == '`' {
			i++
		}
		size := i - open
		end := closing(md, i, size)
		if end < 0 {
			continue
		}
		out = append(out, piece{text: md[start:open]}, piece{unpad(md[i : end-size]), true})
		start, i = end, end
	}
	return append(out, piece{text: md[start:]})
}

// closing is the end of the first run of exactly size backticks from i on, -1 when there is none.
func closing(md string, i, size int) int {
	for run := 0; i <= len(md); i++ {
		if i < len(md) && md[i] == '`' {
			run++
			continue
		}
		if run == size {
			return i
		}
		run = 0
	}
	return -1
}

// unpad takes off the blank on each side that lets a code span begin or end with a backtick.
func unpad(s string) string {
	if len(s) > 2 && s[0] == ' ' && s[len(s)-1] == ' ' && strings.TrimSpace(s) != "" {
		return s[1 : len(s)-1]
	}
	return s
}

// prose shows words that perflint says about a trace, such as the reason why a feature is missing. Code spans in it stay,
// everything else is shown as it is written, for a name from the trace may be among the words.
func prose(s string) string {
	var b strings.Builder
	for _, p := range pieces(tidy(s)) {
		if p.code {
			b.WriteString(code(p.text, inText))
		} else {
			b.WriteString(literal(p.text))
		}
	}
	return b.String()
}

// shorten cuts what a message quotes to n characters each, for tables.
func shorten(md string, n int) string {
	var b strings.Builder
	for _, p := range pieces(md) {
		if p.code {
			b.WriteString(code(p.text, n))
		} else {
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// literal escapes the characters that mean something in running Markdown, and what GitHub would make a link, a formula or
// a notification of. Some are entities, for glamour knows no backslash before them.
func literal(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == '_' && inWord(s, i):
			b.WriteRune(r)
		case r == '@':
			b.WriteString("@\u2060") // a word joiner: the account would be notified whatever the notation
		case strings.ContainsRune("&~$", r), r == '=' && i == 0, r == ':' && strings.HasPrefix(s[i:], "://"):
			fmt.Fprintf(&b, "&#%d;", r)
		case strings.ContainsRune("\\`*_[]<>#|!", r),
			i == 0 && strings.ContainsRune("-+", r),
			r == '.' && strings.HasSuffix(strings.ToLower(s[:i]), "www"):
			b.WriteString("\\" + string(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func inWord(s string, i int) bool {
	alnum := func(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
	return i > 0 && i+1 < len(s) && alnum(s[i-1]) && alnum(s[i+1])
}

// block is Markdown of a rule that may hold several paragraphs: only what is invisible is replaced.
func block(md string) string { return strings.TrimSpace(visible(md)) }

// visible is text of several lines without what a terminal would obey.
func visible(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, l := range lines {
		lines[i] = clean(strings.TrimRight(strings.ReplaceAll(l, "\t", "    "), " "))
	}
	return strings.Join(lines, "\n")
}

// fenced is a code block that holds src as it is; empty without one.
func fenced(lang, src string) string {
	if src = strings.Trim(visible(src), "\n"); src == "" {
		return ""
	}
	fence := strings.Repeat("`", max(3, longestRun(src, '`')+1))
	return fence + clean(lang) + "\n" + src + "\n" + fence
}
