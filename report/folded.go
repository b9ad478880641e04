package report

import (
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
func (r *Report) seenWider(f Finding) string {
	var most *ranked
	for _, id := range f.SeenAs {
		x := r.folded(id)
		if x == nil || x.rule.Grain == rules.GPUGrain.String() || x.AloneUs < wider*f.AloneUs || most != nil && x.AloneUs <= most.AloneUs {
			continue
		}
		most = x
	}
	if most == nil {
		return ""
	}
	return code(most.rule.Rule, inText) + " sees more of it: " + tidy(most.Message)
}

func alsoSeen(f Finding) string {
	if len(f.SeenAs) == 0 {
		return ""
	}
	return "Seen also as " + codes(f.SeenAs, 8) + "."
}
