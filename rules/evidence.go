package rules

import (
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"

	"perflint/detectors/feature"
)

// maxPlaces is how many places of a finding are kept.
const maxPlaces = 5

// evidence is every operand of when with what it is compared to, then what the rule adds. The operands are compiled only
// now: few rules fire.
func (j judge) evidence() []Evidence {
	l := j.rule.body.language
	tree, err := parser.ParseWithConfig(j.rule.When, l.base)
	if err != nil {
		return nil
	}
	g := &gatherer{language: l, scene: j.scene}
	g.walk(tree.Node, false)
	for _, x := range j.rule.body.evidence {
		e := Evidence{Label: x.value.line()}
		e.Value, e.Unit = x.value.measured(j.scene)
		if x.label != nil {
			e.Label = x.label.render(j.scene)
		}
		g.add(e)
	}
	return g.out
}

// measured is the value as a feature has it, nil when it cannot be judged. A list is shown by its length.
func (e *expression) measured(s *scene) (any, feature.Unit) {
	v, err := e.run(s)
	if err != nil {
		return nil, e.unit
	}
	switch v := v.(type) {
	case int:
		return int64(v), e.unit
	case []any:
		return int64(len(v)), feature.Count
	}
	return v, e.unit
}

// gatherer collects the operands of a condition.
type gatherer struct {
	language
	scene *scene
	out   []Evidence
}

// add keeps each operand once with each of its limits; without a limit only where it has none.
func (g *gatherer) add(e Evidence) {
	if slices.ContainsFunc(g.out, func(o Evidence) bool { return o.Label == e.Label && (e.Op == "" || o.Op == e.Op && o.Param == e.Param) }) {
		return
	}
	g.out = slices.DeleteFunc(g.out, func(o Evidence) bool { return o.Label == e.Label && o.Op == "" })
	g.out = append(g.out, e)
}

// mirrored is the operator when its sides are swapped, opposite when its truth is.
var (
	mirrored = map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
	opposite = map[string]string{"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "=="}
)

func (g *gatherer) walk(n ast.Node, negated bool) {
	switch n := n.(type) {
	case *ast.UnaryNode:
		g.walk(n.Node, negated != (n.Operator == "not" || n.Operator == "!"))
	case *ast.BinaryNode:
		op := n.Operator
		if mirrored[op] == "" {
			g.walk(n.Left, negated)
			if !g.addsNothing(n) {
				g.walk(n.Right, negated)
			}
			return
		}
		if negated {
			op = opposite[op]
		}
		g.comparison(n, op)
	case *ast.ConditionalNode:
		g.walk(n.Cond, false)
		g.walk(n.Exp1, negated)
		g.walk(n.Exp2, negated)
	case *ast.MemberNode:
		g.operand(n)
	case *ast.CallNode:
		for _, a := range n.Arguments {
			g.walk(a, false)
		}
	case *ast.BuiltinNode:
		g.walk(n.Arguments[0], false)
	}
}

// addsNothing reports whether the second term of a sum or difference is zero, so that it says nothing.
func (g *gatherer) addsNothing(n *ast.BinaryNode) bool {
	if n.Operator != "+" && n.Operator != "-" {
		return false
	}
	switch v := g.value(n.Right).Value.(type) {
	case float64:
		return v == 0
	case int64:
		return v == 0
	}
	return false
}

// comparison is one line of evidence: the side that names a feature, against the other.
func (g *gatherer) comparison(n *ast.BinaryNode, op string) {
	measured, limit := n.Left, n.Right
	if g.constant(measured) && !g.constant(limit) {
		measured, limit, op = limit, measured, mirrored[op]
	}
	if b, ok := measured.(*ast.BinaryNode); ok && b.Operator == "??" {
		measured = b.Left
	}
	if _, plain := measured.(*ast.MemberNode); !plain { // a computed side says more as the features that it is made of
		g.walk(measured, false)
		g.walk(limit, false)
		return
	}
	e := g.value(measured)
	if word, text := e.Value.(string); text { // what kind of thing it is, no limit
		if word != "" {
			g.add(e)
		}
		return
	}
	e.Op = op
	e.Limit = g.value(limit).Value
	if m, ok := limit.(*ast.MemberNode); ok {
		if id, ok := m.Node.(*ast.IdentifierNode); ok && id.Value == "params" {
			e.Param = m.Property.(*ast.StringNode).Value
		}
	}
	g.add(e)
}

// constant reports whether n names nothing that was measured.
func (g *gatherer) constant(n ast.Node) bool {
	measured := false
	ast.Walk(&n, visit(func(n ast.Node) {
		id, ok := n.(*ast.IdentifierNode)
		measured = measured || ok && id.Value != "params"
	}))
	return !measured
}

type visit func(ast.Node)

func (v visit) Visit(n *ast.Node) { v(*n) }

// operand is a line without a limit; parameters, lists and records say nothing by themselves.
func (g *gatherer) operand(n *ast.MemberNode) {
	e := g.value(n)
	if d, _ := g.schema.Lookup(e.Label); d.Type == feature.List || g.constant(n) || e.Value == "" {
		return
	}
	g.add(e)
}

// named is what a part of the condition is called: a field of the record at hand by its list.
func (g *gatherer) named(label string) string {
	if field, ok := strings.CutPrefix(label, "it."); ok && g.it != nil {
		return g.it.Name + "." + field
	}
	return label
}

// value evaluates a part of the condition; what cannot be judged by itself has none.
func (g *gatherer) value(n ast.Node) Evidence {
	e := Evidence{Label: g.named(n.String())}
	x, problems := g.parse(n.String(), anything)
	if len(problems) > 0 {
		return e
	}
	e.Value, e.Unit = x.measured(g.scene)
	return e
}
