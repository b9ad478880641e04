package source

import (
	"strings"
)

type place struct{ line, col int }

// positions maps every character of a scalar's value to its place in the file, and one more: the end. It walks value and
// source side by side; the only characters that differ are escapes, doubled quotes, and white space at line ends.
func (n *Node) positions() []place {
	w := walker{file: n.file, at: place{n.line, n.col}, style: n.style}
	w.load()
	switch n.style {
	case singleQuoted, doubleQuoted:
		w.col++
	case literal, folded:
		w.indent = n.blockIndent()
		w.next()
	}
	out := make([]place, 0, len(n.Value)+1)
	for _, r := range n.Value {
		out = append(out, w.take(r))
	}
	return append(out, w.end())
}

// blockIndent is the white space that YAML takes off each line of a block: what the first line with text has more than its value.
func (n *Node) blockIndent() int {
	for i := n.line; i < len(n.file.lines); i++ {
		if strings.TrimSpace(n.file.lines[i]) != "" {
			value := strings.TrimLeft(n.Value, "\n")
			return leading(n.file.lines[i]) - leading(value)
		}
	}
	return 0
}

func leading(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

// walker is a cursor in the source of one scalar.
type walker struct {
	file   *file
	at     place // line only; col is below
	col    int   // 0-based index into line
	line   []rune
	style  style
	indent int
}

func (w *walker) load() {
	w.line, w.col = []rune(w.file.text(w.at.line)), w.at.col-1
}

// next goes to the first character of the next line that belongs to the value.
func (w *walker) next() bool {
	if w.at.line >= len(w.file.lines) {
		return false
	}
	w.at = place{w.at.line + 1, 1}
	w.load()
	if w.style == literal || w.style == folded {
		w.col = min(w.indent, len(w.line))
		return true
	}
	for w.col < len(w.line) && (w.line[w.col] == ' ' || w.line[w.col] == '\t') {
		w.col++
	}
	return true
}

func (w *walker) here() place { return place{w.at.line, w.col + 1} }

// end is the place after the last character: of a block that ends in a line feed, the end of its last line.
func (w *walker) end() place {
	if w.col == 0 || (w.style == literal || w.style == folded) && w.col <= w.indent && w.at.line > 1 {
		w.at.line--
		w.load()
		w.col = len(w.line)
	}
	return w.here()
}

// take finds the place of the next character of the value and moves behind it.
func (w *walker) take(r rune) place {
	for {
		if w.col >= len(w.line) {
			at := w.here()
			more := w.next()
			if r == '\n' || r == ' ' || !more {
				return at
			}
			continue
		}
		at, s := w.here(), w.line[w.col]
		switch {
		case w.style == doubleQuoted && s == '\\':
			if w.col+1 >= len(w.line) { // an escaped line end is nothing
				w.next()
				continue
			}
			w.col += escapeLen(w.line[w.col+1])
			return at
		case w.style == singleQuoted && s == '\'' && r == '\'':
			w.col += 2
			return at
		case s == r:
			w.col++
			return at
		case s == ' ' || s == '\t': // dropped before a line end
			w.col++
		default: // a place nearby is better than none
			return at
		}
	}
}

func escapeLen(r rune) int {
	switch r {
	case 'x':
		return 4
	case 'u':
		return 6
	case 'U':
		return 10
	}
	return 2
}
