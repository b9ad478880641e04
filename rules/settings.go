package rules

import (
	"path"
	"slices"
	"strings"

	"perflint/detectors/feature"
	"perflint/rules/source"
)

// Override is one setting of a rule by its user.
type Override struct {
	Rule  string
	Param string       // empty: the severity
	Value string       // as written: 10%, 3ms, error, off
	At    *source.Node // where the value is written; nil is nowhere

	rule, param *source.Node // where their names are, nil as At
}

// settings is what holds for one rule after overrides.
type settings struct {
	auto, off bool
	severity  Severity
	params    map[string]any
}

// settings leaves out overrides that Configure refuses.
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

// Of is the rule as the configuration has it, for those who explain it: its parameters' defaults are what they are set to.
func (c Config) Of(rule *Rule) *Rule {
	set, out := c.settings(rule), *rule
	out.Auto, out.Severity, out.Params = set.auto, set.severity, slices.Clone(rule.Params)
	for i, p := range out.Params {
		if value := set.params[p.Name]; value != p.Default {
			out.Params[i].Default = value
			out.Params[i].Doc = strings.TrimPrefix(p.Doc+"; by default "+feature.Format(p.Default, p.Unit), "; ")
		}
	}
	return &out
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
