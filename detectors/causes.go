package detectors

import (
	"cmp"
	"slices"
	"strings"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
	"perflint/detectors/trace"
)

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

// blamed is one culprit with everything it is blamed for.
type blamed struct {
	cause            timeline.Cause
	late, call, long span.Time
	longest          span.Time
	gaps             int
	steps            map[int32]bool
	spans, longSpans []span.Span
	last, worst      *timeline.Gap // the latest and the longest
}

// culprits sums the blame of all gaps by kind, subject and frame, largest first.
func culprits(lane *timeline.Lane) []*blamed {
	type key struct {
		kind           timeline.CauseKind
		subject, frame trace.Text
	}
	byKey := map[key]*blamed{}
	add := func(c timeline.Cause, g *timeline.Gap, part span.Span) *blamed {
		k := key{c.Kind, c.Subject, c.Frame}
		b := byKey[k]
		if b == nil {
			b = &blamed{cause: c, steps: map[int32]bool{}}
			byKey[k] = b
		}
		if g.Len() > b.longest {
			b.longest, b.worst, b.cause.Outer, b.cause.Shape = g.Len(), g, c.Outer, c.Shape
		}
		if b.last != g { // it may be to blame for both parts
			b.gaps, b.last = b.gaps+1, g
		}
		b.spans = append(b.spans, part)
		if step := stepOf(lane, g); step >= 0 {
			b.steps[step] = true
		}
		return b
	}
	for i := range lane.Gaps {
		g := &lane.Gaps[i]
		if !g.HostLate().Empty() {
			b := add(lane.HostCause(g), g, g.HostLate())
			b.late += g.HostLate().Len()
			if g.HostLate().Len() >= pacedBelow {
				b.long += g.HostLate().Len()
				b.longSpans = append(b.longSpans, g.HostLate())
			}
		}
		if !g.LaunchCall().Empty() {
			add(lane.CallCause(g), g, g.LaunchCall()).call += g.LaunchCall().Len()
		}
	}
	out := make([]*blamed, 0, len(byKey))
	for _, b := range byKey {
		out = append(out, b)
	}
	slices.SortFunc(out, func(a, b *blamed) int {
		return cmp.Or(cmp.Compare(b.late+b.call, a.late+a.call), cmp.Compare(a.cause.Kind, b.cause.Kind),
			cmp.Compare(lane.Name(a.cause.Subject), lane.Name(b.cause.Subject)), cmp.Compare(lane.Name(a.cause.Frame), lane.Name(b.cause.Frame)))
	})
	return out
}

// stepOf is the steady step that a gap holds up: that of the work after it, else of the work before it; -1 none.
func stepOf(lane *timeline.Lane, g *timeline.Gap) int32 {
	for _, i := range []int32{g.Next, g.Last} {
		if i < 0 {
			continue
		}
		if step := lane.Act(i).Step; step >= 0 && lane.IsSteady(step) {
			return step
		}
	}
	return -1
}

func causeRecords(lane *timeline.Lane) []feature.Record {
	all := culprits(lane)
	all = all[:min(len(all), feature.MaxRecords)]
	chains := chainsOf(lane, all[:min(len(all), chained)])
	var out []feature.Record
	for i, b := range all {
		r := feature.Record{
			"cause": b.cause.Kind.String(), "subject": lane.Name(b.cause.Subject), "shape": lane.Name(b.cause.Shape),
			"host_late_us": b.late.Micros(), "launch_call_us": b.call.Micros(), "long_us": b.long.Micros(),
			"frac":      float64(b.late+b.call) / float64(lane.W.Len()),
			"gap_count": int64(b.gaps), "longest_us": b.longest.Micros(), "spans": span.Union(b.spans),
			"long_frac": float64(b.long) / float64(lane.W.Len()), "long_spans": span.Union(b.longSpans),
		}
		if i < len(chains) {
			r["chain"] = chains[i]
		}
		putFrame(r, lane, b.cause.Frame)
		outer := lane.FrameOf(b.cause.Outer)
		r["outer"], r["outer_file"], r["outer_line"] = outer.Function, outer.File, int64(outer.Line)
		if n := steadyCount(lane); n > 0 {
			r["steps_frac"] = float64(len(b.steps)) / float64(n)
		}
		out = append(out, r)
	}
	return out
}

// chained is how many culprits get the chain of functions around them.
const chained = 20

// chainsOf is the chains of functions around culprits, in the longest gap of each.
func chainsOf(lane *timeline.Lane, all []*blamed) []string {
	gaps, frames := make([]*timeline.Gap, len(all)), make([]trace.Text, len(all))
	for i, b := range all {
		gaps[i], frames[i] = b.worst, b.cause.Frame
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

// longestCulprit names who holds the host longest in stretches of 1 ms or longer, as precisely as the trace does.
func longestCulprit(causes []feature.Record) string {
	name, most := "", 0.0
	for _, c := range causes {
		if long := c["long_us"].(float64); long > most {
			most = long
			name = cmp.Or(c["frame"].(string), c["subject"].(string))
		}
	}
	return name
}

// blamedSpans is the idle time that the kinds of culprit are blamed for.
func blamedSpans(lane *timeline.Lane, kinds ...timeline.CauseKind) span.Set {
	return lane.GapTime(func(g *timeline.Gap) span.Span {
		s := span.Span{Start: g.LaunchCall().Start, End: g.LaunchCall().Start}
		if slices.Contains(kinds, lane.HostCause(g).Kind) {
			s.Start = g.Start
		}
		if slices.Contains(kinds, lane.CallCause(g).Kind) {
			s.End = g.LaunchCall().End
		}
		return s
	})
}
