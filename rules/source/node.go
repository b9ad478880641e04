package source

import "slices"

// Kind of a node.
type Kind uint8

// The kinds. YAML 1.1 words such as yes and off are Text.
const (
	Null Kind = iota
	Bool
	Number
	Text
	List
	Map
	Broken // what was reported already; readers pass over it
)

var kindNames = [...]string{"nothing", "true or false", "a number", "a text", "a list", "a map", "a mistake"}

func (k Kind) String() string { return kindNames[k] }

// Node is one value of a YAML document. It keeps where it stands, down to the single character of a scalar.
type Node struct {
	Kind   Kind
	Value  string  // of a scalar: as YAML gives it, unquoted and unfolded
	Items  []*Node // of a list
	Fields []Field // of a map, in the order of the file

	file      *file
	line, col int // of the first character; of a block scalar, of its | or >
	style     style
}

// Field is one entry of a map.
type Field struct{ Key, Value *Node }

type file struct {
	path  string
	lines []string // without line ends
}

type style uint8

const (
	plain style = iota
	singleQuoted
	doubleQuoted
	literal
	folded
)

// Inline is a text that stands in no file, such as an argument; path is what its diagnostics name.
func Inline(path, text string) *Node {
	return &Node{Kind: Text, Value: text, file: newFile(path, text), line: 1, col: 1, style: plain}
}

// Get is the value of a field, nil when the map has none of that name, or n is no map or nil.
func (n *Node) Get(name string) *Node {
	if n == nil {
		return nil
	}
	i := slices.IndexFunc(n.Fields, func(f Field) bool { return f.Key.Value == name })
	if i < 0 {
		return nil
	}
	return n.Fields[i].Value
}

// Scalar reports whether n is a single value, not a list, a map or nothing.
func (n *Node) Scalar() bool { return n.Kind == Bool || n.Kind == Number || n.Kind == Text }

// Plain reports whether n is an unquoted scalar: there ` #` begins a comment.
func (n *Node) Plain() bool { return n.Scalar() && n.style == plain }

// Path is the file of n as it was given.
func (n *Node) Path() string { return n.file.path }

// Pos is where n begins.
func (n *Node) Pos() Pos { return Pos{n.file.path, n.line, n.col} }

// Rest is what follows the last character of a one-line scalar on its line: where a comment may have cut it short.
func (n *Node) Rest() string {
	at := n.positions()
	last := at[len(at)-1]
	return cut(n.file.text(last.line), last.col)
}

// Diag speaks of the whole node; of a scalar or a list or map over several lines, of its first line.
func (n *Node) Diag(code, message, hint string) Diagnostic {
	if n.Scalar() && len(n.Value) > 0 {
		return n.DiagAt(0, len([]rune(n.Value)), code, message, hint)
	}
	return n.file.diag(n.line, n.col, n.col+1, code, message, hint)
}

// DiagAt speaks of the characters [from, to) of a scalar's value, wherever quoting, folding or indentation put them.
func (n *Node) DiagAt(from, to int, code, message, hint string) Diagnostic {
	if n.line == 0 { // it stands in no file
		return Diagnostic{Pos: n.Pos(), Code: code, Message: message, Hint: hint}
	}
	at := n.positions()
	from = min(max(from, 0), len(at)-1)
	start, end := at[from], at[from]
	for i := from; i < min(to, len(at)-1) && at[i].line == start.line; i++ {
		end = at[i]
		end.col++
	}
	return n.file.diag(start.line, start.col, end.col, code, message, hint)
}

func (f *file) diag(line, col, end int, code, message, hint string) Diagnostic {
	return Diagnostic{Pos: Pos{f.path, line, col}, EndCol: max(end, col+1), Code: code, Message: message, Hint: hint, Text: f.text(line)}
}

func (f *file) text(line int) string {
	if line < 1 || line > len(f.lines) {
		return ""
	}
	return f.lines[line-1]
}

// cut is the line from a column on.
func cut(line string, col int) string {
	r := []rune(line)
	return string(r[min(max(col-1, 0), len(r)):])
}
