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
			line += ": " + tidy(x.Message)
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

// seenWider is the sentence of the follower that sees most beyond its leader, for then the leader's numbers are not the whole
// of it. That the GPU idles stands in the report's own table.
func (r *Report) seenWider(f ranked) string {
	most := r.follower(f, func(x *ranked) bool {
		return x.rule.Grain != rules.GPUGrain.String() && x.AloneUs >= wider*f.AloneUs
	})
	if most == nil {
		return ""
	}
	return code(most.rule.Rule, inText) + " sees more of it: " + tidy(most.Message)
}

// seenFiner is the sentence of the largest follower that is a detail of its leader.
func (r *Report) seenFiner(f ranked) string {
	most := r.follower(f, func(x *ranked) bool {
		return slices.Contains(x.rule.Refines, f.rule.Rule) && x.AloneUs < f.AloneUs
	})
	if most == nil {
		return ""
	}
	return "A part of it is " + code(most.rule.Rule, inText) + ": " + tidy(most.Message)
}

// follower is the largest of those that f was seen as, too, and that are wanted; nil without one.
func (r *Report) follower(f ranked, wanted func(*ranked) bool) *ranked {
	var most *ranked
	for _, id := range f.SeenAs {
		if x := r.folded(id); x != nil && wanted(x) && (most == nil || x.AloneUs > most.AloneUs) {
			most = x
		}
	}
	return most
}

func alsoSeen(f Finding) string {
	if len(f.SeenAs) == 0 {
		return ""
	}
	return "Seen also as " + codes(f.SeenAs, 8) + "."
}
