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
	for _, c := range lane.CallsOf(timeline.GraphLaunch) {
		if !lane.Counts(c) {
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
	byDesign := eagerSteps(lane)
	putCoverage(lane, set, byDesign)
	putPackedDuration(set, lane, "graph.eager_idle", gapTime(lane, func(g *timeline.Gap) span.Span {
		if g.Next < 0 || launchedByGraph(lane, g.Next) || byDesign(g.Next) {
			return span.Span{}
		}
		return g.HostLate()
	}))
	return nil
}

// eagerSteps tells of an activity whether its step runs without graphs by design.
func eagerSteps(lane *timeline.Lane) func(i int32) bool {
	eager, any := make([]bool, len(lane.Steps)), false
	for i, s := range lane.Steps {
		eager[i] = prefill.MatchString(lane.Name(s.Name))
		any = any || eager[i]
	}
	return func(i int32) bool { return any && lane.StepIndex[i] >= 0 && eager[lane.StepIndex[i]] }
}

func launchedByGraph(lane *timeline.Lane, i int32) bool {
	return callsGraph(lane, lane.Call[i]) || lane.Trace.Work.Node(lane.Row(i))
}

func callsGraph(lane *timeline.Lane, call int32) bool {
	return call >= 0 && lane.CallClasses()[lane.Trace.Calls.Name[call]] == timeline.GraphLaunch
}

// putCoverage measures what graphs launch, and how much the GPU idles inside their replays.
func putCoverage(lane *timeline.Lane, set *feature.Set, byDesign func(i int32) bool) {
	var kernels, inGraphs, covered, coverable, bodies int
	var replays graphReplays
	for _, i := range lane.In {
		class := lane.Class[i]
		if class == timeline.GraphWork {
			bodies++
			continue
		}
		byGraph := callsGraph(lane, lane.Call[i])
		if byGraph {
			replays.add(lane.Call[i], lane.ActSpan(i))
		}
		if !lane.Own[i] || class != timeline.Compute && class != timeline.Comm {
			continue
		}
		byGraph = byGraph || lane.Trace.Work.Node(lane.Row(i))
		counts := !byDesign(i)
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
		set.Missing("the kernels of graphs were not recorded; record with `--cuda-graph-trace=node`", "graph.coverage_frac")
	} else {
		putRatio(set, "graph.coverage_frac", covered, coverable, "no kernel meets the window outside prefill steps")
	}
	var all, idle span.Time
	for _, s := range replays.spans {
		clipped := s.Clip(lane.W)
		all += clipped.Len()
		idle += lane.Idle.Overlap(clipped)
	}
	putShare(set, "graph.inner_idle_frac", idle, all, "the window holds no replay of a graph")
}

// graphReplays is from when to when each graph launch ran.
type graphReplays struct {
	spans    []span.Span
	of       map[int32]int // by call: index into spans
	call, at int           // of the last activity: mostly that of the next one too
}

func (r *graphReplays) add(call int32, s span.Span) {
	if len(r.spans) == 0 || int(call) != r.call {
		at, known := r.of[call]
		if !known {
			if r.of == nil {
				r.of = map[int32]int{}
			}
			at = len(r.spans)
			r.spans, r.of[call] = append(r.spans, s), at
		}
		r.call, r.at = int(call), at
	}
	r.spans[r.at].End = max(r.spans[r.at].End, s.End)
}
