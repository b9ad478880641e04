package rules

import (
	"fmt"

	"perflint/detectors/feature"
	"perflint/rules/source"
)

// readParams reads name: value and name: {default, unit, doc, min, max}.
func readParams(r *reader, n *source.Node) []Param {
	if n == nil {
		return nil
	}
	if n.Kind != source.Map {
		r.report(n, "wrong-type", "", "params is a map of name to value, got %s", n.Kind)
		return nil
	}
	var out []Param
	for _, f := range n.Fields {
		if !paramForm.MatchString(f.Key.Value) {
			r.report(f.Key, "bad-id", "", "a parameter is lower-case letters, digits and _; got %s", shown(f.Key))
			continue
		}
		if f.Key.Value == "severity" {
			r.report(f.Key, "bad-id", "", "severity is what --set RULE.severity sets; call the parameter otherwise")
			continue
		}
		d := paramDraft{param: Param{Name: f.Key.Value}, value: f.Value}
		if f.Value.Kind == source.Map {
			d.value = nil
			decode(r, f.Value, paramFields, &d, "default")
		}
		if d.value != nil {
			out = append(out, d.finish(r))
		} else {
			out = append(out, d.param) // without a default, so that naming it is no second mistake
		}
	}
	return out
}

// finish gives the parameter its type from its default. A share lies between 0 and 1 unless the rule says otherwise.
func (d paramDraft) finish(r *reader) Param {
	p := d.param
	before := len(r.diags)
	p.Default = p.scalar(r, d.value)
	if v, isNumber := p.Default.(float64); isNumber && len(r.diags) == before {
		if _, unit, _ := number(d.value.Value); p.Unit == feature.NoUnit {
			p.Unit = unit
		}
		p.Min, p.Max = p.bound(r, d.min), p.bound(r, d.max)
		if p.Unit == feature.Frac {
			zero, one := 0.0, 1.0
			if p.Min == nil {
				p.Min = &zero
			}
			if p.Max == nil {
				p.Max = &one
			}
		}
		if problem := p.outside(v, d.value.Value); problem != "" {
			r.report(d.value, "wrong-type", "", "%s", problem)
		}
	}
	return p
}

func (p Param) bound(r *reader, n *source.Node) *float64 {
	if n == nil {
		return nil
	}
	v, ok := numberOf(n.Value, p.Unit)
	if !ok {
		r.report(n, "wrong-type", "", "expected %s, got %s", unitWords[p.Unit], shown(n))
		return nil
	}
	return &v
}

// scalar reads the default: a number where it can be one.
func (p Param) scalar(r *reader, n *source.Node) any {
	switch n.Kind {
	case source.Bool:
		return n.Value == "true"
	case source.Number, source.Text:
		if v, unit, ok := number(n.Value); ok {
			if p.Unit != feature.NoUnit && unit != feature.NoUnit && unit != p.Unit {
				r.report(n, "wrong-type", "", "expected %s, got %s", unitWords[p.Unit], shown(n))
			}
			return v
		}
		if n.Kind == source.Number {
			r.report(n, "wrong-type", "", "%s is no number that perflint takes", shown(n))
		}
		return n.Value
	}
	r.report(n, "wrong-type", "", "expected one value, got %s", n.Kind)
	return ""
}

// parse reads a value for the parameter as written in a config, a test or a flag. The problem is empty when it is one.
func (p Param) parse(s string) (v any, problem string) {
	switch p.Default.(type) {
	case bool:
		if s != "true" && s != "false" {
			return nil, fmt.Sprintf("%s must be true or false, got %s", p.Name, s)
		}
		return s == "true", ""
	case string:
		return s, ""
	}
	n, ok := numberOf(s, p.Unit)
	if !ok {
		return nil, fmt.Sprintf("%s must be %s, got %s", p.Name, unitWords[p.Unit], s)
	}
	return n, p.outside(n, s)
}

func (p Param) outside(v float64, written string) string {
	low, high := p.Min != nil && v < *p.Min, p.Max != nil && v > *p.Max
	if !low && !high {
		return ""
	}
	show := func(f *float64) string {
		if p.Unit == feature.Frac {
			return feature.Digits(*f, 6)
		}
		return feature.Format(*f, p.Unit)
	}
	hint := ""
	if _, unit, _ := number(written); unit == feature.NoUnit && p.Unit == feature.Frac && v > 1 && v <= 100 {
		hint = fmt.Sprintf(" (write %s%% or %s)", feature.Digits(v, 6), feature.Digits(v/100, 6))
	}
	switch {
	case p.Min != nil && p.Max != nil:
		return fmt.Sprintf("%s must be between %s and %s, got %s%s", p.Name, show(p.Min), show(p.Max), written, hint)
	case low:
		return fmt.Sprintf("%s must be at least %s, got %s%s", p.Name, show(p.Min), written, hint)
	}
	return fmt.Sprintf("%s must be at most %s, got %s%s", p.Name, show(p.Max), written, hint)
}
