package detectors

import (
	"cmp"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
)

var boundaryDecls = declare(
	number("steps.boundary_idle_us", feature.Us, "Median idle time between the last work of a step and the first of the next"),
	feature.Decl{Name: "steps.boundary_idle_spans", Type: feature.Spans, Doc: "Idle time between steps"},
	number("steps.boundary_lost_us", feature.Us, "The median without the gaps that the profiler is to blame for"),
	number("steps.boundary_lost_frac", feature.Frac, "The same as a share of the median step"),
	feature.Decl{Name: "steps.boundary_lost_spans", Type: feature.Spans, Doc: "Idle time between steps without the gaps that the profiler is to blame for, and without the few steps that last far longer than the others"},
	number("steps.boundary_steps_frac", feature.Frac, "Share of the step boundaries at which that is more than 200 µs and 3 % of the median step"),
	words("steps.boundary_cause", "Kind of culprit of most of the host-late time in it"),
	text("steps.boundary_subject", "Its name: Python function, op, range or call; empty where the trace does not say"),
)

func missingBoundaries(set *feature.Set, reason string) {
	for _, d := range boundaryDecls {
		set.Missing(reason, d.Name)
	}
}

// stepBoundaries is, by step, the interval between its last own activity and the first of the next step.
func stepBoundaries(lane *timeline.Lane) map[int32]span.Span {
	works := stepWorks(lane)
	out := map[int32]span.Span{}
	for _, s := range lane.Steady {
		if next := int(s) + 1; next < len(works) && works[s].first != never && works[next].first != never {
			out[s] = span.Span{Start: works[s].last, End: works[next].first}
		}
	}
	return out
}

// A boundary is worth a word from 200 µs and 3 % of the step on: shorter ones are the launch of the first kernel.
const (
	boundaryLeast = 200_000 // ns
	boundaryShare = 0.03
)

func putBoundaries(lane *timeline.Lane, set *feature.Set, boundaries map[int32]span.Span) {
	measuring, step := profilerGaps(lane), float64(stepLength(lane))
	var idle, lost []float64
	var bounds span.Builder
	var between span.Packer
	long := 0
	for _, s := range lane.Steady {
		b, ok := boundaries[s]
		if !ok {
			continue
		}
		part := lane.Idle.Clip(b)
		own := part.Total() - measuring.Overlap(b)
		idle, lost = append(idle, float64(part.Total())), append(lost, float64(own))
		if own > boundaryLeast && float64(own) > boundaryShare*step {
			long++
		}
		bounds.Add(b)
		for _, p := range part {
			between.Add(p)
		}
	}
	if len(idle) == 0 || step == 0 {
		missingBoundaries(set, "fewer than two steps with GPU work follow each other")
		return
	}
	set.Float("steps.boundary_idle_us", timeline.Median(idle)/1e3)
	median := timeline.Median(lost)
	set.Float("steps.boundary_lost_us", median/1e3)
	set.Float("steps.boundary_lost_frac", min(1, median/step))
	set.Float("steps.boundary_steps_frac", float64(long)/float64(len(idle)))
	aside := measuring.Or(rareIdle(lane))
	putBetween(set, between.Packed(), aside)
	cause, subject := mainCulprit(lane, bounds.Set().Minus(aside))
	set.Text("steps.boundary_cause", cause)
	set.Text("steps.boundary_subject", subject)
}

// putBetween sets the idle time between steps, and what of it is not set aside: mostly the same.
func putBetween(set *feature.Set, between span.Packed, aside span.Set) {
	set.PackedSpans("steps.boundary_idle_spans", between)
	if len(aside) > 0 {
		between = span.Pack(between.Set().Minus(aside))
	}
	set.PackedSpans("steps.boundary_lost_spans", between)
}

// profilerGaps is the gaps that the profiler is to blame for.
func profilerGaps(lane *timeline.Lane) span.Set {
	return lane.GapTime(func(g *timeline.Gap) span.Span {
		if lane.HostKind(g) == timeline.ByProfiler {
			return g.Span
		}
		return span.Span{}
	})
}

// mainCulprit names who is to blame for most of the host-late time inside a set: a function, else an op, range or call.
func mainCulprit(lane *timeline.Lane, within span.Set) (kind, subject string) {
	times := map[timeline.Cause]span.Time{}
	for i := range lane.Gaps {
		g := &lane.Gaps[i]
		late := g.HostLate()
		for len(within) > 0 && within[0].End <= late.Start {
			within = within[1:]
		}
		if len(within) == 0 {
			break
		}
		if late.End <= within[0].Start || late.Empty() {
			continue
		}
		if t := within.Overlap(late); t > 0 {
			c := lane.HostCause(g)
			times[timeline.Cause{Kind: c.Kind, Subject: c.Subject, Frame: c.Frame}] += t
		}
	}
	var best timeline.Cause
	for c, t := range times {
		if cmp.Or(cmp.Compare(t, times[best]), cmp.Compare(best.Kind, c.Kind), cmp.Compare(best.Subject, c.Subject), cmp.Compare(best.Frame, c.Frame)) > 0 {
			best = c
		}
	}
	return best.Kind.String(), culpritName(best.Kind.String(), lane.Name(best.Subject), lane.FrameOf(best.Frame).Function)
}
