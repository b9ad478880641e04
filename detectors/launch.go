package detectors

import (
	"iter"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
)

var _ = register(Detector{
	Name: "launch",
	Doc:  "How the host launches kernels, and whether it keeps ahead of the GPU.",
	Features: declare(
		count("launch.count", "Kernel launches that start in the window, without those captured into a graph"),
		number("launch.per_step_count", feature.Count, "Launches a steady step"),
		number("launch.call_us", feature.Us, "Summed time inside launch calls; back-pressure of a full queue counts too, so it is no cost"),
		number("launch.median_us", feature.Us, "Median time inside a launch call"),
		duration("launch.tiny_paced", "Host-late and launch-call time of gaps between two kernels shorter than 10 µs"),
		duration("launch.tiny_issue", "The same without what a data loader or the profiler is to blame for"),
		number("launch.host_ahead_frac", feature.Frac, "Share of launching calls that ended while the GPU still worked on what came before"),
		number("launch.queue_full_us", feature.Us, "Time in which the driver reports a full launch queue"),
		number("launch.queue_full_frac", feature.Frac, "The same as a share of the window"),
	),
	Long:   true,
	Needs:  GPUWork,
	Detect: detectLaunch,
})

// TinyKernel is the length below which one thread cannot feed kernels: about what issuing one op costs eagerly.
const tinyKernel = 10_000 // ns

func noCalls(lane *timeline.Lane) string {
	return "the trace holds no host calls; record with " + byFormat(lane, "`activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]`", "`-t cuda,nvtx`")
}

func detectLaunch(lane *timeline.Lane, set *feature.Set) error {
	full := lane.Overhead(timeline.QueueFull)
	set.Float("launch.queue_full_us", full.Total().Micros())
	putShare(set, "launch.queue_full_frac", full.Total(), lane.W.Len(), "the window is empty")
	putTinyPaced(lane, set)
	putHostAhead(lane, set)
	if !lane.HasCalls() {
		set.Missing(noCalls(lane), "launch.count", "launch.per_step_count", "launch.call_us", "launch.median_us")
		return nil
	}
	total, inSteady := span.Time(0), 0
	var durations lengths
	steady := steadyClock{lane: lane}
	for c := range launches(lane) {
		if steady.in(lane.Trace.Calls.Start[c]) { // whole steps, also where a backlog shortens the window
			inSteady++
		}
		if lane.InWindow(c) {
			length := lane.Trace.Calls.Span(c).Len()
			durations.add(length)
			total += length
		}
	}
	set.Int("launch.count", int64(durations.n))
	putPerStep(set, lane, "launch.per_step_count", inSteady)
	set.Float("launch.call_us", total.Micros())
	if durations.n == 0 {
		set.Missing("no kernel launch starts in the window", "launch.median_us")
		return nil
	}
	set.Float("launch.median_us", durations.medianMicros(func(yield func(span.Time) bool) {
		for c := range launches(lane) {
			if lane.InWindow(c) && !yield(lane.Trace.Calls.Span(c).Len()) {
				return
			}
		}
	}))
	return nil
}

// launches walks over the calls that launch a kernel and count, in their order.
func launches(lane *timeline.Lane) iter.Seq[int32] {
	classes, names := lane.CallClasses(), lane.Trace.Calls.Name
	return func(yield func(int32) bool) {
		for _, c := range lane.Calls() {
			if classes[names[c]] == timeline.Launch && lane.Counts(c) && !yield(c) {
				return
			}
		}
	}
}

// putTinyPaced measures what the host costs between two tiny kernels.
func putTinyPaced(lane *timeline.Lane, set *feature.Set) {
	tiny := func(i int32) bool {
		return i >= 0 && lane.Class[i] == timeline.Compute && lane.ActSpan(i).Len() < tinyKernel
	}
	var all, issue span.Packer
	others := kindsOf(timeline.ByLoader, timeline.ByProfiler)
	for i := range lane.Gaps {
		if g := &lane.Gaps[i]; tiny(g.Next) && tiny(g.Last) {
			all.Add(paced(lane, g, 0))
			issue.Add(paced(lane, g, others))
		}
	}
	putPackedDuration(set, lane, "launch.tiny_paced", all.Packed())
	putPackedDuration(set, lane, "launch.tiny_issue", issue.Packed())
}

// putHostAhead looks at the earliest activity of each launching call, except the very first of W: the host was ahead when
// that call ended before the latest end among the activities before it.
func putHostAhead(lane *timeline.Lane, set *feature.Set) {
	calls := &lane.Trace.Calls
	seen := make([]bool, calls.Len())
	ahead, all := 0, 0
	var latest span.Time
	for k, i := range lane.In {
		if c := lane.Call[i]; c >= 0 && !seen[c] {
			seen[c] = true
			if k > 0 {
				all++
				if calls.End[c] < latest {
					ahead++
				}
			}
		}
		latest = max(latest, lane.End[i])
	}
	if all == 0 {
		set.Missing("fewer than two activities have their launching call in the trace", "launch.host_ahead_frac")
		return
	}
	set.Float("launch.host_ahead_frac", float64(ahead)/float64(all))
}
