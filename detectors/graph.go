package detectors

import (
	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
)

var _ = register(Detector{
	Name: "graph",
	Doc:  "Work launched by CUDA and HIP graphs, and whether all of its nodes were recorded.",
	Features: declare(
		count("graph.launch_count", "Graph launches that start in the window"),
		count("graph.body_count", "Graph launches recorded as one block, without their kernels"),
		number("graph.kernel_frac", feature.Frac, "Share of this window's kernels that graphs launched"),
		number("graph.inner_idle_frac", feature.Frac, "Idle time inside single graph launches over their summed spans; above 10 % nodes are missing"),
	),
	Needs:  GPUWork,
	Detect: detectGraph,
})

func detectGraph(lane *timeline.Lane, set *feature.Set) error {
	launches, bodies, kernels, inGraphs := 0, 0, 0, 0
	for _, c := range lane.Calls() {
		if lane.CallClass(c) == timeline.GraphLaunch && lane.Counts(c) && lane.InWindow(c) {
			launches++
		}
	}
	replays := map[int32]span.Span{} // by graph launch
	for _, i := range lane.In {
		a := lane.Act(i)
		if a.Class == timeline.GraphWork {
			bodies++
		}
		byGraph := a.Call >= 0 && lane.CallClass(a.Call) == timeline.GraphLaunch
		if byGraph && a.Class != timeline.GraphWork {
			s, ok := replays[a.Call]
			if !ok {
				s = a.Span
			}
			replays[a.Call] = span.Span{Start: s.Start, End: max(s.End, a.End)}
		}
		if a.Own && (a.Class == timeline.Compute || a.Class == timeline.Comm) {
			kernels++
			if byGraph || lane.Trace.Work.Node[a.Row] {
				inGraphs++
			}
		}
	}
	set.Int("graph.launch_count", int64(launches))
	set.Int("graph.body_count", int64(bodies))
	putRatio(set, "graph.kernel_frac", inGraphs, kernels, "no kernel meets the window")
	var all, idle span.Time
	for _, s := range replays {
		clipped := s.Clip(lane.W)
		all += clipped.Len()
		idle += lane.Idle.Overlap(clipped)
	}
	putShare(set, "graph.inner_idle_frac", idle, all, "the window holds no replay of a graph")
	return nil
}
