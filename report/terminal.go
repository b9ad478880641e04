package report

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// codeIndent sets code off from the text; wrapLines leaves alone what is indented.
const codeIndent = "   "

// terminal renders Markdown for a terminal without breaking lines. It needs little of what libraries for that offer, and they
// take longer to start than perflint to read a small trace.
func terminal(md string, opt Options) string {
	src := []byte(md)
	doc := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Linkify, extension.Strikethrough)).Parser().Parse(text.NewReader(src))
	t := typesetter{src: src, palette: paletteOf(opt.Style), pen: opt.pen()}
	return strings.ReplaceAll(trimLines(t.blocks(doc)), "\u2060", "")
}

// typesetter turns the nodes of a Markdown document into lines.
type typesetter struct {
	src     []byte
	palette palette
	pen     pen
}

// blocks is the children of a node, set apart by blank lines.
func (t *typesetter) blocks(parent ast.Node) []string {
	var lines []string
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if block := t.block(n); len(block) > 0 {
			lines = append(append(lines, ""), block...)
		}
	}
	return lines
}

func (t *typesetter) block(n ast.Node) []string {
	switch n := n.(type) {
	case *ast.Heading:
		return strings.Split(t.inline(n, ink{color: t.palette.title, bold: true}), "\n")
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		return t.code(n)
	case *ast.List:
		return t.list(n)
	case *extast.Table:
		return t.table(n)
	case *ast.Blockquote:
		return t.blocks(n)
	case *ast.HTMLBlock:
		return strings.Split(tag.ReplaceAllString(string(n.Lines().Value(t.src)), ""), "\n")
	case *ast.ThematicBreak:
		return nil
	}
	return strings.Split(t.inline(n, ink{}), "\n")
}

var tag = regexp.MustCompile(`<[^>]*>`)

func (t *typesetter) code(n ast.Node) []string {
	lines := strings.Split(strings.TrimRight(string(n.Lines().Value(t.src)), "\n"), "\n")
	for i, l := range lines {
		lines[i] = codeIndent + l
	}
	return lines
}

// list is the items one below the other, lists and code in them indented. A blank line follows code.
func (t *typesetter) list(list *ast.List) []string {
	var lines []string
	number := list.Start
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		marker := "• "
		if list.IsOrdered() {
			marker = fmt.Sprintf("%d. ", number)
			number++
		}
		body := t.item(item, marker)
		if _, code := item.LastChild().(*ast.FencedCodeBlock); code && item.NextSibling() != nil {
			body = append(body, "")
		}
		lines = append(lines, body...)
	}
	return lines
}

// item is a list item, whose paragraphs are run together: its first line is broken to the width later.
func (t *typesetter) item(item ast.Node, marker string) []string {
	lines := []string{marker}
	for n := item.FirstChild(); n != nil; n = n.NextSibling() {
		block := t.block(n)
		switch n.Kind() {
		case ast.KindParagraph, ast.KindTextBlock:
			last := &lines[len(lines)-1]
			if *last != marker {
				*last += " "
			}
			*last += strings.Join(block, " ")
		case ast.KindList:
			for _, l := range block {
				lines = append(lines, "  "+l)
			}
		default:
			lines = append(lines, block...)
		}
	}
	return lines
}

// inline is the running text inside of a node.
func (t *typesetter) inline(parent ast.Node, i ink) string {
	var b strings.Builder
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		b.WriteString(t.span(n, i))
	}
	return b.String()
}

func (t *typesetter) span(n ast.Node, i ink) string {
	switch n := n.(type) {
	case *ast.Text:
		return t.words(n, i)
	case *ast.CodeSpan:
		i.color = t.palette.code
		return t.pen.draw(t.quoted(n), i)
	case *ast.Emphasis:
		i.bold, i.italic = i.bold || n.Level > 1, i.italic || n.Level == 1
		return t.inline(n, i)
	case *ast.Link:
		return t.inline(n, i) + t.target(n.Destination)
	case *ast.Image:
		return t.inline(n, i) + t.target(n.Destination)
	case *ast.AutoLink:
		return t.pen.draw(string(n.Label(t.src)), ink{color: t.palette.link})
	case *ast.RawHTML:
		return ""
	}
	return t.inline(n, i)
}

func (t *typesetter) words(n *ast.Text, i ink) string {
	s := t.pen.draw(string(spoken(n, t.src)), i)
	switch {
	case n.HardLineBreak():
		return s + "\n"
	case n.SoftLineBreak():
		return s + " "
	}
	return s
}

// quoted is what a code span shows.
func (t *typesetter) quoted(n *ast.CodeSpan) string {
	var b bytes.Buffer
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if s, ok := c.(*ast.Text); ok {
			b.Write(bytes.ReplaceAll(s.Segment.Value(t.src), []byte{'\n'}, []byte{' '}))
		}
	}
	return b.String()
}

// target shows where a link leads, unless that is a place of the same page.
func (t *typesetter) target(url []byte) string {
	if len(url) == 0 || url[0] == '#' {
		return ""
	}
	return " " + t.pen.draw(string(util.UnescapePunctuations(url)), ink{color: t.palette.link})
}

// trimLines takes off the blanks at the ends of the lines, and of several empty lines all but one.
func trimLines(lines []string) string {
	var out []string
	for _, l := range lines {
		if l = strings.TrimRight(l, " \t"); l != "" || len(out) > 0 && out[len(out)-1] != "" {
			out = append(out, l)
		}
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n")
}
