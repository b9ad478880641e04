package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/rules/source"
)

// claim is a set of intervals: a span feature, the spans of a record, or two claims minus or both-ed.
type claim struct {
	name        string // of a feature; it.FIELD of a record
	op          string // minus or both
	left, right *claim
}

// claim parses one item of claims.
func (l language) claim(r *reader, n *source.Node) *claim {
	if !n.Scalar() {
		r.report(n, "wrong-type", "", "expected the name of a span feature, got %s", n.Kind)
		return nil
	}
	tree, err := parser.ParseWithConfig(n.Value, l.base)
	if err != nil {
		p := syntaxProblem(err, n.Value, nil)
		r.diags = append(r.diags, n.DiagAt(p.from, p.to, p.code, p.message, p.hint))
		return nil
	}
	return l.claimNode(r, n, tree.Node)
}

func (l language) claimNode(r *reader, n *source.Node, node ast.Node) *claim {
	fail := func(code, hint, format string, args ...any) *claim {
		at := node.Location()
		r.diags = append(r.diags, n.DiagAt(at.From, at.To, code, fmt.Sprintf(format, args...), hint))
		return nil
	}
	switch node := node.(type) {
	case *ast.CallNode:
		op := node.Callee.String()
		if op != "minus" && op != "both" || len(node.Arguments) != 2 {
			return fail("unknown-function", "", "a claim is a span feature, minus(a, b) or both(a, b)")
		}
		left, right := l.claimNode(r, n, node.Arguments[0]), l.claimNode(r, n, node.Arguments[1])
		if left == nil || right == nil {
			return nil
		}
		return &claim{op: op, left: left, right: right}
	case *ast.MemberNode:
		d, known := l.claimed(node.String())
		switch {
		case !known:
			return fail("unknown-feature", didYouMeanFeature(node.String(), l.schema), "unknown feature %s", node)
		case d.Type != feature.Spans:
			return fail("type-mismatch", l.twin(node.String()), "%s is no set of intervals but a %s", node, d.Type)
		}
		return &claim{name: node.String()}
	}
	return fail("syntax", "", "a claim is a span feature, minus(a, b) or both(a, b)")
}

// twin is the hint for who claims a time instead of its intervals.
func (l language) twin(name string) string {
	spans := strings.TrimSuffix(name, "_us") + "_spans"
	if _, ok := l.schema.Lookup(spans); ok {
		return "did you mean " + spans + "?"
	}
	return ""
}

func (l language) claimed(name string) (feature.Decl, bool) {
	if len(name) > 3 && name[:3] == "it." && l.it != nil {
		return l.it.Field(name[3:])
	}
	return l.schema.Lookup(name)
}

// features are the features that the claim names.
func (c *claim) features() []string {
	switch {
	case c.op != "":
		return append(c.left.features(), c.right.features()...)
	case feature.Namespace(c.name) == "it":
		return nil
	}
	return []string{c.name}
}

// in is the intervals that the claim means in a scene.
func (c *claim) in(s *scene) (span.Set, error) {
	if c.op == "" {
		return c.named(s)
	}
	left, err := c.left.in(s)
	if err != nil {
		return nil, err
	}
	right, err := c.right.in(s)
	if err != nil {
		return nil, err
	}
	if c.op == "minus" {
		return left.Minus(right), nil
	}
	return left.And(right), nil
}

func (c *claim) named(s *scene) (span.Set, error) {
	if feature.Namespace(c.name) == "it" {
		set, ok := s.it.SpansOf(c.name[3:])
		if !ok {
			return nil, &abstention{reason: c.name + " is not known"}
		}
		return set, nil
	}
	if a := s.missing([]string{c.name}); a != nil {
		return nil, a
	}
	set, _ := s.spans(c.name)
	return set, nil
}

// claimed is the union of all claims of a rule.
func claimed(claims []*claim, s *scene) (span.Set, error) {
	var out span.Set
	for _, c := range claims {
		set, err := c.in(s)
		if err != nil {
			return nil, err
		}
		out = out.Or(set)
	}
	return out, nil
}

func claimFeatures(claims []*claim) []string {
	var out []string
	for _, c := range claims {
		out = append(out, c.features()...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
