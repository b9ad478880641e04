package report

import (
	"bytes"
	"html"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// unmark is the text of inline Markdown without its marks, on one line: what faces without Markdown show.
func unmark(md string) string {
	src := []byte(tidy(md))
	doc := goldmark.DefaultParser().Parse(text.NewReader(src))
	var b strings.Builder
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(spoken(n, src))
				if n.SoftLineBreak() || n.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.AutoLink:
			if entering {
				b.Write(n.Label(src))
			}
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			if entering {
				b.Write(n.Lines().Value(src))
			}
		default:
			if !entering && n.Type() == ast.TypeBlock && n.NextSibling() != nil {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

var escaped = regexp.MustCompile("\\\\[!-/:-@[-`{-~]|&#?[A-Za-z0-9]+;")

// spoken is a text node as its reader sees it: escapes and entities resolved, but not inside a code span.
func spoken(n *ast.Text, src []byte) []byte {
	s := n.Segment.Value(src)
	if n.Parent() != nil && n.Parent().Kind() == ast.KindCodeSpan || n.IsRaw() {
		return s
	}
	return escaped.ReplaceAllFunc(s, func(m []byte) []byte {
		if m[0] == '\\' {
			return m[1:]
		}
		return []byte(html.UnescapeString(string(m)))
	})
}

// unbroken is Markdown whose paragraphs are one line each, however its author broke them.
func unbroken(md string) string {
	src := []byte(md)
	var out bytes.Buffer
	done := 0
	doc := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader(src))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		t, ok := n.(*ast.Text)
		if !ok || !entering || !t.SoftLineBreak() && !splitsItem(t) || t.Segment.Stop < done {
			return ast.WalkContinue, nil
		}
		out.Write(src[done:t.Segment.Stop])
		out.WriteByte(' ')
		done = t.Segment.Stop
		for done < len(src) && (src[done] == ' ' || src[done] == '\t' || src[done] == '\n') {
			done++
		}
		return ast.WalkContinue, nil
	})
	out.Write(src[done:])
	return out.String()
}

// splitsItem reports whether another paragraph of the same list item follows: glamour would run the two together.
func splitsItem(t *ast.Text) bool {
	p := t.Parent()
	return t.NextSibling() == nil && p.Type() == ast.TypeBlock && p.Parent() != nil && p.Parent().Kind() == ast.KindListItem &&
		p.NextSibling() != nil && p.NextSibling().Kind() == ast.KindParagraph
}
