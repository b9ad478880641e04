package source

import "strings"

type place struct{ line, col int }

// positions maps every character of a scalar's value to its place in the file, and one more: the end. It walks value and
// source side by side; the only characters that differ are escapes, doubled quotes, and white space at line ends.
func (n *Node) positions() []place {
	w := walker{file: n.file, style: n.style}
	w.open(n.line, n.col-1)
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
	number int // of the line, from 1
	line   []rune
	col    int // index into line
	style  style
	indent int
}

// open goes to a column, from 0, of a line.
func (w *walker) open(number, col int) {
	w.number, w.line, w.col = number, []rune(w.file.text(number)), col
}

// next goes to the first character of the next line that belongs to the value.
func (w *walker) next() bool {
	if w.number >= len(w.file.lines) {
		return false
	}
	w.open(w.number+1, 0)
	if w.style == literal || w.style == folded {
		w.col = min(w.indent, len(w.line))
		return true
	}
	for w.col < len(w.line) && (w.line[w.col] == ' ' || w.line[w.col] == '\t') {
		w.col++
	}
	return true
}

func (w *walker) here() place { return place{w.number, w.col + 1} }

// end is the place after the last character: of a block that ends in a line feed, the end of its last line.
func (w *walker) end() place {
	if (w.style == literal || w.style == folded) && w.col <= w.indent && w.number > 1 {
		w.open(w.number-1, 0)
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
				if !w.next() {
					return at
				}
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
