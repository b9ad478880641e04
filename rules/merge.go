package rules

import (
	"cmp"
	"slices"
)

// merge makes one outcome of a rule's verdicts, one for each lane. It fired when it fired on any; else it abstained when it
// abstained on any.
func merge(verdicts []verdict) Outcome {
	out := Outcome{Rule: verdicts[0].rule, Status: Skipped}
	var findings []*finding
	for _, v := range verdicts {
		if urgency(v.status) > urgency(out.Status) {
			out.Status, out.Reason, out.Missing = v.status, v.reason, v.missing
		}
		findings = append(findings, v.findings...)
	}
	out.Findings = mergeLanes(findings)
	live := len(out.Findings)
	if i := slices.IndexFunc(out.Findings, func(f Finding) bool { return f.Suppressed != "" }); i >= 0 {
		live = i
	}
	if limit := out.Rule.Limit; out.Rule.ForEach != "" && live > limit {
		out.More = live - limit
		out.Findings = slices.Delete(out.Findings, limit, live)
	}
	if out.Status == Fired && live == 0 {
		out.Status, out.Reason = Suppressed, out.Findings[0].Suppressed
	}
	return out
}

func urgency(s Status) int {
	return slices.Index([]Status{Skipped, Passed, Suppressed, Abstained, Fired}, s)
}

// mergeLanes makes one finding of those that differ only in the lane, and orders by severity, then by what they claim,
// suppressed ones last. The worst lane speaks for all.
func mergeLanes(findings []*finding) []Finding {
	slices.SortStableFunc(findings, func(a, b *finding) int {
		return cmp.Or(lastly(a.Suppressed != "", b.Suppressed != ""), cmp.Compare(b.Severity, a.Severity), cmp.Compare(b.Alone, a.Alone), cmp.Compare(b.UpTo, a.UpTo),
			cmp.Compare(a.record, b.record), cmp.Compare(a.Lane, b.Lane))
	})
	var out []Finding
	for _, f := range findings {
		i := slices.IndexFunc(out, func(o Finding) bool {
			return o.Subject == f.Subject && o.Suppressed == f.Suppressed && !slices.Contains(o.Lanes, f.Lane)
		})
		saving := Saving{f.Alone, f.Exclusive, f.window}
		if i >= 0 {
			out[i].Lanes = append(out[i].Lanes, f.Lane)
			out[i].ByLane = append(out[i].ByLane, saving)
			continue
		}
		f.ByLane = []Saving{saving}
		if f.into != nil {
			f.FoldedInto = f.into.rule.ID
		}
		out = append(out, f.Finding)
	}
	return out
}

// lastly orders what is true behind what is not.
func lastly(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
