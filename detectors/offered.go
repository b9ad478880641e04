package detectors

import (
	"math"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
)

// putOffered tells idle time apart in which nobody asked for anything: a serving engine without requests, a program that shows
// frames at the pace of a screen.
func putOffered(lane *timeline.Lane, set *feature.Set) {
	putDuration(set, lane, "idle.unoffered", unoffered(lane))
	putDuration(set, lane, "idle.rare", rareIdle(lane))
	if period, ok := framePeriod(lane); ok {
		set.Float("idle.frame_us", period/1e3)
	} else {
		set.Missing("the gaps do not come at the even pace of a program that shows frames", "idle.frame_us")
	}
}

// unoffered is the host-late time outside all steps of a serving engine, in gaps that are longer than a step: a scheduler that
// is slow takes time between steps too, but not that much.
func unoffered(lane *timeline.Lane) span.Set {
	if lane.Source != "serving" {
		return nil
	}
	var steps []span.Span
	for _, s := range lane.Steps {
		steps = append(steps, s.Host)
	}
	least := max(timeline.LongGap, stepLength(lane))
	return lane.GapTime(func(g *timeline.Gap) span.Span {
		if g.Len() < least {
			return span.Span{}
		}
		return g.HostLate()
	}).Minus(span.Union(steps))
}

// rareIdle is the idle time of the few steps that last more than 1.5 times as long as the median one: no more than one in five,
// of five steps at least. They wrote a checkpoint or evaluated; how the GPU is used between them is another question.
func rareIdle(lane *timeline.Lane) span.Set {
	const atLeast, fewest = 5, 0.2
	usual := 1.5 * float64(stepLength(lane))
	var long []span.Span
	for _, i := range lane.Steady {
		if gpu := lane.Steps[i].GPU; float64(gpu.Len()) > usual {
			long = append(long, gpu)
		}
	}
	if n := steadyCount(lane); n < atLeast || float64(len(long)) > fewest*float64(n) {
		return nil
	}
	return lane.Idle.And(span.Union(long))
}

// framePeriod is the time between the starts of the long gaps of a program that shows frames: at least ten gaps of 1 ms and
// more that hold most of the idle time and come at an even pace, with nothing recorded on the host that explains them. A loop
// whose steps are marked is even without showing anything.
func framePeriod(lane *timeline.Lane) (ns float64, ok bool) {
	const least, holds, even = 10, 0.8, 0.1
	if len(lane.Steps) > 0 {
		return 0, false
	}
	var starts []span.Time
	long := span.Time(0)
	for i := range lane.Gaps {
		g := &lane.Gaps[i]
		if g.Len() < timeline.LongGap {
			continue
		}
		if kind, cause := mainPart(lane, g); kind != "host-late" && kind != "unknown" || cause.Kind != timeline.Unknown {
			return 0, false
		}
		starts = append(starts, g.Start)
		long += g.Len()
	}
	if len(starts) < least || float64(long) < holds*float64(lane.Idle.Total()) {
		return 0, false
	}
	periods := make([]float64, len(starts)-1)
	for i := range periods {
		periods[i] = float64(starts[i+1] - starts[i])
	}
	mean, squares := average(periods), 0.0
	for _, p := range periods {
		squares += (p - mean) * (p - mean)
	}
	return mean, math.Sqrt(squares/float64(len(periods))) < even*mean
}
