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
	for _, o := range cfg.Overrides {
		if message, hint := rs.refuse(o); message != "" {
			diags = append(diags, o.diag(message, hint))
		}
	}
	diags.Sort()
	return diags
}

func (rs *Ruleset) refuse(o Override) (message, hint string) {
	rule, ok := rs.Find(o.Rule)
	if !ok {
		return "unknown rule " + o.Rule, source.DidYouMean(o.Rule, rs.ids())
	}
	if o.Param == "" {
		if !slices.Contains(overrideSeverities, o.Value) {
			message = fmt.Sprintf("severity must be one of %s; got %s", strings.Join(overrideSeverities, ", "), o.Value)
		} else if o.Value == "auto" && len(rule.Claims) == 0 {
			message = fmt.Sprintf("severity auto follows from claims, and %s has none", rule.ID)
		}
		return message, source.DidYouMean(o.Value, overrideSeverities)
	}
	p, ok := rule.Param(o.Param)
	if !ok {
		var known []string
		for _, p := range rule.Params {
			known = append(known, p.Name)
		}
		return fmt.Sprintf("rule %s has no parameter %s", rule.ID, o.Param), source.DidYouMean(o.Param, known)
	}
	_, message = p.parse(o.Value)
	return message, ""
}

func (o Override) diag(message, hint string) source.Diagnostic {
	if o.At != nil {
		return o.At.Diag("wrong-type", message, hint)
	}
	return source.Diagnostic{Pos: source.Pos{File: "--set"}, Code: "wrong-type", Message: message, Hint: hint}
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
