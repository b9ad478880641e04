package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"perflint/rules/source"
)

// Override is one setting of a rule by its user.
type Override struct {
	Rule  string
	Param string       // empty: the severity
	Value string       // as written: 10%, 3ms, error, off
	At    *source.Node // where it is written, nil when it came from a flag
}

// settings is what holds for one rule after overrides.
type settings struct {
	auto, off bool
	severity  Severity
	params    map[string]any
}

// settings leaves out overrides that Check would refuse.
func (c Config) settings(rule *Rule) settings {
	s := settings{auto: rule.Auto, severity: rule.Severity, params: map[string]any{}}
	for _, p := range rule.Params {
		s.params[p.Name] = p.Default
	}
	for _, o := range c.Overrides {
		if o.Rule != rule.ID && !slices.Contains(rule.Formerly, o.Rule) {
			continue
		}
		if o.Param == "" {
			s.override(o.Value, len(rule.Claims) > 0)
		} else if p, ok := rule.Param(o.Param); ok {
			if v, problem := p.parse(o.Value); problem == "" {
				s.params[p.Name] = v
			}
		}
	}
	return s
}

var overrideSeverities = []string{"auto", "error", "warning", "info", "off"}

func (s *settings) override(severity string, hasClaims bool) {
	switch severity {
	case "auto":
		s.auto = hasClaims
	case "off":
		s.off = true
	default:
		if i := slices.Index(severityNames[:], severity); i > 0 {
			s.auto, s.severity = false, Severity(i)
		}
	}
}

// Check says what is wrong with a configuration: unknown rules and parameters, values out of range.
func (rs *Ruleset) Check(cfg Config) source.Diagnostics {
	var diags source.Diagnostics
	for _, pattern := range slices.Concat(cfg.Select, cfg.Ignore) {
		if !slices.ContainsFunc(rs.rules, func(r *Rule) bool { return r.matches(pattern) }) && pattern != "all" {
			diags = append(diags, source.Diagnostic{Code: "unknown-rule", Message: "no rule matches " + pattern, Hint: source.DidYouMean(pattern, rs.ids())})
		}
	}
	for _, pattern := range slices.Concat(cfg.Select, cfg.Ignore) {
		diags = append(diags, rs.renamed(pattern)...)
	}
	for _, o := range cfg.Overrides {
		if p := rs.refuse(o); p != nil {
			diags = append(diags, o.diag(p))
		}
	}
	diags.Sort()
	return diags
}

// renamed is a notice for who uses an id that a rule had before.
func (rs *Ruleset) renamed(id string) source.Diagnostics {
	rule, ok := rs.Find(id)
	if !ok || rule.ID == id {
		return nil
	}
	return source.Diagnostics{{Code: "renamed-rule", Message: "rule " + id + " is now called " + rule.ID, Warning: true}}
}

// refuse says what is wrong with an override, nil when nothing is.
func (rs *Ruleset) refuse(o Override) *problem {
	rule, ok := rs.Find(o.Rule)
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

func (o Override) diag(p *problem) source.Diagnostic {
	if o.At != nil {
		return o.At.Diag(p.code, p.message, p.hint)
	}
	return source.Diagnostic{Pos: source.Pos{File: "--set"}, Code: p.code, Message: p.message, Hint: p.hint}
}

// selected are the rules that a configuration turns on. What Ignore names is off whatever Select says.
func (rs *Ruleset) selected(cfg Config) []*Rule {
	var out []*Rule
	for _, r := range rs.rules {
		if r.selected(cfg.Select) && !slices.ContainsFunc(cfg.Ignore, r.matches) {
			out = append(out, r)
		}
	}
	return out
}

func (r *Rule) selected(patterns []string) bool {
	if slices.ContainsFunc(patterns, r.matches) {
		return true
	}
	return !r.Disabled && (len(patterns) == 0 || slices.Contains(patterns, "all"))
}

// matches reports whether a pattern names the rule: its id, an older id, a glob, tag:NAME.
func (r *Rule) matches(pattern string) bool {
	if tag, ok := strings.CutPrefix(pattern, "tag:"); ok {
		return slices.Contains(r.Tags, tag)
	}
	if pack, id, ok := strings.Cut(pattern, "/"); ok && pack == r.Pack {
		pattern = id
	}
	if slices.Contains(r.Formerly, pattern) {
		return true
	}
	ok, err := path.Match(pattern, r.ID)
	return err == nil && ok
}
