package rules

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"perflint/detectors/span"
)

// ledger serves the claims of each lane: every moment of the window is given to one finding at the most, so that exclusive
// savings add up to no more than the window.
func (e *evaluation) ledger() {
	lanes := e.byLane()
	for _, lane := range slices.Sorted(maps.Keys(lanes)) {
		serve(lanes[lane])
	}
}

// byLane is the findings with claims, by the lane that they claim on.
func (e *evaluation) byLane() map[int][]*finding {
	lanes := map[int][]*finding{}
	for _, v := range e.verdicts {
		for _, f := range v.findings {
			if len(f.Claims) > 0 {
				lanes[f.Lane] = append(lanes[f.Lane], f)
			}
		}
	}
	for lane, fs := range lanes {
		lanes[lane] = serviceOrder(fs)
	}
	return lanes
}

// serve gives each finding in turn what is not claimed yet.
func serve(findings []*finding) {
	var taken span.Set
	for _, f := range findings {
		f.Exclusive = f.saved(f.Claims.Total() - f.Claims.Shared(taken))
		taken = taken.Or(f.Claims)
	}
}

// serviceOrder is the finer grain first, then the larger claim, then by id; and a refining rule before what it refines, if it
// sees enough of it. Held findings come last, for they take nothing from those that can be trusted.
func serviceOrder(findings []*finding) []*finding {
	fs := slices.Clone(findings)
	slices.SortFunc(fs, func(a, b *finding) int {
		return cmp.Or(lastly(a.HeldBy != "", b.HeldBy != ""), cmp.Compare(a.rule.Grain.rank(), b.rule.Grain.rank()), cmp.Compare(b.Alone, a.Alone),
			strings.Compare(a.rule.ID, b.rule.ID), cmp.Compare(a.record, b.record))
	})
	out := make([]*finding, 0, len(fs))
	placed := map[*finding]bool{}
	var place func(f *finding)
	place = func(f *finding) {
		if placed[f] {
			return
		}
		placed[f] = true // before the others, so that rules that refine each other end
		for _, finer := range fs {
			if finer.refines(f) && finer.stands(f) {
				place(finer)
			}
		}
		out = append(out, f)
	}
	for _, f := range fs {
		place(f)
	}
	return out
}

// mostOfIt is the part of a finding that one of the same grain which refines it must hold to be named in its place: with less,
// so much would be left of it that it would stand beside that one.
const mostOfIt = 1 / (1 + ownRest)

// stands reports whether f, which refines the other, is served before it. A detail of a call or a collective does not stand
// for all of them: it is told under the whole.
func (f *finding) stands(other *finding) bool {
	if f.HeldBy != "" && other.HeldBy == "" {
		return false
	}
	return f.rule.Grain.rank() < other.rule.Grain.rank() || f.Alone >= mostOfIt*other.Alone
}

func (f *finding) refines(other *finding) bool {
	return f.rule != other.rule && slices.ContainsFunc(f.rule.Refines, other.rule.matches)
}
