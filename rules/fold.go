package rules

import (
	"cmp"
	"maps"
	"slices"
)

// sameTime is the part of the smaller one of two claims that they must share to be one problem seen from two sides.
const sameTime = 0.8

// ownRest is how much of a leader's saving must be left of a finding with a remedy of its own, that it stays on its own.
const ownRest = 0.5

// fold prints findings that claim the same time as one, led by the most specific. A finding of which much is left beside its
// leader stays on its own: a detail does not speak for it. What little is left of the others goes to those that claim it too.
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
		serve(leaders)
		withhold(lanes[lane])
	}
}

// withhold takes what held findings would save out of the account: nothing is known of it.
func withhold(findings []*finding) {
	for _, f := range findings {
		if f.HeldBy != "" {
			f.Exclusive = 0
		}
	}
}

// leader is the one of the findings served earlier that shares most time with f and may speak for it; nil when none does. One
// that is suppressed speaks only where no other does.
func (f *finding) leader(leaders []*finding) *finding {
	var best *finding
	most := 0.0
	for _, l := range leaders {
		shared := l.Claims.Shared(f.Claims).Micros()
		smaller := min(l.Claims.Total(), f.Claims.Total()).Micros()
		same := shared > sameTime*smaller || l.refines(f) && shared > 0
		if l.rule == f.rule || !same || !l.speaksFor(f) {
			continue
		}
		if best == nil || cmp.Or(lastly(best.Suppressed != "", l.Suppressed != ""), cmp.Compare(shared, most)) > 0 {
			best, most = l, shared
		}
	}
	return best
}

// speaksFor reports whether f may be printed under l. What is accepted hides the same time seen from another side, but nothing
// that is left of it.
func (l *finding) speaksFor(f *finding) bool {
	switch {
	case f.outlives(l), l.HeldBy != "" && f.HeldBy == "":
		return false
	case l.Suppressed == "":
		return f.Suppressed == ""
	}
	return f.Suppressed != "" || f.Exclusive < least*f.window
}

// outlives reports whether too much of f is left for l to speak for it. A rule about the GPU as a whole names no remedy of
// its own, and one that l refines none that l does not name: it says more than its leader only when more is left than that
// claims at all.
func (f *finding) outlives(l *finding) bool {
	if f.rule.Grain == GPUGrain || l.refines(f) {
		return f.Exclusive > l.Alone
	}
	return f.Exclusive > ownRest*l.Alone
}

// lead takes f under l. One problem has one severity: the worse, unless its leader is held.
func (l *finding) lead(f *finding) {
	f.into = l
	f.Exclusive = 0
	l.SeenAs = append(l.SeenAs, f.rule.ID)
	f.Suppressed = l.Suppressed
	if l.HeldBy == "" {
		l.Severity = max(l.Severity, f.Severity)
	}
}
