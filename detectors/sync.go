package detectors

import (
	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
)

var _ = register(Detector{
	Name: "sync",
	Doc:  "Synchronisation: where the host waits for the GPU, and what it costs that the GPU runs dry meanwhile.",
	Features: declare(
		count("sync.count", "Synchronising calls that start in the window"),
		number("sync.per_step_count", feature.Count, "Synchronising calls a steady step"),
		number("sync.blocked_us", feature.Us, "Summed time inside them; it is no cost: the GPU works meanwhile"),
		count("sync.drained_count", "Gaps that a blocking call caused by letting the GPU run dry"),
		duration("sync.drained", "Idle time that those calls cost"),
		list("sync.sites", "Where blocking calls come from, by what they cost", siteFields...),
	),
	Needs:  GPUWork,
	Detect: detectSync,
})

var siteFields = []feature.Decl{
	text("api", "Blocking call"),
	text("op", "Op that makes it"),
	text("frame", "Python function of user or library code"),
	text("file", "Its file"),
	count("line", "Line where it is defined"),
	count("count", "Calls"),
	number("per_step_count", feature.Count, "Calls a steady step; absent without steps"),
	number("blocked_us", feature.Us, "Summed time inside the calls"),
	count("drained_count", "Gaps that they caused"),
	number("drained_us", feature.Us, "Idle time that they cost"),
	number("drained_frac", feature.Frac, "The same as a share of the window"),
	words("direction", "Of the copies that the calls make: HtoD, DtoH, DtoD; empty for others"),
	words("memory", "Host side of those copies: pageable, pinned, host; empty for others"),
	size("bytes", "Bytes of those copies; absent when unknown"),
	number("exposed_us", feature.Us, "Time in which those copies run and nothing else does"),
	number("lost_us", feature.Us, "Exposed copies and the idle time that the calls cost"),
	number("lost_frac", feature.Frac, "The same as a share of the window"),
	boolean("item", "The op reads a value of the GPU: aten::item and its kin, or a copy of at most 64 bytes to the host"),
	boolean("profiler", "The call is made by the profiler"),
	{Name: "spans", Type: feature.Spans, Doc: "The idle time that they cost"},
	{Name: "exposed_spans", Type: feature.Spans, Doc: "The exposed copies and the idle time that they cost"},
}

func detectSync(lane *timeline.Lane, set *feature.Set) error {
	n, inSteady := 0, 0
	blocked := span.Time(0)
	for _, c := range lane.CallsOf(timeline.Sync) {
		if !lane.Counts(c) {
			continue
		}
		if lane.InSteady(c) { // whole steps, also where a backlog shortens the window
			inSteady++
		}
		if lane.InWindow(c) {
			n++
			blocked += lane.Trace.Calls.Span(c).Len()
		}
	}
	if lane.HasCalls() {
		set.Int("sync.count", int64(n))
		putPerStep(set, lane, "sync.per_step_count", inSteady)
		set.Float("sync.blocked_us", blocked.Micros())
	} else {
		set.Missing(noCalls(lane), "sync.count", "sync.per_step_count", "sync.blocked_us")
	}
	drained := 0
	for i := range lane.Gaps {
		if lane.Gaps[i].Drained >= 0 {
			drained++
		}
	}
	set.Int("sync.drained_count", int64(drained))
	putPackedDuration(set, lane, "sync.drained", gapTime(lane, (*timeline.Gap).Cost))
	set.List("sync.sites", siteRecords(lane))
	return nil
}
