package detectors

import (
	"cmp"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
	"perflint/detectors/trace"
)

var _ = register(Detector{
	Name: "idle",
	Doc:  "Why the GPU idles: each gap split by what its next activity was waiting for, and the culprit of each part.",
	Features: declare(
		count("idle.gap_count", "Idle intervals of 2 µs or longer"),
		number("idle.longest_us", feature.Us, "The longest of them"),
		duration("idle.host_late", "Idle time in which the host had not asked for the next work yet"),
		duration("idle.launch_call", "Idle time in which the host was inside the call that launches the next work"),
		duration("idle.launch_latency", "Idle time of up to 50 µs between the launching call and the start of its work"),
		duration("idle.device_wait", "Idle time in which work was queued and waited for an event, a copy or another stream"),
		duration("idle.unknown", "Idle time before work whose launching call is not in the trace"),
		duration("idle.micro", "Idle intervals shorter than 2 µs"),
		duration("idle.paced", "Host-late and launch-call time of gaps shorter than 1 ms: the GPU is fed one launch at a time"),
		duration("idle.warmup", "Idle time under code loading, context creation, compilation and other costs of a first use"),
		duration("idle.stream_wait", "Device-wait for work of another stream"),
		list("idle.stream_waits", "Which streams waited for which, largest first", waitFields...),
		duration("idle.outside", "Device-wait for something that is not in the trace: no remedy for it can be named"),
		duration("idle.unoffered", "Host-late time outside all steps of a serving engine, in gaps longer than a step: no request was there"),
		duration("idle.rare", "Idle time of the few steps that last far longer than the others, such as with a checkpoint or an evaluation"),
		number("idle.frame_us", feature.Us, "Period of the gaps of a program that shows frames"),
		list("idle.gaps", "The longest gaps", gapFields...),
	),
	Needs:  GPUWork,
	Detect: detectIdle,
})

var gapFields = []feature.Decl{
	number("start_us", feature.Us, "Start since the trace's first event"),
	number("dur_us", feature.Us, "Length"),
	words("kind", "host-late, launch-call, launch-latency, device-wait or unknown: the largest part"),
	words("cause", "Kind of culprit of that part"),
	text("subject", "Name of the culprit: op, range, call, loader"),
	text("op", "Op in which the host is: of host-late time the culprit, of launch-call time the one that launches; empty when it is in none"),
	text("frame", "Python function that held the host"),
	text("file", "Its file"),
	count("line", "Line where it is defined"),
	text("next", "The work that ended the gap"),
	count("step", "Number of the step"),
	{Name: "spans", Type: feature.Spans, Doc: "The interval"},
}

func detectIdle(lane *timeline.Lane, set *feature.Set) error {
	putParts(lane, set)
	putWaits(lane, set)
	putPackedDuration(set, lane, "idle.micro", lane.Micro)
	putDuration(set, lane, "idle.warmup", warmup(lane).And(lane.Idle))
	putOffered(lane, set)
	set.List("idle.gaps", gapRecords(lane))
	return nil
}

// putParts measures what the gaps consist of.
func putParts(lane *timeline.Lane, set *feature.Set) {
	var late, call, latency, wait, unknown, short span.Packer
	longest := span.Time(0)
	for i := range lane.Gaps {
		g := &lane.Gaps[i]
		longest = max(longest, g.Len())
		late.Add(g.HostLate())
		call.Add(g.LaunchCall())
		latency.Add(g.Latency())
		wait.Add(g.DeviceWait())
		unknown.Add(g.Unknown())
		if g.Len() < timeline.LongGap {
			short.Add(paced(lane, g, 0))
		}
	}
	set.Int("idle.gap_count", int64(len(lane.Gaps)))
	set.Float("idle.longest_us", longest.Micros())
	putPackedDuration(set, lane, "idle.host_late", late.Packed())
	putPackedDuration(set, lane, "idle.launch_call", call.Packed())
	putPackedDuration(set, lane, "idle.launch_latency", latency.Packed())
	putPackedDuration(set, lane, "idle.device_wait", wait.Packed())
	putPackedDuration(set, lane, "idle.unknown", unknown.Packed())
	putPackedDuration(set, lane, "idle.paced", short.Packed())
}

// warmup is the time of costs that only a first use has.
func warmup(lane *timeline.Lane) span.Set {
	const long = 1_000_000 // ns
	at := lane.Trace.Calls.Span
	var costs span.Builder
	for _, c := range lane.CallsOf(timeline.CodeLoading) {
		costs.Add(at(c).Clip(lane.W))
	}
	for _, class := range []timeline.Class{timeline.Setup, timeline.Allocation} {
		for _, c := range lane.CallsOf(class) {
			if at(c).Len() > long {
				costs.Add(at(c).Clip(lane.W))
			}
		}
	}
	for c := range lane.FirstOfName() {
		if lane.CallClass(c) == timeline.Launch && at(c).Len() >= timeline.FirstUse && lane.HasCall(c) {
			costs.Add(at(c).Clip(lane.W))
		}
	}
	return costs.Set().Or(lane.Overhead(timeline.CodeLoading)).Or(lane.RangeTime(timeline.Compile))
}

// gapRecords lists gaps, longest first.
func gapRecords(lane *timeline.Lane) []feature.Record {
	var out []feature.Record
	for _, g := range longestGaps(lane, feature.MaxRecords) {
		out = append(out, gapRecord(lane, g))
	}
	return out
}

// longestGaps is the n longest gaps, the earlier of equals first.
func longestGaps(lane *timeline.Lane, n int) []*timeline.Gap {
	all := func(yield func(*timeline.Gap) bool) {
		for i := range lane.Gaps {
			if !yield(&lane.Gaps[i]) {
				return
			}
		}
	}
	return foremost(all, n, func(a, b *timeline.Gap) int { return cmp.Compare(b.Len(), a.Len()) })
}

func gapRecord(lane *timeline.Lane, g *timeline.Gap) feature.Record {
	kind, cause := mainPart(lane, g)
	r := feature.Record{
		"start_us": g.Start.Micros(), "dur_us": g.Len().Micros(), "kind": kind, "cause": cause.Kind.String(),
		"subject": lane.Name(cause.Subject), "spans": span.Of(g.Span), "op": "", "next": "",
	}
	putFrame(r, lane, cause.Frame)
	if cause.Kind == timeline.ByOp {
		r["op"] = r["subject"]
	}
	if g.Next >= 0 {
		next := lane.Act(g.Next)
		r["next"] = lane.Name(lane.Trace.Work.Name[next.Row])
		if next.Call >= 0 && kind == "launch-call" {
			r["op"] = lane.Name(lane.Enclosing(next.Call).Op)
		}
		if next.Step >= 0 {
			r["step"] = int64(lane.Steps[next.Step].Number)
		}
	}
	return r
}

// putFrame adds the frame's function, file and line to a record.
func putFrame(r feature.Record, lane *timeline.Lane, frame trace.Text) {
	f := lane.FrameOf(frame)
	r["frame"], r["file"], r["line"] = f.Function, f.File, int64(f.Line)
}

// mainPart is the largest part of a gap and its culprit.
func mainPart(lane *timeline.Lane, g *timeline.Gap) (string, timeline.Cause) {
	parts := []struct {
		kind  string
		len   span.Time
		cause timeline.Cause
	}{
		{"host-late", g.HostLate().Len(), lane.HostCause(g)},
		{"launch-call", g.LaunchCall().Len(), lane.CallCause(g)},
		{"launch-latency", g.Latency().Len(), timeline.Cause{}},
		{"device-wait", g.DeviceWait().Len(), timeline.Cause{Kind: g.WaitCause}},
		{"unknown", g.Unknown().Len(), timeline.Cause{}},
	}
	best := 0
	for i, p := range parts {
		if p.len > parts[best].len {
			best = i
		}
	}
	return parts[best].kind, parts[best].cause
}
