package rules

import (
	"fmt"
	"slices"

	"github.com/expr-lang/expr/ast"

	"perflint/detectors/feature"
	"perflint/rules/source"
)

// closureBuiltins run an expression for each record of a list.
var closureBuiltins = []string{"all", "any", "none", "one", "count", "filter", "map", "sum"}

func (w *walker) binary(n *ast.BinaryNode) {
	switch n.Operator {
	case "..":
		w.fail(n, "range-operator", "the range operator .. is not allowed", "")
	case "??":
		w.optionally(n.Left)
		w.walk(n.Right)
		return
	case "matches":
		w.weight += regexpWeight
		w.steps += regexpWeight * w.turns()
		if _, literal := n.Right.(*ast.StringNode); !literal {
			w.fail(n.Right, "dynamic-regexp", "the pattern of matches must be a literal text", "")
		}
		if len(w.closures) >= maxClosures {
			w.fail(n, "deep-closure", "matches is not allowed inside two closures", "")
		}
	}
	w.all(n.Left, n.Right)
}

// known are the functions that an expression may call.
func (l language) known() []string {
	out := slices.Clone(builtins)
	for _, f := range functions {
		if f.doc != "" {
			out = append(out, f.name)
		}
	}
	return out
}

func (w *walker) call(n *ast.CallNode) {
	id, ok := n.Callee.(*ast.IdentifierNode)
	if !ok {
		w.fail(n, "unknown-function", "only a named function can be called", "")
		return
	}
	known := w.known()
	if !slices.Contains(known, id.Value) {
		w.fail(id, "unknown-function", "unknown function "+id.Value, source.DidYouMean(id.Value, known))
	}
	if id.Value == "has" && len(n.Arguments) == 1 {
		if _, named := n.Arguments[0].(*ast.MemberNode); !named {
			w.fail(n, "syntax", "has() takes the name of a feature or a field", "")
		}
		w.optionally(n.Arguments[0])
		return
	}
	w.all(n.Arguments...)
}

func (w *walker) builtin(n *ast.BuiltinNode) {
	if !slices.Contains(builtins, n.Name) {
		w.fail(n, "unknown-function", "unknown function "+n.Name, source.DidYouMean(n.Name, w.known()))
		return
	}
	if len(n.Arguments) < 2 || !slices.Contains(closureBuiltins, n.Name) {
		w.all(n.Arguments...)
		return
	}
	before := len(w.problems)
	w.walk(n.Arguments[0])
	list := w.list(n.Arguments[0])
	if list == nil && len(w.problems) > before {
		list = unknownList
	}
	if len(w.closures) == maxClosures {
		w.fail(n, "deep-closure", fmt.Sprintf("closures may be at most %d deep", maxClosures), "")
		return
	}
	w.closures = append(w.closures, list)
	w.all(n.Arguments[1:]...)
	w.closures = w.closures[:len(w.closures)-1]
}

func (w *walker) let(n *ast.VariableDeclaratorNode) {
	if slices.Contains(w.namespaces(), n.Name) || slices.Contains(w.known(), n.Name) {
		w.fail(n, "syntax", n.Name+" already means something; give the variable another name", "")
	}
	w.walk(n.Value)
	w.lets = append(w.lets, binding{n.Name, w.list(n.Value), w.record(n.Value)})
	w.walk(n.Expr)
	w.lets = w.lets[:len(w.lets)-1]
}

// list is the list feature whose records the list n holds, nil when it holds something else.
func (w *walker) list(n ast.Node) *feature.Decl {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		if b := w.bound(n.Value); b != nil {
			return b.list
		}
	case *ast.MemberNode:
		id, ok := n.Node.(*ast.IdentifierNode)
		name, named := n.Property.(*ast.StringNode)
		if !ok || !named {
			return nil
		}
		if d, ok := w.schema.Lookup(id.Value + "." + name.Value); ok && d.Type == feature.List {
			return &d
		}
	case *ast.BuiltinNode:
		if n.Name == "filter" && len(n.Arguments) > 0 {
			return w.list(n.Arguments[0])
		}
	case *ast.SliceNode:
		return w.list(n.Node)
	case *ast.BinaryNode:
		if n.Operator == "??" {
			return w.list(n.Left)
		}
	}
	return nil
}

// record is the list feature that n is a record of, nil when it is none.
func (w *walker) record(n ast.Node) *feature.Decl {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		if b := w.bound(n.Value); b != nil {
			return b.record
		}
	case *ast.PointerNode:
		if n.Name == "" && len(w.closures) > 0 {
			return w.closures[len(w.closures)-1]
		}
	case *ast.MemberNode:
		if _, named := n.Property.(*ast.StringNode); !named {
			return w.list(n.Node)
		}
	case *ast.BuiltinNode:
		if (n.Name == "first" || n.Name == "last") && len(n.Arguments) == 1 {
			return w.list(n.Arguments[0])
		}
	case *ast.ChainNode:
		return w.record(n.Node)
	}
	return nil
}
