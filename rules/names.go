package rules

import (
	"fmt"
	"maps"
	"slices"

	"github.com/expr-lang/expr/ast"

	"perflint/detectors/feature"
	"perflint/rules/source"
)

// names is what an expression names, found by walking its tree before it is type-checked, so that messages and suggestions
// are ours. The bounds for untrusted rules are enforced on the same walk.
type names struct {
	required map[string]bool // features that must be measured
	optional map[string]bool // features under has() or left of ??
	used     map[string]bool // parameters
	ofRecord bool            // a field of the record of foreach is among them
	ofBroken bool            // a parameter with a mistake is among them
	steps    int             // how many it may take to evaluate, at most
	text     bool            // a text of the trace is among them, and may be part of the result
	problems []problem
}

// problem is a mistake at the characters [from, to) of an expression.
type problem struct {
	from, to            int
	code, message, hint string
}

// features are all features named, sorted.
func (n *names) features() []string {
	all := maps.Clone(n.required)
	maps.Copy(all, n.optional)
	return slices.Sorted(maps.Keys(all))
}

// needs are the features without which the expression cannot be judged, sorted.
func (n *names) needs() []string {
	var out []string
	for _, f := range slices.Sorted(maps.Keys(n.required)) {
		if !n.optional[f] {
			out = append(out, f)
		}
	}
	return out
}

// walker goes through a tree. Its fields are the surroundings of the node that it is at.
type walker struct {
	language
	*names
	lets     []binding
	closures []*feature.Decl // the lists whose records # is, innermost last; nil for plain values
	maybe    bool            // under has() or left of ??
	weight   int
}

// unknownList stands for a list that was named wrongly: nothing is known of its records, and nothing more is said of them.
var unknownList = &feature.Decl{}

// binding is a variable of let, with the list that it is, or is a record of.
type binding struct {
	name         string
	list, record *feature.Decl
}

func (l language) names(root ast.Node) *names {
	n := &names{required: map[string]bool{}, optional: map[string]bool{}, used: map[string]bool{}}
	w := &walker{language: l, names: n}
	w.walk(root)
	if call, ok := root.(*ast.CallNode); ok && slices.Contains([]string{"pct", "us", "bytes", "num"}, call.Callee.String()) {
		n.text = false
	}
	if w.weight > maxNodes {
		w.fail(root, "too-long", "the expression has too many regular expressions", "")
	}
	return n
}

func (w *walker) fail(n ast.Node, code, message, hint string) {
	at := n.Location()
	w.problems = append(w.problems, problem{at.From, at.To, code, message, hint})
}

func (w *walker) walk(n ast.Node) {
	w.weight++
	w.steps += w.turns()
	switch n := n.(type) {
	case *ast.IdentifierNode:
		w.identifier(n)
	case *ast.MemberNode:
		w.member(n)
	case *ast.BinaryNode:
		w.binary(n)
	case *ast.CallNode:
		w.call(n)
	case *ast.BuiltinNode:
		w.builtin(n)
	case *ast.VariableDeclaratorNode:
		w.let(n)
	case *ast.UnaryNode:
		w.walk(n.Node)
	case *ast.ChainNode:
		w.walk(n.Node)
	case *ast.PredicateNode:
		w.walk(n.Node)
	case *ast.SliceNode:
		w.all(n.Node, n.From, n.To)
	case *ast.SequenceNode:
		w.all(n.Nodes...)
	case *ast.ConditionalNode:
		w.all(n.Cond, n.Exp1, n.Exp2)
	case *ast.ArrayNode:
		w.all(n.Nodes...)
	case *ast.MapNode, *ast.BytesNode:
		w.fail(n, "syntax", "maps and byte strings are not allowed in an expression", "")
	}
}

// turns is how often the node is evaluated: once for each record of each closure around it.
func (w *walker) turns() int {
	n := 1
	for range w.closures {
		n *= feature.MaxRecords
	}
	return n
}

func (w *walker) all(nodes ...ast.Node) {
	for _, n := range nodes {
		if n != nil {
			w.walk(n)
		}
	}
}

// optionally walks what may be missing.
func (w *walker) optionally(n ast.Node) {
	before := w.maybe
	w.maybe = true
	w.walk(n)
	w.maybe = before
}

func (w *walker) identifier(n *ast.IdentifierNode) {
	if w.bound(n.Value) != nil {
		return
	}
	switch {
	case n.Value == "it" && w.it == nil:
		w.fail(n, "unknown-namespace", "it exists only in a rule with foreach", "")
	case n.Value == "it":
		w.fail(n, "unknown-feature", "it is a record; name one of its fields", "")
	case n.Value == "params":
		w.fail(n, "unknown-param", "params is all parameters; name one of them", "")
	case slices.Contains(w.namespaces(), n.Value):
		w.fail(n, "unknown-feature", fmt.Sprintf("%s is a namespace; name one of its features", n.Value), "")
	default:
		w.fail(n, "unknown-namespace", "unknown name "+n.Value, source.DidYouMean(n.Value, w.namespaces()))
	}
}

func (w *walker) bound(name string) *binding {
	for i := len(w.lets) - 1; i >= 0; i-- {
		if w.lets[i].name == name {
			return &w.lets[i]
		}
	}
	return nil
}

func (w *walker) member(n *ast.MemberNode) {
	name, named := n.Property.(*ast.StringNode)
	if id, ok := n.Node.(*ast.IdentifierNode); ok && named && w.bound(id.Value) == nil {
		switch id.Value {
		case "params":
			w.param(n, name.Value)
			return
		case "it":
			if w.it == nil {
				w.identifier(id)
				return
			}
			w.ofRecord = true
			w.field(n, w.it, name.Value)
			return
		default:
			w.feature(n, id, name.Value)
			return
		}
	}
	before := len(w.problems)
	w.walk(n.Node)
	record, list := w.record(n.Node), w.list(n.Node)
	switch {
	case len(w.problems) > before:
	case named && record != nil:
		w.field(n, record, name.Value)
	case named && list != nil:
		w.fail(n, "unknown-feature", fmt.Sprintf("%s is a list; %s is a field of its records", n.Node, name.Value),
			fmt.Sprintf("write %s[0].%s, or any(%s, .%s ...)", n.Node, name.Value, n.Node, name.Value))
	case named:
		w.fail(n, "unknown-feature", fmt.Sprintf("what %s is a field of is not a record of a list feature", name.Value), "")
	case record != nil:
		w.fail(n, "syntax", "a field must be named, not computed", "")
	default:
		w.walk(n.Property)
	}
}

func (w *walker) param(n ast.Node, name string) {
	w.used[name] = true
	var known []string
	for _, p := range w.params {
		if p.Name == name {
			w.ofBroken = w.ofBroken || p.Default == nil
			return
		}
		known = append(known, p.Name)
	}
	w.fail(n, "unknown-param", "unknown parameter "+name, source.DidYouMean(name, known))
}

func (w *walker) field(n ast.Node, list *feature.Decl, name string) {
	f, ok := list.Field(name)
	switch {
	case list == unknownList:
	case !ok:
		var known []string
		for _, f := range list.Fields {
			known = append(known, f.Name)
		}
		w.fail(n, "unknown-feature", fmt.Sprintf("%s has no field %s", list.Name, name), source.DidYouMean(name, known))
	case f.Type == feature.Spans:
		w.fail(n, "type-mismatch", name+" is a set of intervals, which only claims take", "")
	case f.Type == feature.Text && !f.Words:
		w.text = true
	}
}

func (w *walker) feature(n *ast.MemberNode, ns *ast.IdentifierNode, name string) {
	full := ns.Value + "." + name
	d, ok := w.schema.Lookup(full)
	if !ok {
		w.unknownFeature(n, ns, full)
		return
	}
	switch d.Type {
	case feature.Spans:
		w.fail(n, "type-mismatch", full+" is a set of intervals, which only claims take", "")
		return
	case feature.Text:
		w.text = w.text || !d.Words
	}
	if w.maybe {
		w.optional[full] = true
	} else {
		w.required[full] = true
	}
}

func (w *walker) unknownFeature(n *ast.MemberNode, ns *ast.IdentifierNode, full string) {
	spaces := w.namespaces()
	if slices.Contains(spaces, ns.Value) {
		w.fail(n, "unknown-feature", "unknown feature "+full, didYouMeanFeature(full, w.schema))
		return
	}
	w.fail(ns, "unknown-namespace", "unknown namespace "+ns.Value, source.DidYouMean(ns.Value, spaces))
}
