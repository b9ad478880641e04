package rules

import (
	"fmt"
	"slices"
	"strings"

	"perflint/rules/source"
)

// Configure is what a configuration means for these rules. Unknown rules and parameters and values out of range are mistakes;
// a rule that is named as it was called earlier is worth a warning.
func (rs *Ruleset) Configure(s *Settings) (Config, source.Diagnostics) {
	r := &reader{}
	cfg := Config{Overrides: s.overrides, Materiality: s.Materiality, suppress: s.suppress}
	cfg.Select, cfg.Ignore = rs.patterns(r, s.Select), rs.patterns(r, s.Ignore)
	for _, n := range s.Require {
		if rule, ok := rs.Find(n.Value); ok {
			cfg.Require = append(cfg.Require, rule.ID)
			rs.outdated(r, n)
		} else if !rs.broke(n.Value) {
			r.report(n, "unknown-rule", source.DidYouMean(n.Value, rs.ids()), "unknown rule %s", n.Value)
		}
	}
	for _, o := range s.overrides {
		if p := rs.refuse(o); p != nil {
			r.diags = append(r.diags, o.diag(p))
		} else {
			rs.outdated(r, o.rule)
		}
	}
	for _, one := range s.suppress {
		rs.patterns(r, []*source.Node{one.rule})
	}
	r.diags.Sort()
	return cfg, r.diags
}

// patterns are ids, globs and tags that must match a rule.
func (rs *Ruleset) patterns(r *reader, nodes []*source.Node) []string {
	var out []string
	for _, n := range nodes {
		known := n.Value == "all" || rs.broke(n.Value) || slices.ContainsFunc(slices.Concat(rs.rules, notices), func(r *Rule) bool { return r.matches(n.Value) })
		if !known {
			r.report(n, "unknown-rule", source.DidYouMean(n.Value, rs.ids()), "no rule matches %s", n.Value)
			continue
		}
		rs.outdated(r, n)
		out = append(out, n.Value)
	}
	return out
}

// outdated is a notice for who names a rule by an id that it had before, or one that should no longer be used.
func (rs *Ruleset) outdated(r *reader, n *source.Node) {
	rule, ok := rs.Find(n.Value)
	var d source.Diagnostic
	switch {
	case ok && rule.ID != n.Value:
		d = n.Diag("renamed-rule", "rule "+n.Value+" is now called "+rule.ID, "")
	case ok && rule.Deprecated != "":
		d = n.Diag("deprecated-rule", "rule "+n.Value+" is deprecated: "+rule.Deprecated, "")
	default:
		return
	}
	d.Warning = true
	r.diags = append(r.diags, d)
}

// refuse says what is wrong with an override, nil when nothing is.
func (rs *Ruleset) refuse(o Override) *problem {
	rule, ok := rs.Find(o.Rule)
	if !ok && rs.broke(o.Rule) {
		return nil
	}
	if !ok {
		return &problem{code: "unknown-rule", message: "unknown rule " + o.Rule, hint: source.DidYouMean(o.Rule, rs.ids())}
	}
	if o.Param == "" {
		return refuseSeverity(rule, o.Value)
	}
	p, ok := rule.Param(o.Param)
	if !ok {
		var known []string
		for _, p := range rule.Params {
			known = append(known, p.Name)
		}
		message := fmt.Sprintf("rule %s has no parameter %s", rule.ID, o.Param)
		return &problem{code: "unknown-param", message: message, hint: source.DidYouMean(o.Param, known)}
	}
	if _, message := p.parse(o.Value); message != "" {
		return &problem{code: "wrong-type", message: message}
	}
	return nil
}

func refuseSeverity(rule *Rule, value string) *problem {
	switch {
	case !slices.Contains(overrideSeverities, value):
		message := fmt.Sprintf("severity must be one of %s; got %s", strings.Join(overrideSeverities, ", "), value)
		return &problem{code: "wrong-type", message: message, hint: source.DidYouMean(value, overrideSeverities)}
	case value == "auto" && len(rule.Claims) == 0:
		return &problem{code: "wrong-type", message: fmt.Sprintf("severity auto follows from claims, and %s has none", rule.ID)}
	}
	return nil
}

// diag stands where the word in question does.
func (o Override) diag(p *problem) source.Diagnostic {
	at := map[string]*source.Node{"unknown-rule": o.rule, "unknown-param": o.param}[p.code]
	if at == nil {
		at = o.At
	}
	return at.Diag(p.code, p.message, p.hint)
}
