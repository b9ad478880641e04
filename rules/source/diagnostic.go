// Package source reads YAML with the position of every character, and says what is wrong with it.
//
// Mistakes of a user are diagnostics, collected and shown together; they are never returned one by one.
package source

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Pos is a place in a file. Line and Col count from 1, Col in characters. A zero Line means the file as a whole.
type Pos struct {
	File      string
	Line, Col int
}

func (p Pos) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Diagnostic is one mistake in a file. Code is one of the catalogue and stable; the sentences are not.
type Diagnostic struct {
	Pos
	EndCol              int // exclusive, on the line of Pos; at most Col+1 marks one character
	Code, Message, Hint string
	Warning             bool
	Text                string // the source line, empty when there is none to show
}

// String is the sentence after its position, the source line and a caret under the characters that are meant.
func (d Diagnostic) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", d.Pos, d.Message)
	if d.Text == "" || d.Col == 0 {
		if d.Hint != "" {
			b.WriteString("; " + d.Hint)
		}
		return b.String()
	}
	d.narrow()
	number := fmt.Sprintf("%4d", d.Line)
	fmt.Fprintf(&b, "\n%s | %s\n%s | %s", number, visible(d.Text), strings.Repeat(" ", len(number)), d.caret())
	if d.Hint != "" {
		b.WriteString(" " + d.Hint)
	}
	return b.String()
}

// widest is the longest source line that is shown whole.
const widest = 160

// narrow cuts a long source line to the part that is meant.
func (d *Diagnostic) narrow() {
	line := []rune(d.Text)
	if len(line) <= widest {
		return
	}
	from := max(0, min(d.Col-1-widest/2, len(line)-widest))
	to := from + widest
	d.Col, d.EndCol = d.Col-from, min(d.EndCol, to+1)-from
	d.Text = string(line[from:to])
	if from > 0 {
		d.Text = "…" + string(line[from+1:to])
	}
}

// caret marks the range under the source line. Tabs are repeated so that it stands right at any tab width.
func (d Diagnostic) caret() string {
	var b strings.Builder
	col := 1
	for _, r := range d.Text {
		if col == d.Col {
			break
		}
		if r != '\t' {
			r = ' '
		}
		b.WriteRune(r)
		col++
	}
	b.WriteString("^" + strings.Repeat("~", max(0, d.EndCol-d.Col-1)))
	return b.String()
}

// visible keeps a rule file from writing control sequences to the terminal of whoever checks it.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == utf8.RuneError) {
			return '·'
		}
		return r
	}, s)
}

// MaxShown is how many diagnostics are printed before the rest is only counted.
const MaxShown = 50

// Diagnostics is every mistake found, in any order until Sort.
type Diagnostics []Diagnostic

// Failed reports whether one of them is more than a warning.
func (ds Diagnostics) Failed() bool {
	return slices.ContainsFunc(ds, func(d Diagnostic) bool { return !d.Warning })
}

// Sort orders by file, line and column.
func (ds Diagnostics) Sort() {
	slices.SortStableFunc(ds, func(a, b Diagnostic) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
}

// String is at most MaxShown of them, each ending in a line feed.
func (ds Diagnostics) String() string {
	var b strings.Builder
	for i, d := range ds {
		if i == MaxShown {
			fmt.Fprintf(&b, "and %d more\n", len(ds)-MaxShown)
			break
		}
		b.WriteString(d.String() + "\n")
	}
	return b.String()
}
