package detectors

import (
	"regexp"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
)

var _ = register(Detector{
	Name: "graph",
	Doc:  "Work launched by CUDA and HIP graphs, and whether all of its nodes were recorded.",
	Features: declare(
		count("graph.launch_count", "Graph launches that start in the window"),
		number("graph.per_step_count", feature.Count, "Graph launches a steady step"),
		count("graph.body_count", "Graph launches recorded as one block, without their kernels"),
		number("graph.kernel_frac", feature.Frac, "Share of this window's kernels that graphs launched"),
		number("graph.coverage_frac", feature.Frac, "The same without the steps that serving engines run eagerly by design (prefill)"),
		duration("graph.eager_idle", "Host-late time before work that no graph launched, outside those steps"),
		number("graph.inner_idle_frac", feature.Frac, "Idle time inside single graph launches over their summed spans; above 10 % nodes are missing"),
	),
	Needs:  GPUWork,
	Detect: detectGraph,
})

// prefill is the name of a step that a serving engine runs without graphs: its shapes differ each time. vLLM counts the tokens
// of the context in the mark, SGLang names the mode.
var prefill = regexp.MustCompile(`context_[1-9]|(?i)\b(prefill|extend)\b`)

func detectGraph(lane *timeline.Lane, set *feature.Set) error {
	launches, inSteady := 0, 0
	for _, c := range lane.Calls() {
		if lane.CallClass(c) != timeline.GraphLaunch || !lane.Counts(c) {
			continue
		}
		if lane.InSteady(c) {
			inSteady++
		}
		if lane.InWindow(c) {
			launches++
		}
	}
	set.Int("graph.launch_count", int64(launches))
	putPerStep(set, lane, "graph.per_step_count", inSteady)
	eager := make([]bool, len(lane.Steps)) // by design
	for i, s := range lane.Steps {
		eager[i] = prefill.MatchString(lane.Name(s.Name))
	}
	byDesign := func(a timeline.Act) bool { return a.Step >= 0 && eager[a.Step] }
	putCoverage(lane, set, byDesign)
	putDuration(set, lane, "graph.eager_idle", lane.GapTime(func(g *timeline.Gap) span.Span {
		if g.Next < 0 {
			return span.Span{}
		}
		if next := lane.Act(g.Next); launchedByGraph(lane, next) || byDesign(next) {
			return span.Span{}
		}
		return g.HostLate()
	}))
	return nil
}

func launchedByGraph(lane *timeline.Lane, a timeline.Act) bool {
	return lane.Trace.Work.Node(a.Row) || a.Call >= 0 && lane.CallClass(a.Call) == timeline.GraphLaunch
}

// putCoverage measures what graphs launch, and how much the GPU idles inside their replays.
func putCoverage(lane *timeline.Lane, set *feature.Set, byDesign func(timeline.Act) bool) {
	var kernels, inGraphs, covered, coverable, bodies int
	replays := map[int32]span.Span{} // by graph launch
	for _, i := range lane.In {
		a := lane.Act(i)
		if a.Class == timeline.GraphWork {
			bodies++
			continue
		}
		if a.Call >= 0 && lane.CallClass(a.Call) == timeline.GraphLaunch {
			s, ok := replays[a.Call]
			if !ok {
				s = a.Span
			}
			replays[a.Call] = span.Span{Start: s.Start, End: max(s.End, a.End)}
		}
		if !a.Own || a.Class != timeline.Compute && a.Class != timeline.Comm {
			continue
		}
		byGraph, counts := launchedByGraph(lane, a), !byDesign(a)
		kernels++
		if byGraph {
			inGraphs++
		}
		if counts {
			coverable++
		}
		if byGraph && counts {
			covered++
		}
	}
	set.Int("graph.body_count", int64(bodies))
	putRatio(set, "graph.kernel_frac", inGraphs, kernels, "no kernel meets the window")
	if bodies > 0 {
		set.Missing("the kernels of graphs were not recorded; record with --cuda-graph-trace=node", "graph.coverage_frac")
	} else {
		putRatio(set, "graph.coverage_frac", covered, coverable, "no kernel meets the window outside prefill steps")
	}
	var all, idle span.Time
	for _, s := range replays {
		clipped := s.Clip(lane.W)
		all += clipped.Len()
		idle += lane.Idle.Overlap(clipped)
	}
	putShare(set, "graph.inner_idle_frac", idle, all, "the window holds no replay of a graph")
}
