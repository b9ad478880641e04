package report

import "slices"

// DefaultSlack is how much more a finding of the baseline may claim before it is reported again, as a share of its claim.
const DefaultSlack = 0.1

// leastGrowth is the share of the window below which nothing counts as grown: runs differ by that much anyway.
const leastGrowth = 0.01

// Against is the report with the findings that an older one has too marked as known: they are neither shown nor do they decide
// the exit code, unless they claim more than slack beyond what they did. One that claims nothing is worse when its level is.
func (r *Report) Against(old *Report, slack float64) *Report {
	before := map[string]ranked{}
	for i := range old.Outcomes {
		o := &old.Outcomes[i]
		for j := range o.Findings {
			if f := &o.Findings[j]; f.Suppressed == "" {
				before[f.Fingerprint] = ranked{f, o}
			}
		}
	}
	out := *r
	out.Outcomes = slices.Clone(r.Outcomes)
	for i := range out.Outcomes {
		o := &out.Outcomes[i]
		o.Findings = slices.Clone(o.Findings)
		for j := range o.Findings {
			f := &o.Findings[j]
			was, known := before[f.Fingerprint]
			f.Known = known && !worse(*f, r.claim(*f), *was.Finding, old.claim(*was.Finding), slack)
		}
	}
	out.sort()
	out.Summary = out.count()
	return &out
}

func worse(now Finding, claims float64, was Finding, claimed, slack float64) bool {
	if claims == 0 {
		return level(now.Severity) > level(was.Severity)
	}
	return claims > claimed*(1+slack) && claims > claimed+leastGrowth
}

// claim is the share of its window that a finding claims by itself: what others claim too changes when they are mended.
func (r *Report) claim(f Finding) float64 {
	if f.Lane < 0 {
		return 0
	}
	return fraction(max(f.AloneUs, f.UpToUs), r.Lanes[f.Lane].number("gpu.window_us"))
}
