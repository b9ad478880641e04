package report

import (
	"slices"
	"strings"

	"perflint/rules"
)

func (m markdown) seenAs(f Finding) string {
	var lines []string
	for _, id := range f.SeenAs {
		line := "- " + code(id, inText)
		if x := m.r.folded(id); x != nil {
			line += ": " + m.r.quote(f, x)
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return ""
	}
	return "The same time, seen also as\n" + strings.Join(lines, "\n")
}

// folded is a rule's first finding that was folded into another's, nil without one.
func (r *Report) folded(rule string) *ranked {
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		if o.Rule != rule {
			continue
		}
		for j := range o.Findings {
			if f := &o.Findings[j]; f.FoldedInto != "" {
				return &ranked{f, o}
			}
		}
	}
	return nil
}

// wider is how much more than its leader a follower must claim to be told with its own sentence.
const wider = 1.25

// seenAlso names what a finding was seen as, too, and quotes two of them: the one that sees most beyond it, for then its own
// numbers are not the whole, and its largest detail. That the GPU idles stands in the report's own table.
func (r *Report) seenAlso(f ranked) []string {
	whole := r.follower(f, func(x *ranked) bool {
		return x.rule.Grain != rules.GPUGrain.String() && x.aloneOn(f.Lane) >= wider*f.AloneUs
	})
	detail := r.follower(f, func(x *ranked) bool {
		return slices.Contains(x.rule.Refines, f.rule.Rule) && x.aloneOn(f.Lane) < f.AloneUs
	})
	var out, names []string
	for _, id := range f.SeenAs {
		if (whole == nil || id != whole.rule.Rule) && (detail == nil || id != detail.rule.Rule) {
			names = append(names, id)
		}
	}
	if len(names) > 0 {
		out = append(out, "Seen also as "+codes(names, 8)+".")
	}
	if whole != nil {
		out = append(out, "More of it is seen as "+code(whole.rule.Rule, inText)+": "+r.quote(*f.Finding, whole))
	}
	if detail != nil {
		out = append(out, "A part of it is "+code(detail.rule.Rule, inText)+": "+r.quote(*f.Finding, detail))
	}
	return out
}

// quote is the sentence of a follower, with the lane that its numbers are of where that is not its leader's.
func (r *Report) quote(f Finding, x *ranked) string {
	s := tidy(x.Message)
	if x.Lane != f.Lane && x.Lane >= 0 {
		s += " (" + literal(r.laneName(x.Lane)) + ")"
	}
	return s
}

// aloneOn is what the finding claims by itself on a lane.
func (f Finding) aloneOn(lane int) float64 {
	for _, s := range f.ByLane {
		if s.Lane == lane {
			return s.AloneUs
		}
	}
	return 0
}

// follower is the largest of those that f was seen as, too, and that are wanted; nil without one.
func (r *Report) follower(f ranked, wanted func(*ranked) bool) *ranked {
	var most *ranked
	for _, id := range f.SeenAs {
		if x := r.folded(id); x != nil && wanted(x) && (most == nil || x.aloneOn(f.Lane) > most.aloneOn(f.Lane)) {
			most = x
		}
	}
	return most
}
