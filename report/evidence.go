package report

import (
	"slices"
	"strings"

	"perflint/detectors/feature"
)

// told is the evidence worth reading: of several lines with one label the one with a limit, and none without a value.
func told(list []Evidence) []Evidence {
	var out []Evidence
	for _, e := range list {
		if e.Value == nil || e.Value == "" {
			continue
		}
		i := slices.IndexFunc(out, func(o Evidence) bool { return o.Feature == e.Feature && (o.Limit == nil || e.Limit == nil) })
		switch {
		case i < 0:
			out = append(out, e)
		case out[i].Limit == nil:
			out[i] = e
		}
	}
	return out
}

// label is the name of a feature or an expression as code, and the rule's own words as words.
func (e Evidence) label(n int) string {
	if strings.ContainsAny(e.Feature, "._([") {
		return code(e.Feature, n)
	}
	return prose(e.Feature)
}

// value prints what was measured, numbers by their unit, of a text at most n characters.
func (e Evidence) value(n int) string {
	if s, ok := e.Value.(string); ok {
		return code(s, n)
	}
	return feature.Format(e.Value, e.Unit)
}

// limit is the comparison that the value stood, "> 20 %", or did not stand, "not > 20 %": a condition may hold for another
// reason. It is empty when there was none.
func (e Evidence) limit() string {
	if e.Limit == nil {
		return ""
	}
	s := e.Limit.Op + " " + Evidence{Value: e.Limit.Value, Unit: e.Unit}.value(inTable)
	if !e.holds() {
		s = "not " + s
	}
	return s
}

// holds reports whether the value stands the comparison; true when that cannot be told.
func (e Evidence) holds() bool {
	if e.Limit == nil {
		return true
	}
	v, ok := toNumber(e.Value)
	l, ok2 := toNumber(e.Limit.Value)
	if !ok || !ok2 {
		return true
	}
	switch e.Limit.Op {
	case ">":
		return v > l
	case ">=":
		return v >= l
	case "<":
		return v < l
	case "<=":
		return v <= l
	case "==":
		return v == l
	case "!=":
		return v != l
	}
	return true
}

func toNumber(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	}
	return 0, false
}

// evidenceLine is the evidence in one sentence: the numbers that speak for the finding, and words that no comparison gave away.
func evidenceLine(list []Evidence) string {
	var out []string
	for _, e := range told(list) {
		_, text := e.Value.(string)
		_, truth := e.Value.(bool)
		if truth || text && e.Limit != nil || !e.holds() {
			continue
		}
		s := e.label(inTable) + " " + e.value(inText)
		if l := e.limit(); l != "" {
			s += " (" + l + ")"
		}
		out = append(out, s)
	}
	if len(out) == 0 {
		return ""
	}
	return "Measured: " + strings.Join(out, "; ") + "."
}
