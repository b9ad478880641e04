package rules

import (
	"maps"
	"slices"
)

// sameTime is the part of the smaller one of two claims that they must share to be one problem seen from two sides.
const sameTime = 0.8

// fold prints findings that claim the same time as one, led by the most specific. A finding of which more is left than its
// leader claims stays on its own: a detail does not speak for it.
func (e *evaluation) fold() {
	lanes := e.byLane()
	for _, lane := range slices.Sorted(maps.Keys(lanes)) {
		var leaders []*finding
		for _, f := range lanes[lane] {
			if leader := f.leader(leaders); leader != nil {
				leader.lead(f)
				continue
			}
			leaders = append(leaders, f)
		}
	}
}

// leader is the one of the findings served earlier that shares most time with f and may speak for it; nil when none does.
func (f *finding) leader(leaders []*finding) *finding {
	var best *finding
	most := 0.0
	for _, l := range leaders {
		shared := l.Claims.And(f.Claims).Total().Micros()
		smaller := min(l.Claims.Total(), f.Claims.Total()).Micros()
		same := shared > sameTime*smaller || l.refines(f) && shared > 0
		if l.rule == f.rule || !same || f.Exclusive > l.Alone || l.HeldBy != "" && f.HeldBy == "" {
			continue
		}
		if shared > most {
			best, most = l, shared
		}
	}
	return best
}

// lead takes f under l. One problem has one severity: the worse, unless its leader is held. What f claims beyond l is won by
// the same remedy and goes to l; only a rule about the GPU as a whole names no remedy of its own, so its rest is nobody's.
func (l *finding) lead(f *finding) {
	f.into = l
	if f.rule.Grain != GPUGrain {
		l.Exclusive += f.Exclusive
	}
	f.Exclusive = 0
	l.SeenAs = append(l.SeenAs, f.rule.ID)
	if l.HeldBy == "" {
		l.Severity = max(l.Severity, f.Severity)
	}
}
