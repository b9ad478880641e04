package report

import (
	"cmp"
	"slices"

	"perflint/rules"
)

// ranked is a finding with the rule it belongs to.
type ranked struct {
	*Finding
	rule *Outcome
}

func level(severity string) int {
	return slices.Index([]string{"silent", "info", "warning", "error"}, severity)
}

func confidence(c string) int { return slices.Index([]string{"low", "medium", "high"}, c) }

// findings is what is shown as a finding of its own, worst first: by level, exclusive saving, confidence, id; of those
// without a saving what says how far the others can be trusted is first, then what claims most by itself. Folded, suppressed and
// known ones are not among them.
func (r *Report) findings() []ranked {
	var out []ranked
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		if o.Status != rules.Fired.String() {
			continue
		}
		for j := range o.Findings {
			if f := &o.Findings[j]; f.FoldedInto == "" && f.Suppressed == "" && !f.Known {
				out = append(out, ranked{f, o})
			}
		}
	}
	slices.SortStableFunc(out, compare)
	return out
}

func compare(a, b ranked) int {
	return cmp.Or(
		cmp.Compare(level(b.Severity), level(a.Severity)),
		cmp.Compare(b.saving(), a.saving()),
		lastly(a.rule.trusting(), b.rule.trusting()),
		cmp.Compare(b.AloneUs, a.AloneUs),
		cmp.Compare(confidence(b.rule.Confidence), confidence(a.rule.Confidence)),
		cmp.Compare(a.rule.Rule, b.rule.Rule),
	)
}

// trusting reports whether a rule takes the trace as it is.
func (o *Outcome) trusting() bool { return !o.Holds }

// lastly orders what is so after what is not.
func lastly(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// saving orders findings of one level. A bound outside the ledger counts less than any claim.
func (f Finding) saving() float64 {
	if f.ExclusiveUs > 0 {
		return f.ExclusiveUs
	}
	return -1 / (1 + f.UpToUs)
}

// sort puts fired rules first, in the order of their worst findings, then the others by what became of them and by id.
func (r *Report) sort() {
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		slices.SortStableFunc(o.Findings, func(a, b Finding) int { return compare(ranked{&a, o}, ranked{&b, o}) })
	}
	place := map[string]int{}
	for i, f := range r.findings() {
		if _, ok := place[f.rule.Rule]; !ok {
			place[f.rule.Rule] = i - 1<<20
		}
	}
	status := []string{"fired", "suppressed", "abstained", "passed", "skipped"}
	slices.SortStableFunc(r.Outcomes, func(a, b Outcome) int {
		return cmp.Or(
			cmp.Compare(place[a.Rule], place[b.Rule]),
			cmp.Compare(slices.Index(status, a.Status), slices.Index(status, b.Status)),
			cmp.Compare(a.Rule, b.Rule),
		)
	})
}

// Worst is the highest level among the findings that count for the exit code, Silent when there is none: not those that are
// folded into another one, suppressed, or claim next to nothing that others do not claim too.
func (r *Report) Worst() rules.Severity {
	worst := rules.Silent
	for _, f := range r.findings() {
		if f.Decides {
			worst = max(worst, rules.Severity(max(0, level(f.Severity))))
		}
	}
	return worst
}

// ExitCode is 1 when a finding reaches failOn (error, warning, info, never), or when a required rule was not judged; else 0.
func (r *Report) ExitCode(failOn string, required ...string) int {
	if w := r.Worst(); failOn != "never" && w > rules.Silent && int(w) >= level(failOn) {
		return 1
	}
	for _, id := range required {
		if _, judged := r.Judged(id); !judged {
			return 1
		}
	}
	return 0
}

// Judged reports whether a rule came to a verdict, and if not why.
func (r *Report) Judged(id string) (why string, judged bool) {
	i := slices.IndexFunc(r.Outcomes, func(o Outcome) bool { return o.Rule == id })
	switch {
	case i < 0:
		return "it is not among the selected rules", false
	case r.Outcomes[i].Status == rules.Abstained.String():
		return cmp.Or(r.Outcomes[i].Reason, "no reason given"), false
	}
	return "", true
}
