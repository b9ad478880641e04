package detectors

import (
	"cmp"
	"slices"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
	"perflint/detectors/trace"
)

// issue is the paced time that nothing more particular is to blame for.
func issue(lane *timeline.Lane, paced span.Set) span.Set {
	other := blamedSpans(lane, timeline.ByAllocation, timeline.ByLoader, timeline.ByProfiler, timeline.ByCodeLoading, timeline.ByCompilation)
	return paced.Minus(lane.GapTime((*timeline.Gap).Cost)).Minus(other)
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
		if g.Len() < floor || g.HostLate().Empty() || lane.HostCause(g).Kind == timeline.ByProfiler {
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

// issueRecords is the slow issue by what the host was in: the culprit of the host-late part, the op around the launching call.
func issueRecords(lane *timeline.Lane, slow span.Set) []feature.Record {
	type site struct{ subject, frame trace.Text }
	spans := map[site][]span.Span{}
	add := func(s site, part span.Span) { spans[s] = append(spans[s], slow.Clip(part)...) }
	for i := range lane.Gaps {
		g := &lane.Gaps[i]
		if slow.Overlap(g.Span) == 0 {
			continue
		}
		if c := lane.HostCause(g); !g.HostLate().Empty() {
			add(site{c.Subject, c.Frame}, g.HostLate())
		}
		if !g.LaunchCall().Empty() {
			e := lane.Enclosing(lane.Act(g.Next).Call)
			add(site{e.Op, e.Frame}, g.LaunchCall())
		}
	}
	var out []feature.Record
	for s, at := range spans {
		if len(at) == 0 {
			continue
		}
		within := span.Union(at)
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
