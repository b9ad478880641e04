package rules

import (
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
)

// printable is a placeholder taken apart at its choices and joins, so that the words of a rule stay words and only what comes
// from the trace becomes a code span. Exactly one of words, cond, joined and value is set; the zero printable prints nothing.
type printable struct {
	words   string
	cond    *expression
	yes, no *printable
	joined  []*printable
	value   *expression
}

// printable takes apart a placeholder that compiles. Where a part does not stand on its own, the whole is the value.
func (l language) printable(whole *expression) *printable {
	if whole == nil {
		return nil
	}
	if !strings.ContainsAny(whole.text, "?+") {
		return &printable{value: whole}
	}
	tree, err := parser.ParseWithConfig(whole.text, l.base)
	if _, choice := tree.Node.(*ast.ConditionalNode); err == nil && (choice || joins(tree.Node)) {
		if p := l.takeApart(tree.Node); p != nil {
			return p
		}
	}
	return &printable{value: whole}
}

func (l language) takeApart(n ast.Node) *printable {
	switch n := n.(type) {
	case *ast.StringNode:
		return &printable{words: n.Value}
	case *ast.ConditionalNode:
		cond, problems := l.parse(n.Cond.String(), truth)
		yes, no := l.takeApart(n.Exp1), l.takeApart(n.Exp2)
		if len(problems) > 0 || yes == nil || no == nil {
			return nil
		}
		return &printable{cond: cond, yes: yes, no: no}
	case *ast.BinaryNode:
		if joins(n) {
			left, right := l.takeApart(n.Left), l.takeApart(n.Right)
			if left == nil || right == nil {
				return nil
			}
			return &printable{joined: []*printable{left, right}}
		}
	}
	value, problems := l.parse(n.String(), anything)
	if len(problems) > 0 {
		return nil
	}
	return &printable{value: value}
}

// joins reports whether + puts texts together: one of them is a literal.
func joins(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.StringNode:
		return true
	case *ast.BinaryNode:
		return n.Operator == "+" && (joins(n.Left) || joins(n.Right))
	}
	return false
}

func (p *printable) print(s *scene) string {
	switch {
	case p.value != nil:
		return p.value.print(s)
	case p.cond != nil:
		chosen, err := p.cond.holds(s, false)
		switch {
		case err != nil:
			return "n/a"
		case chosen:
			return p.yes.print(s)
		}
		return p.no.print(s)
	}
	var b strings.Builder
	b.WriteString(p.words)
	for _, part := range p.joined {
		b.WriteString(part.print(s))
	}
	return b.String()
}
