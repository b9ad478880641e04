package rules

import (
	"maps"
	"slices"
)

// needs are the features without which the rule abstains. Where the severity follows from what is claimed, that is among them.
func (rule *Rule) needs() []string {
	all := map[string]bool{}
	add := func(names ...string) {
		for _, n := range names {
			all[n] = true
		}
	}
	b := &rule.body
	add(b.applies.needs()...)
	add(b.when.needs()...)
	if b.forEach != nil {
		add(b.forEach.Name)
	}
	if rule.Auto {
		add("gpu.window_us")
		add(claimFeatures(b.claims)...)
		add(b.share.needs()...)
	}
	return slices.Sorted(maps.Keys(all))
}

func (e *expression) needs() []string {
	if e == nil {
		return nil
	}
	return e.names.needs()
}

func (e *expression) source() string {
	if e == nil {
		return ""
	}
	return e.text
}

// expressions are all of the rule's, those in templates too.
func (rule *Rule) expressions() []*expression {
	b := &rule.body
	out := []*expression{b.applies, b.when, b.warningWhen, b.errorWhen, b.share, b.saving}
	for _, h := range rule.Holds {
		out = append(out, h.when)
	}
	templates := []*template{b.message, b.subject}
	for _, f := range b.fixes {
		out, templates = append(out, f.when), append(templates, f.do)
	}
	for _, e := range b.evidence {
		out, templates = append(out, e.value), append(templates, e.label)
	}
	for _, t := range templates {
		if t != nil {
			for _, p := range t.parts {
				out = append(out, p.value)
			}
		}
	}
	return slices.DeleteFunc(out, func(e *expression) bool { return e == nil })
}

// features are all features that an expression of the rule names, claims aside.
func (rule *Rule) features() []string {
	all := map[string]bool{}
	for _, e := range rule.expressions() {
		maps.Copy(all, e.names.required)
		maps.Copy(all, e.names.optional)
	}
	return slices.Sorted(maps.Keys(all))
}
