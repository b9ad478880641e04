package rules

import (
	"fmt"
	"slices"

	"perflint/detectors/feature"
	"perflint/rules/source"
)

// Ruleset is loaded rules, sorted by id, whatever the order of their files was.
type Ruleset struct {
	schema *feature.Schema
	rules  []*Rule
	broken []string // ids of rules with mistakes: who names one of them is told of the mistake alone
	steps  int      // that judging all rules once may take
}

// All is every rule, also those that are off by default.
func (rs *Ruleset) All() []*Rule { return slices.Clone(rs.rules) }

// Find looks a rule up by its id, or by one that it had before.
func (rs *Ruleset) Find(id string) (*Rule, bool) {
	for _, r := range slices.Concat(rs.rules, notices) {
		if r.ID == id || slices.Contains(r.Formerly, id) {
			return r, true
		}
	}
	return nil, false
}

// Suggest is the id nearest to a word that is none, empty when none is near.
func (rs *Ruleset) Suggest(id string) string { return source.Suggest(id, rs.ids()) }

func (rs *Ruleset) ids() []string {
	var out []string
	for _, r := range rs.rules {
		out = append(out, r.ID)
	}
	return out
}

// add takes a rule in, unless its id is taken and it does not say that it replaces the other.
func (rs *Ruleset) add(rule *Rule, doc *source.Node) source.Diagnostics {
	rs.rules = slices.DeleteFunc(rs.rules, func(r *Rule) bool { return r.ID == rule.Replaces })
	i := slices.IndexFunc(rs.rules, func(r *Rule) bool { return r.ID == rule.ID })
	if i >= 0 {
		other := rs.rules[i]
		hint := fmt.Sprintf("the other is %s:%d; a rule that is meant to stand in for it says replaces: %s", other.File, other.Line, rule.ID)
		return source.Diagnostics{doc.Get("id").Diag("duplicate-rule", "rule "+rule.ID+" exists already", hint)}
	}
	if rs.steps += rule.steps; rs.steps > maxAllSteps {
		message := fmt.Sprintf("all rules together may take %s steps with this one, %s are allowed",
			feature.Format(int64(rs.steps), feature.Count), feature.Format(int64(maxAllSteps), feature.Count))
		rs.steps -= rule.steps
		return source.Diagnostics{doc.Get("id").Diag("too-long", message, "closures inside closures take most of them")}
	}
	rs.rules = append(rs.rules, rule)
	return nil
}

// unresolved warns of rules that refine or hold what is not loaded: a slip of the pen would go unnoticed otherwise.
func (rs *Ruleset) unresolved(read []readFile) source.Diagnostics {
	var diags source.Diagnostics
	for _, f := range read {
		for _, doc := range f.docs {
			for _, n := range references(doc) {
				if !rs.broke(n.Value) && !slices.ContainsFunc(rs.rules, func(r *Rule) bool { return r.matches(n.Value) }) {
					d := n.Diag("unknown-rule", "no rule is called "+n.Value, source.DidYouMean(n.Value, rs.ids()))
					d.Warning = true
					diags = append(diags, d)
				}
			}
		}
	}
	return diags
}

func (rs *Ruleset) broke(id string) bool { return slices.Contains(rs.broken, id) }

// references are the ids, globs and tags by which a rule speaks of others.
func references(doc *source.Node) []*source.Node {
	var out []*source.Node
	if refines := doc.Get("refines"); refines != nil {
		out = refines.Items
	}
	if holds := doc.Get("holds"); holds != nil {
		for _, h := range holds.Items {
			if patterns := h.Get("rules"); patterns != nil {
				out = append(out, patterns.Items...)
			}
		}
	}
	return out
}
