package detectors

import (
	"perflint/detectors/span"
	"perflint/detectors/timeline"
)

// gapTime is the time of one part of the gaps. A detector that needs several parts walks over the gaps once for all of them:
// there may be as many as kernels.
func gapTime(lane *timeline.Lane, part func(*timeline.Gap) span.Span) span.Packed {
	var out span.Packer
	for i := range lane.Gaps {
		out.Add(part(&lane.Gaps[i]))
	}
	return out.Packed()
}

// kinds is a set of kinds of cause, a bit for each.
type kinds uint64

func kindsOf(all ...timeline.CauseKind) kinds {
	var k kinds
	for _, c := range all {
		k |= 1 << c
	}
	return k
}

func (k kinds) has(c timeline.CauseKind) bool { return k>>c&1 == 1 }

// paced is the host-late and launch-call time of a gap, without what kinds of culprit are blamed for.
func paced(lane *timeline.Lane, g *timeline.Gap, without kinds) span.Span {
	s := span.Span{Start: g.Start, End: g.LaunchCall().End}
	if without.has(lane.HostKind(g)) {
		s.Start = g.LaunchCall().Start
	}
	if without.has(g.CallKind()) {
		s.End = g.LaunchCall().Start
	}
	return s
}
