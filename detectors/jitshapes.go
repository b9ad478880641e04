package detectors

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
	"perflint/detectors/trace"
)

var jitShapeFields = []feature.Decl{
	text("op", "Op whose launch waited"),
	count("shape_count", "Different input dimensions with which it did"),
	text("shapes", "The first of them"),
	number("lost_us", feature.Us, "Idle time blamed on code loading and compilation before its launches"),
	number("frac", feature.Frac, "The same as a share of the window"),
}

// putJitShapes lists the ops before whose launches code was loaded or compiled, with their input dimensions: when those change
// from step to step, so does the code that they need.
func putJitShapes(lane *timeline.Lane, set *feature.Set) {
	if !lane.Trace.HasShapes {
		set.Missing(noShapes(lane), "jit.shapes")
		return
	}
	type use struct {
		op     trace.Text
		shapes []trace.Text // in the order in which they come
		lost   span.Time
	}
	uses := map[trace.Text]*use{}
	jit := kindsOf(jitKinds...)
	for i := range lane.Gaps {
		g := &lane.Gaps[i]
		lost := span.Time(0)
		if jit.has(lane.HostKind(g)) {
			lost += g.HostLate().Len()
		}
		if jit.has(g.CallKind()) {
			lost += g.LaunchCall().Len()
		}
		if lost == 0 || g.Next < 0 {
			continue
		}
		e := lane.Enclosing(lane.Call[g.Next])
		if e.Op == 0 || e.Shape == 0 {
			continue
		}
		if uses[e.Op] == nil {
			uses[e.Op] = &use{op: e.Op}
		}
		u := uses[e.Op]
		u.lost += lost
		if !slices.Contains(u.shapes, e.Shape) && len(u.shapes) < feature.MaxRecords {
			u.shapes = append(u.shapes, e.Shape)
		}
	}
	all := slices.SortedFunc(maps.Values(uses), func(a, b *use) int {
		return cmp.Or(cmp.Compare(b.lost, a.lost), cmp.Compare(lane.Name(a.op), lane.Name(b.op)))
	})
	var out []feature.Record
	for _, u := range all {
		var first []string
		for _, s := range u.shapes[:min(len(u.shapes), 3)] {
			first = append(first, lane.Name(s))
		}
		out = append(out, feature.Record{
			"op": lane.Name(u.op), "shape_count": int64(len(u.shapes)), "shapes": strings.Join(first, "; "),
			"lost_us": u.lost.Micros(), "frac": float64(u.lost) / float64(lane.W.Len()),
		})
	}
	set.List("jit.shapes", out)
}

// jitKinds are the costs of making code ready to run.
var jitKinds = []timeline.CauseKind{timeline.ByCodeLoading, timeline.ByCompilation}
