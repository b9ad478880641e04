package detectors

import (
	"strings"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
	"perflint/detectors/trace"
)

// offloadLeast is the share of the window from which on exposed copies are worth asking who launched them.
const offloadLeast = 0.01

// putOffload measures the exposed copies that are launched inside ranges whose name speaks of offloading: somebody chose to
// stream what does not fit into the GPU's memory.
func putOffload(lane *timeline.Lane, set *feature.Set) {
	exposed := lane.ExposedCopy
	if float64(exposed.Total()) < offloadLeast*float64(lane.W.Len()) {
		set.Missing("copies are exposed for less than 1 % of the window", "copy.offload_frac")
		return
	}
	within := offloadRanges(lane)
	meant := lane.UnionOf(lane.Moves(), func(a timeline.Act) bool {
		if a.Call < 0 {
			return false
		}
		at := lane.Trace.Calls.Start[a.Call]
		return within[lane.Trace.Calls.Thread[a.Call]].Overlap(span.Span{Start: at, End: at + 1}) > 0
	})
	set.Float("copy.offload_frac", float64(meant.Shared(exposed))/float64(exposed.Total()))
}

// offloadRanges is when the ops and annotations of each thread whose name holds the word are open.
func offloadRanges(lane *timeline.Lane) map[int32]span.Set {
	r := &lane.Trace.Ranges
	speaks, spans := map[trace.Text]bool{}, map[int32][]span.Span{}
	for i, kind := range r.Kind {
		if kind == trace.Frame || kind == trace.OSCall {
			continue
		}
		yes, known := speaks[r.Name[i]]
		if !known {
			yes = strings.Contains(strings.ToLower(lane.Name(r.Name[i])), "offload")
			speaks[r.Name[i]] = yes
		}
		if yes {
			spans[r.Thread[i]] = append(spans[r.Thread[i]], r.Span(int32(i)))
		}
	}
	out := map[int32]span.Set{}
	for th, s := range spans {
		out[th] = span.Union(s)
	}
	return out
}
