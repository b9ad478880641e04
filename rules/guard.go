package rules

import (
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/checker/nature"

	"perflint/detectors/feature"
)

// guard replaces in a checked tree what would go wrong silently at run time: x / 0 is infinite and compares true, text + text
// grows without bound, and nil == x is false instead of unknown. It visits children first, so that has() and ?? can take
// the check off the name that they are about.
type guard struct{ names *names }

func (g guard) Visit(n *ast.Node) {
	switch x := (*n).(type) {
	case *ast.MemberNode:
		if name, ok := g.mayLack(x); ok {
			replace(n, "__known", *x.Nature(), x, &ast.StringNode{Value: name})
		}
	case *ast.BinaryNode:
		g.operator(n, x)
	case *ast.CallNode:
		if id, ok := x.Callee.(*ast.IdentifierNode); ok && id.Value == "has" {
			x.Arguments[0] = unguarded(x.Arguments[0])
		}
	}
}

func (g guard) operator(n *ast.Node, x *ast.BinaryNode) {
	number := nature.NatureOf(0.0)
	switch x.Operator {
	case "??":
		x.Left = unguarded(x.Left)
	case "/":
		replace(n, "__div", number, x.Left, x.Right)
	case "**", "^":
		replace(n, "__pow", number, x.Left, x.Right)
	case "+":
		if kindOf(x) != "number" {
			replace(n, "__add", *x.Nature(), x.Left, x.Right)
		}
	}
}

// mayLack reports whether a member can be nil: a feature that the rule does not insist on, or a field of a record that is no
// text (an unknown text is empty).
func (g guard) mayLack(n *ast.MemberNode) (string, bool) {
	property, named := n.Property.(*ast.StringNode)
	if !named {
		return "", false
	}
	name := property.Value
	if id, ok := n.Node.(*ast.IdentifierNode); ok {
		name = id.Value + "." + name
		if id.Value == "params" || g.names.required[name] && !g.names.optional[name] {
			return "", false
		}
		if g.names.optional[name] {
			return name, true
		}
	}
	return name, kindOf(n) != "text"
}

func replace(n *ast.Node, function string, result nature.Nature, args ...ast.Node) {
	call := &ast.CallNode{Callee: &ast.IdentifierNode{Value: function}, Arguments: args}
	call.SetNature(result)
	ast.Patch(n, call)
}

// unguarded takes the check off a name.
func unguarded(n ast.Node) ast.Node {
	switch x := n.(type) {
	case *ast.ChainNode:
		x.Node = unguarded(x.Node)
	case *ast.CallNode:
		if id, ok := x.Callee.(*ast.IdentifierNode); ok && id.Value == "__known" {
			return x.Arguments[0]
		}
	}
	return n
}

// unit is the unit of what an expression gives, as far as it follows from the units of what it names.
func (l language) unit(n ast.Node) feature.Unit {
	switch n := n.(type) {
	case *ast.MemberNode:
		return l.memberUnit(n)
	case *ast.UnaryNode:
		return l.unit(n.Node)
	case *ast.BinaryNode:
		left, right := l.unit(n.Left), l.unit(n.Right)
		switch {
		case n.Operator == "/" && right != feature.NoUnit:
			return feature.Ratio
		case n.Operator == "/" || n.Operator == "??" || left == right && n.Operator != "*" || right == feature.NoUnit:
			return left
		case left == feature.NoUnit:
			return right
		}
	case *ast.BuiltinNode:
		return l.builtinUnit(n)
	case *ast.PredicateNode:
		return l.unit(n.Node)
	case *ast.ConditionalNode:
		return l.unit(n.Exp1)
	}
	return feature.NoUnit
}

func (l language) builtinUnit(n *ast.BuiltinNode) feature.Unit {
	switch n.Name {
	case "count", "len":
		return feature.Count
	case "sum", "min", "max", "abs", "round", "floor", "ceil", "map":
		return l.unit(n.Arguments[len(n.Arguments)-1])
	}
	return feature.NoUnit
}

func (l language) memberUnit(n *ast.MemberNode) feature.Unit {
	name, named := n.Property.(*ast.StringNode)
	if !named {
		return feature.NoUnit
	}
	if id, ok := n.Node.(*ast.IdentifierNode); ok {
		switch id.Value {
		case "params":
			p, _ := (&Rule{Params: l.params}).Param(name.Value)
			return p.Unit
		case "it":
			if l.it != nil {
				f, _ := l.it.Field(name.Value)
				return f.Unit
			}
		}
		d, _ := l.schema.Lookup(id.Value + "." + name.Value)
		return d.Unit
	}
	w := &walker{language: l, names: &names{}}
	if list := w.record(n.Node); list != nil {
		f, _ := list.Field(name.Value)
		return f.Unit
	}
	return suffixUnit(name.Value)
}

// suffixUnit is the unit that a field's name ends in.
func suffixUnit(name string) feature.Unit {
	for _, u := range []feature.Unit{feature.Frac, feature.Ratio, feature.Us, feature.Bytes, feature.Count, feature.Gbps} {
		if name == string(u) || strings.HasSuffix(name, "_"+string(u)) {
			return u
		}
	}
	return feature.NoUnit
}
