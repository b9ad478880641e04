package detectors

import (
	"cmp"
	"slices"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
	"perflint/detectors/trace"
)

var _ = register(Detector{
	Name: "issue",
	Doc:  "Idle time because the host issues too slowly, and gaps that are too long to be a matter of issuing.",
	Features: declare(
		duration("idle.issue", "Paced time that no synchronisation, allocation, loader or profiler is to blame for: the host issues too slowly"),
		list("idle.issue_causes", "What the launching thread does in that time, by op or function",
			text("subject", "Name of the op, range or call"), text("frame", "Python function of user or library code"), text("file", "Its file"),
			count("line", "Line where it is defined"), number("total_us", feature.Us, "Host-late and launch-call time"),
			number("frac", feature.Frac, "The same as a share of the window"), feature.Decl{Name: "spans", Type: feature.Spans, Doc: "When"}),
		duration("idle.long", "Host-late time of gaps of at least 1 ms and 2 % of the median step (of the window, without steps), the profiler's aside"),
		text("idle.long_subject", "Function, op, range or call that holds the host for the largest part of it; empty where the trace does not say"),
		number("idle.long_steps_frac", feature.Frac, "Share of the steady steps that have such a gap"),
		number("idle.long_longest_us", feature.Us, "The longest wait for the host in such a gap"),
		number("idle.longest_steps_ratio", feature.Ratio, "The same in median steps (in windows, without steps), the first and the last gap of the window aside: the capture may have made them"),
	),
	Long:  true,
	Needs: GPUWork,
	Detect: func(lane *timeline.Lane, set *feature.Set) error {
		putIssue(lane, set)
		putLong(lane, set)
		return nil
	},
})

// particular are the culprits that are no matter of issuing.
var particular = kindsOf(timeline.ByAllocation, timeline.ByLoader, timeline.ByProfiler, timeline.ByCodeLoading, timeline.ByCompilation)

// slowIssue is the paced time of a gap that nothing more particular is to blame for.
func slowIssue(lane *timeline.Lane, g *timeline.Gap) span.Span {
	if g.Len() >= timeline.LongGap {
		return span.Span{}
	}
	s := paced(lane, g, particular)
	s.Start = max(s.Start, g.Cost().End)
	return s
}

// issueSite is what the host was in: the culprit of the host-late part, the op around the launching call.
type issueSite struct{ subject, frame trace.Text }

func putIssue(lane *timeline.Lane, set *feature.Set) {
	var all span.Packer
	sites := map[issueSite]*span.Packer{}
	add := func(s issueSite, part span.Span) {
		if part.Empty() {
			return
		}
		at := sites[s]
		if at == nil {
			at = &span.Packer{}
			sites[s] = at
		}
		at.Add(part)
	}
	for i := range lane.Gaps {
		g := &lane.Gaps[i]
		slow := slowIssue(lane, g)
		if slow.Empty() {
			continue
		}
		all.Add(slow)
		c := lane.HostCause(g)
		add(issueSite{c.Subject, c.Frame}, g.HostLate().Clip(slow))
		if call := g.LaunchCall().Clip(slow); !call.Empty() {
			e := lane.Enclosing(lane.Call[g.Next])
			add(issueSite{e.Op, e.Frame}, call)
		}
	}
	putPackedDuration(set, lane, "idle.issue", all.Packed())
	set.List("idle.issue_causes", issueRecords(lane, sites))
}

// putLong measures the gaps that are too long to be a matter of issuing, and how regularly they come.
func putLong(lane *timeline.Lane, set *feature.Set) {
	longest, longestInside := span.Time(0), span.Time(0)
	step := stepLength(lane)
	floor := max(timeline.LongGap, step/50)
	steps := map[int32]bool{}
	var spans []span.Span
	for i := range lane.Gaps {
		g := &lane.Gaps[i]
		if g.Len() < floor || g.HostLate().Empty() || lane.HostKind(g) == timeline.ByProfiler {
			continue
		}
		spans = append(spans, g.HostLate())
		longest = max(longest, g.HostLate().Len())
		if g.Next >= 0 && g.Start > lane.W.Start {
			longestInside = max(longestInside, g.HostLate().Len())
		}
		if s := lane.StepOf(g); s >= 0 {
			steps[s] = true
		}
	}
	long := span.Union(spans)
	putDuration(set, lane, "idle.long", long)
	subject := ""
	if len(long) > 0 {
		_, subject = mainCulprit(lane, long)
	}
	set.Text("idle.long_subject", subject)
	set.Float("idle.long_longest_us", longest.Micros())
	putShare(set, "idle.longest_steps_ratio", longestInside, step, "the window is empty")
	if steadyCount(lane) < 2 {
		set.Missing("fewer than two steady steps", "idle.long_steps_frac")
		return
	}
	n := 0
	for _, s := range lane.Steady {
		if steps[s] {
			n++
		}
	}
	set.Float("idle.long_steps_frac", float64(n)/float64(steadyCount(lane)))
}

// stepLength is the median duration of the steady steps on the GPU, W without at least two steps.
func stepLength(lane *timeline.Lane) span.Time {
	var d []float64
	for _, i := range lane.Steady {
		if g := lane.Steps[i].GPU; !g.Empty() {
			d = append(d, float64(g.Len()))
		}
	}
	if len(lane.Steps) < 2 || len(d) == 0 {
		return lane.W.Len()
	}
	return span.Time(timeline.Median(d))
}

func issueRecords(lane *timeline.Lane, sites map[issueSite]*span.Packer) []feature.Record {
	var out []feature.Record
	for s, at := range sites {
		within := at.Packed()
		r := feature.Record{
			"subject": lane.Name(s.subject), "total_us": within.Total().Micros(),
			"frac": float64(within.Total()) / float64(lane.W.Len()), "spans": within,
		}
		putFrame(r, lane, s.frame)
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b feature.Record) int {
		return cmp.Or(cmp.Compare(b["total_us"].(float64), a["total_us"].(float64)), cmp.Compare(a["subject"].(string), b["subject"].(string)),
			cmp.Compare(a["frame"].(string), b["frame"].(string)), cmp.Compare(a["file"].(string), b["file"].(string)),
			cmp.Compare(a["line"].(int64), b["line"].(int64)))
	})
	return out[:min(len(out), feature.MaxRecords)]
}
