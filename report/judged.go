package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"perflint/rules"
)

// reason is one cause for which rules gave no verdict. Many rules lack the same thing, and the reader wants that once.
type reason struct {
	reason string // Markdown
	rules  []string
}

func (r *Report) notJudged() []reason {
	var out []reason
	add := func(why, rule string) {
		i := slices.IndexFunc(out, func(g reason) bool { return g.reason == why })
		if i < 0 {
			i = len(out)
			out = append(out, reason{reason: why})
		}
		if !slices.Contains(out[i].rules, rule) {
			out[i].rules = append(out[i].rules, rule)
		}
	}
	for _, o := range r.Outcomes {
		switch accepted := o.accepted(); {
		case o.Status == rules.Abstained.String():
			add(prose(cmp.Or(o.Reason, "no reason given")), o.Rule)
		case o.Status == rules.Suppressed.String() && len(accepted) == 0:
			add("suppressed: "+prose(cmp.Or(o.Reason, "no reason given")), o.Rule)
		default:
			for _, f := range accepted {
				add("suppressed: "+prose(f.Suppressed), o.Rule)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b reason) int { return cmp.Compare(len(b.rules), len(a.rules)) })
	return out
}

// accepted is the findings that the user suppresses.
func (o Outcome) accepted() []Finding {
	return slices.DeleteFunc(slices.Clone(o.Findings), func(f Finding) bool { return f.Suppressed == "" })
}

// known is the findings that the baseline has, those that are folded or suppressed aside.
func (o Outcome) known() []Finding {
	return slices.DeleteFunc(slices.Clone(o.Findings), func(f Finding) bool { return !f.Known || f.FoldedInto != "" || f.Suppressed != "" })
}

// codes lists names as code, at most n of them.
func codes(names []string, n int) string {
	var out []string
	for _, s := range names[:min(n, len(names))] {
		out = append(out, code(s, inTable))
	}
	if len(names) > n {
		out = append(out, fmt.Sprintf("and %d more", len(names)-n))
	}
	return strings.Join(out, ", ")
}

// maxNotes is how many notes of readers are shown.
const maxNotes = 8

// notes are what a reader must know before believing the numbers: what the file lacks, and which findings are held down or
// silenced by a rule about the trace's quality.
func (r *Report) notes() []string {
	var out []string
	for _, t := range r.Traces {
		for _, n := range t.Notes {
			if len(r.Traces) > 1 {
				n = t.Path + ": " + n
			}
			out = append(out, prose(n))
		}
	}
	if n := len(out) - maxNotes; n > 0 {
		out = append(out[:maxNotes], fmt.Sprintf("%s in the JSON report.", counted(n, "further note")))
	}
	held := map[string][]string{}
	var holders []string
	for _, f := range r.findings() {
		if f.HeldBy == "" || slices.Contains(held[f.HeldBy], f.rule.Rule) {
			continue
		}
		if held[f.HeldBy] == nil {
			holders = append(holders, f.HeldBy)
		}
		held[f.HeldBy] = append(held[f.HeldBy], f.rule.Rule)
	}
	for _, h := range holders {
		out = append(out, fmt.Sprintf("%s holds %s at info.", code(h, inText), codes(held[h], 12)))
	}
	return append(out, r.silenced()...)
}

// silenced says which rules a rule about the trace's quality keeps silent although their condition holds.
func (r *Report) silenced() []string {
	rulesFor := map[string][]string{}
	var why []string
	for _, o := range r.Outcomes {
		if o.Status != rules.Suppressed.String() || len(o.accepted()) > 0 || o.Reason == "" {
			continue
		}
		if rulesFor[o.Reason] == nil {
			why = append(why, o.Reason)
		}
		rulesFor[o.Reason] = append(rulesFor[o.Reason], o.Rule)
	}
	var out []string
	for _, reason := range why {
		out = append(out, fmt.Sprintf("%s, so nothing is said of %s.", prose(reason), codes(rulesFor[reason], 12)))
	}
	return out
}

// made says what made the report.
func (r *Report) made() []string {
	out := []string{"perflint " + name(cmp.Or(r.Tool.Version, "unversioned"), inTable)}
	if r.Tool.Rules != "" {
		out = append(out, "rules "+name(r.Tool.Rules, inText))
	}
	if r.Tool.Config != "" {
		out = append(out, "config "+name(r.Tool.Config, inText))
	}
	return out
}
