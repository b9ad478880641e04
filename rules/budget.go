package rules

import (
	"fmt"
	"slices"
	"strings"

	"perflint/detectors/feature"
	"perflint/rules/source"
)

// budget is what a project allows a feature to come to. It is judged and reported as a rule.
type budget struct {
	feature            *source.Node
	min, max, severity *source.Node
}

var budgetFields = []field[budget]{
	{"max", "largest value allowed", scalarShape, false, into(raw, func(b *budget) **source.Node { return &b.max })},
	{"min", "least value allowed", scalarShape, false, into(raw, func(b *budget) **source.Node { return &b.min })},
	{"severity", "level of a finding, default error", wordShape(severityWords[1:]), false, func(r *reader, n *source.Node, b *budget) {
		word(r, n, "severity", severityWords[1:])
		b.severity = n
	}},
}

func budgetShape() shape { return shape{"anyOf": []shape{scalarShape, mapShape(budgetFields)}} }

func budgetsShape() shape { return shape{"type": "object", "additionalProperties": budgetShape()} }

func readBudgets(r *reader, n *source.Node, s *Settings) {
	for _, f := range fields(r, n) {
		b := budget{feature: f.Key, max: f.Value}
		if f.Value.Kind == source.Map {
			b.max = nil
			decode(r, f.Value, budgetFields, &b, "")
		}
		if b.max == nil && b.min == nil {
			r.report(f.Key, "missing-field", "write the value, or a map of max and min", "a budget has a largest or a least value")
			continue
		}
		s.budgets = append(s.budgets, b)
	}
}

// AddBudgets makes rules of the budgets of a configuration.
func (rs *Ruleset) AddBudgets(s *Settings) source.Diagnostics {
	r := &reader{}
	for _, b := range s.budgets {
		if doc := b.rule(r, rs.schema); doc != nil {
			rule, problems := readRule(newLanguage(rs.schema), doc)
			at := b.feature.Pos()
			rule.File, rule.Line = at.File, at.Line
			r.diags = append(r.diags, problems...)
			r.diags = append(r.diags, rs.add(rule, doc)...)
		}
	}
	rs.sort()
	r.diags.Sort()
	return r.diags
}

// rule is the budget in the words of a rule file, nil when it makes no sense.
func (b budget) rule(r *reader, schema *feature.Schema) *source.Node {
	name := b.feature.Value
	d, known := schema.Lookup(name)
	switch {
	case !known:
		r.report(b.feature, "unknown-feature", didYouMeanFeatureOr(name, schema), "unknown feature %s", name)
		return nil
	case d.Type != feature.Float && d.Type != feature.Int:
		r.report(b.feature, "type-mismatch", "", "a budget is for a number; %s is a %s", name, d.Type)
		return nil
	}
	before := len(r.diags)
	doc := b.words(d)
	var conditions, limits []string
	for _, limit := range []struct {
		value            *source.Node
		param, op, words string
	}{{b.max, "max", ">", "at most"}, {b.min, "min", "<", "at least"}} {
		if limit.value == nil {
			continue
		}
		b.check(r, d, limit.value)
		conditions = append(conditions, fmt.Sprintf("%s %s params.%s", name, limit.op, limit.param))
		limits = append(limits, fmt.Sprintf("%s {{ params.%s }}", limit.words, limit.param))
		doc = source.Merge(doc, source.At(limit.value, "params", limit.param, "default"))
		if d.Unit != feature.NoUnit {
			doc = source.Merge(doc, said(string(d.Unit), "params", limit.param, "unit"))
		}
	}
	doc = source.Merge(doc, said(strings.Join(conditions, " or "), "when"))
	doc = source.Merge(doc, said(fmt.Sprintf("`%s` is {{ %s }}; its budget is %s.", name, name, strings.Join(limits, ", ")), "message"))
	if len(r.diags) > before {
		return nil
	}
	return doc
}

// said is a part of a rule that no file says.
func said(value string, path ...string) *source.Node {
	return source.At(source.Given("budget", value), path...)
}

var budgetScopes = map[string]Scope{"job": JobScope, "trace": TraceScope}

// words are the parts of the rule that do not depend on the limits.
func (b budget) words(d feature.Decl) *source.Node {
	severity := "error"
	if b.severity != nil {
		severity = b.severity.Value
	}
	doc := said("budget-"+strings.NewReplacer(".", "-", "_", "-").Replace(d.Name), "id")
	for _, f := range [][2]string{
		{"title", d.Name + " is outside its budget"},
		{"severity", severity},
		{"confidence", "high"},
		{"scope", budgetScopes[feature.Namespace(d.Name)].String()},
		{"why", fmt.Sprintf("%s. This project has set it a budget.", strings.TrimSuffix(d.Doc, "."))},
	} {
		doc = source.Merge(doc, said(f[1], f[0]))
	}
	return doc
}

// check refuses a value that the feature cannot have.
func (b budget) check(r *reader, d feature.Decl, n *source.Node) {
	p := Param{Name: d.Name, Default: 0.0, Unit: d.Unit}
	if d.Unit == feature.Frac {
		zero, one := 0.0, 1.0
		p.Min, p.Max = &zero, &one
	}
	if !n.Scalar() {
		r.report(n, "wrong-type", "", "%s must be %s, got %s", d.Name, unitWords[d.Unit], n.Kind)
	} else if _, problem := p.parse(n.Value); problem != "" {
		r.report(n, "wrong-type", "", "%s", problem)
	}
}

func (rs *Ruleset) sort() {
	slices.SortFunc(rs.rules, func(a, b *Rule) int { return strings.Compare(a.ID, b.ID) })
}
