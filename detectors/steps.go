package detectors

import (
	"math"
	"slices"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
)

var _ = register(Detector{
	Name: "steps",
	Doc:  "The iterations of the job and how regular they are.",
	Features: declare(
		count("steps.count", "Step marks"),
		count("steps.steady_count", "Steady steps: without a first that warms up and a last that was cut off"),
		words("steps.source", "What marks them: ProfilerStep, measure, Optimizer.step, loader, serving, annotation, mark or none"),
		count("steps.empty_count", "Steps that launched no GPU work"),
		boolean("steps.first_off", "The first step is unlike the others, so it is left out"),
		boolean("steps.first_counts_off", "The first of two steps is unlike the second, and counts all the same"),
		number("steps.median_us", feature.Us, "Median duration of the steady steps on the GPU"),
		number("steps.mean_us", feature.Us, "Mean duration"),
		number("steps.cv_frac", feature.Frac, "Standard deviation over the mean, which is no share: above 100 % where a few last far longer"),
		number("steps.max_over_median_ratio", feature.Ratio, "Longest over median"),
		number("steps.host_median_us", feature.Us, "Median duration of the host marks"),
		boundaryDecls,
		list("steps.list", "Every step", stepFields...),
	),
	Long:   true,
	Detect: detectSteps,
})

var stepFields = []feature.Decl{
	count("index", "Number of the mark"),
	number("gpu_us", feature.Us, "Duration on the GPU; absent for the last"),
	number("host_us", feature.Us, "Duration of the host mark"),
	number("idle_us", feature.Us, "Idle time of the GPU in it"),
	number("boundary_idle_us", feature.Us, "Idle time between its last work and the first of the next; absent for the last"),
	count("launch_count", "GPU activities launched in it"),
	boolean("steady", "Counts as steady"),
	{Name: "spans", Type: feature.Spans, Doc: "The step on the GPU"},
}

func detectSteps(lane *timeline.Lane, set *feature.Set) error {
	set.Int("steps.count", int64(len(lane.Steps)))
	set.Int("steps.steady_count", int64(len(lane.Steady)))
	set.Text("steps.source", lane.Source)
	empty := 0
	for _, s := range lane.Steps {
		if s.Launched == 0 {
			empty++
		}
	}
	set.Int("steps.empty_count", int64(empty))
	set.Bool("steps.first_off", lane.FirstOff)
	set.Bool("steps.first_counts_off", lane.FirstCountsOff())
	if len(lane.Steps) == 0 {
		set.Missing(noSteps(lane), "steps.median_us", "steps.mean_us", "steps.cv_frac", "steps.max_over_median_ratio", "steps.host_median_us", "steps.list")
		missingBoundaries(set, noSteps(lane))
		return nil
	}
	var host []float64
	for _, i := range lane.Steady {
		host = append(host, lane.Steps[i].Host.Len().Micros())
	}
	if len(host) > 0 {
		set.Float("steps.host_median_us", timeline.Median(host))
	} else {
		set.Missing(noSteadyStep, "steps.host_median_us")
	}
	putDurations(lane, set)
	boundaries := stepBoundaries(lane)
	putBoundaries(lane, set, boundaries)
	set.List("steps.list", stepRecords(lane, boundaries))
	return nil
}

func putDurations(lane *timeline.Lane, set *feature.Set) {
	var d []float64
	for _, i := range lane.Steady {
		if g := lane.Steps[i].GPU; !g.Empty() {
			d = append(d, g.Len().Micros())
		}
	}
	if len(d) == 0 {
		set.Missing("no step has a next one with GPU work", "steps.median_us", "steps.mean_us", "steps.cv_frac", "steps.max_over_median_ratio")
		return
	}
	mean, median := average(d), timeline.Median(slices.Clone(d))
	set.Float("steps.mean_us", mean)
	set.Float("steps.median_us", median)
	if len(d) < 2 {
		set.Missing("only one step has a duration", "steps.cv_frac", "steps.max_over_median_ratio")
		return
	}
	squares := 0.0
	for _, v := range d {
		squares += (v - mean) * (v - mean)
	}
	set.Float("steps.cv_frac", math.Sqrt(squares/float64(len(d)))/mean)
	set.Float("steps.max_over_median_ratio", slices.Max(d)/median)
}

func average(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

func stepRecords(lane *timeline.Lane, boundaries map[int32]span.Span) []feature.Record {
	var out []feature.Record
	for i, s := range lane.Steps {
		if len(out) == feature.MaxRecords {
			break
		}
		r := feature.Record{
			"index": int64(s.Number), "host_us": s.Host.Len().Micros(), "launch_count": int64(s.Launched),
			"steady": lane.IsSteady(int32(i)), "spans": span.Of(s.GPU.Clip(lane.W)),
		}
		if !s.GPU.Empty() {
			r["gpu_us"] = s.GPU.Len().Micros()
			r["idle_us"] = lane.Idle.Overlap(s.GPU).Micros()
		}
		if b, ok := boundaries[int32(i)]; ok {
			r["boundary_idle_us"] = lane.Idle.Overlap(b).Micros()
		}
		out = append(out, r)
	}
	return out
}
