package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// MaxBytes is the largest file that is read: more is no rule but an attempt.
const MaxBytes = 256 << 10

// Parse reads the documents of a YAML file, empty ones left out. After a syntax error it returns what came before. Aliases,
// anchors, merge keys, tags and duplicate keys are diagnostics.
func Parse(path string, data []byte) ([]*Node, Diagnostics) {
	if len(data) > MaxBytes {
		message := fmt.Sprintf("the file is longer than %d KiB", MaxBytes>>10)
		return nil, Diagnostics{{Pos: Pos{File: path}, Code: "too-long", Message: message}}
	}
	c := converter{file: newFile(path, string(data))}
	var docs []*Node
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var root yaml.Node
		err := decode(dec, &root)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			c.diags = append(c.diags, c.file.syntax(err))
			break
		}
		if doc := c.convert(root.Content[0]); doc.Kind != Null {
			docs = append(docs, doc)
		}
	}
	return docs, c.diags
}

// decode turns a panic of the library into an error: it has had some, and the file may be anybody's.
func decode(dec *yaml.Decoder, root *yaml.Node) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	if err := dec.Decode(root); err != nil {
		return err
	}
	if len(root.Content) == 0 {
		return errors.New("yaml: the document is empty")
	}
	return nil
}

// lineEnds makes a line feed of all else that YAML counts as the end of a line.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

func newFile(path, text string) *file {
	return &file{path: path, lines: strings.Split(lineEnds.Replace(strings.TrimPrefix(text, "\ufeff")), "\n")}
}

var yamlError = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)`)

// syntax words an error of the library. Its line is missing for errors on line 1, sometimes one too low, and for a line that does
// not fit into a map that of the map's beginning (yaml.v3 3.0.1): so the line is looked for.
func (f *file) syntax(err error) Diagnostic {
	message, line := err.Error(), 0
	if m := yamlError.FindStringSubmatch(message); m != nil {
		message = m[2]
		line, _ = strconv.Atoi(m[1])
	}
	if found := f.brokenLine(); found > 0 {
		line = found
	}
	d := Diagnostic{Pos: Pos{File: f.path, Line: line}, Code: "yaml-syntax", Message: "not YAML: " + message, Text: f.text(line)}
	if d.Text != "" {
		d.Col = leading(d.Text) + 1
		d.EndCol = d.Col + len([]rune(strings.TrimSpace(d.Text)))
	}
	switch {
	case strings.Contains(d.Text, "{{") || strings.Contains(f.text(line+1), "{{"):
		d.Hint = "quote a text that begins with {{"
	case strings.HasPrefix(strings.TrimLeft(d.Text, " "), "\t"):
		d.Hint = "YAML is indented with blanks, never with tabs"
	case strings.Contains(message, "mapping values"):
		d.Hint = "a colon and a blank begin a value; write a text that holds them as a block: |"
	}
	return d
}

// maxSearch bounds the bytes that are parsed to find a broken line.
const maxSearch = 4 << 20

// brokenLine is the line behind the longest beginning of the file that is YAML, 0 when that takes too long to find.
func (f *file) brokenLine() int {
	text := strings.Join(f.lines, "\n")
	parsed := 0
	for n := len(f.lines) - 1; n >= 0; n-- {
		text = text[:len(text)-len(f.lines[n])]
		if parsed += len(text); parsed > maxSearch {
			return 0
		}
		if isYAML(text) {
			return n + 1
		}
		text = strings.TrimSuffix(text, "\n")
	}
	return 0
}

func isYAML(text string) bool {
	dec := yaml.NewDecoder(strings.NewReader(text))
	for {
		var root yaml.Node
		if err := decode(dec, &root); err != nil {
			return errors.Is(err, io.EOF)
		}
	}
}

type converter struct {
	file  *file
	diags Diagnostics
}

func (c *converter) report(n *Node, code, message, hint string) {
	c.diags = append(c.diags, n.Diag(code, message, hint))
}

func (c *converter) convert(y *yaml.Node) *Node {
	n := &Node{Value: y.Value, file: c.file, line: y.Line, col: y.Column, style: styleOf(y)}
	switch {
	case y.Kind == yaml.AliasNode:
		c.report(n, "alias-not-allowed", "aliases are not allowed here", "write the value out")
		n.Kind = Broken
		return n
	case y.Anchor != "":
		c.report(n, "alias-not-allowed", "anchors are not allowed here", "write the value out where it is needed")
	case y.Style&yaml.TaggedStyle != 0:
		c.report(n, "alias-not-allowed", "tags are not allowed here", "leave out "+y.Tag)
	}
	switch y.Kind {
	case yaml.SequenceNode:
		n.Kind = List
		for _, item := range y.Content {
			n.Items = append(n.Items, c.convert(item))
		}
	case yaml.MappingNode:
		n.Kind = Map
		c.fields(n, y)
	default:
		n.Kind = scalarKind(y)
	}
	return n
}

func (c *converter) fields(n *Node, y *yaml.Node) {
	seen := map[string]*Node{}
	for i := 0; i+1 < len(y.Content); i += 2 {
		key := c.convert(y.Content[i])
		if y.Content[i].Tag == "!!merge" {
			c.report(key, "alias-not-allowed", "merge keys are not allowed here", "write the fields out")
			continue
		}
		if !key.Scalar() {
			if key.Kind != Broken {
				c.report(key, "wrong-type", fmt.Sprintf("a field name must be a text, got %s", key.Kind), quoteHint(key))
			}
			n.Kind = Broken
			continue
		}
		if first, twice := seen[key.Value]; twice {
			c.report(key, "duplicate-field", fmt.Sprintf("%s is given twice", key.Value), fmt.Sprintf("first on line %d", first.line))
			continue
		}
		seen[key.Value] = key
		n.Fields = append(n.Fields, Field{key, c.convert(y.Content[i+1])})
	}
}

// quoteHint is for {{ x }}, which YAML reads as a map whose key is a map.
func quoteHint(key *Node) string {
	if key.Kind == Map {
		return "quote a text that begins with {{"
	}
	return ""
}

func styleOf(y *yaml.Node) style {
	switch {
	case y.Style&yaml.SingleQuotedStyle != 0:
		return singleQuoted
	case y.Style&yaml.DoubleQuotedStyle != 0:
		return doubleQuoted
	case y.Style&yaml.LiteralStyle != 0:
		return literal
	case y.Style&yaml.FoldedStyle != 0:
		return folded
	}
	return plain
}

func scalarKind(y *yaml.Node) Kind {
	switch y.Tag {
	case "!!null":
		return Null
	case "!!bool":
		return Bool
	case "!!int", "!!float":
		return Number
	}
	return Text
}
