package detectors

import (
	"cmp"
	"strings"

	"perflint/detectors/feature"
	"perflint/detectors/timeline"
	"perflint/detectors/trace"
)

var _ = register(Detector{
	Name: "causes",
	Doc:  "Who is to blame for idle time.",
	Features: declare(
		list("idle.causes", "Who is to blame for host-late and launch-call time, summed", causeFields...),
	),
	Long:  true,
	Needs: GPUWork,
	Detect: func(lane *timeline.Lane, set *feature.Set) error {
		set.List("idle.causes", causeRecords(lane))
		return nil
	},
})

var causeFields = []feature.Decl{
	words("cause", "Kind of culprit: loader, allocation, code-loading, compilation, capture, gc, zero-grad, previous-call, op, range, frame, profiler, staging, graph-launch, launch or unknown"),
	text("subject", "Its name: op, range, call, loader"),
	text("frame", "Innermost Python function of user or library code"),
	text("file", "Its file"),
	count("line", "Line where it is defined"),
	text("outer", "Outermost Python function that covers 80 % of the time and spends half of its own on it"),
	text("outer_file", "Its file"),
	count("outer_line", "Line where it is defined"),
	text("chain", "All Python functions around it in the longest gap, outermost first"),
	text("shape", "Input dimensions of the op, where recorded"),
	number("host_late_us", feature.Us, "Host-late time"),
	number("launch_call_us", feature.Us, "Launch-call time"),
	number("long_us", feature.Us, "Host-late time in stretches of 1 ms or longer"),
	number("frac", feature.Frac, "Both as a share of the window"),
	number("longest_us", feature.Us, "The longest gap"),
	count("gap_count", "Gaps"),
	number("steps_frac", feature.Frac, "Share of the steady steps in which it appears; absent without steps"),
	number("long_frac", feature.Frac, "The same as a share of the window"),
	{Name: "spans", Type: feature.Spans, Doc: "The host-late and launch-call time"},
	{Name: "long_spans", Type: feature.Spans, Doc: "The host-late time in stretches of 1 ms or longer"},
}

func causeRecords(lane *timeline.Lane) []feature.Record {
	all := lane.Culprits()
	all = all[:min(len(all), feature.MaxRecords)]
	chains := chainsOf(lane, all[:min(len(all), chained)])
	var out []feature.Record
	for i, b := range all {
		r := feature.Record{
			"cause": b.Kind.String(), "subject": lane.Name(b.Subject), "shape": lane.Name(b.Shape),
			"host_late_us": b.Late.Micros(), "launch_call_us": b.Call.Micros(), "long_us": b.Long.Micros(),
			"frac":      float64(b.Late+b.Call) / float64(lane.W.Len()),
			"gap_count": int64(b.Gaps), "longest_us": b.Worst.Len().Micros(), "spans": b.Parts,
			"long_frac": float64(b.Long) / float64(lane.W.Len()), "long_spans": b.LongParts,
		}
		if i < len(chains) {
			r["chain"] = chains[i]
		}
		putFrame(r, lane, b.Frame)
		outer := lane.FrameOf(b.Outer)
		r["outer"], r["outer_file"], r["outer_line"] = outer.Function, outer.File, int64(outer.Line)
		if n := steadyCount(lane); n > 0 {
			r["steps_frac"] = float64(b.Steps) / float64(n)
		}
		out = append(out, r)
	}
	return out
}

// chained is how many culprits get the chain of functions around them.
const chained = 20

// chainsOf is the chains of functions around culprits, in the longest gap of each.
func chainsOf(lane *timeline.Lane, all []*timeline.Culprit) []string {
	gaps, frames := make([]*timeline.Gap, len(all)), make([]trace.Text, len(all))
	for i, b := range all {
		gaps[i], frames[i] = b.Worst, b.Frame
	}
	out := make([]string, len(all))
	for i, chain := range lane.Chains(gaps, frames) {
		names := make([]string, len(chain))
		for k, name := range chain {
			names[k] = lane.Name(name)
		}
		out[i] = strings.Join(names, " > ")
	}
	return out
}

// culpritName is how a culprit is called in a sentence: by the function that works, loads or calls the op, but not by the one
// in which something else happens: an allocation, compilation, garbage collection.
func culpritName(kind, subject, frame string) string {
	switch kind {
	case timeline.ByFrame.String(), timeline.ByOp.String(), timeline.ByRange.String(), timeline.ByLoader.String():
		return cmp.Or(frame, subject)
	}
	return subject
}
