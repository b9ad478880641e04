package rules

import (
	"fmt"
	"slices"
)

// hold applies what fired rules say of the trust in others: on the same lane, and for rules of a whole trace or job on all its
// lanes. A held finding is no more than info, and its saving is not counted; a silenced one is none.
func (e *evaluation) hold() {
	for i := range e.verdicts {
		holder := &e.verdicts[i]
		if holder.status != Fired {
			continue
		}
		for j := range e.verdicts {
			held := &e.verdicts[j]
			if held.status == Fired && held.rule != holder.rule && reaches(holder, held) {
				holder.apply(held)
			}
		}
	}
	for i := range e.verdicts {
		if v := &e.verdicts[i]; v.status == Fired && len(v.findings) == 0 {
			v.status = Suppressed
		}
	}
}

func reaches(holder, held *verdict) bool {
	switch {
	case holder.rule.Scope == JobScope || held.rule.Scope == JobScope:
		return true
	case holder.scene == held.scene:
		return true
	}
	return (holder.rule.Scope == TraceScope || held.rule.Scope == TraceScope) && holder.scene.lane.Lane.Trace == held.scene.lane.Lane.Trace
}

func (v *verdict) apply(held *verdict) {
	for _, h := range v.holds {
		if !slices.ContainsFunc(h.Rules, held.rule.matches) {
			continue
		}
		if h.Silent {
			held.findings = nil
			held.reason = fmt.Sprintf("`%s` fired (%s)", v.rule.ID, v.rule.Title)
			return
		}
		for _, f := range held.findings {
			f.Severity = min(f.Severity, Info)
			if f.HeldBy == "" {
				f.HeldBy = v.rule.ID
			}
		}
	}
}
