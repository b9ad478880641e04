package detectors

import (
	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
)

var _ = register(Detector{
	Name: "kernel",
	Doc:  "Which kernels the GPU runs, and how many of them are too short to be fed.",
	Features: declare(
		count("kernel.count", "Kernels of this window, computing and communicating"),
		number("kernel.median_us", feature.Us, "Median of their durations"),
		number("kernel.tiny_count_frac", feature.Frac, "Share of the computing kernels that are shorter than 10 µs"),
		number("kernel.tiny_time_frac", feature.Frac, "Share of the summed time of computing kernels in those shorter than 10 µs"),
		duration("kernel.tiny", "Time in which computing kernels shorter than 10 µs run"),
		feature.Decl{Name: "kernel.queued_spans", Type: feature.Spans, Doc: "Compute time in which the next activity was already launched: only there a faster kernel wins time"},
		list("kernel.tiny_runs", "Runs of three tiny kernels and more that repeat, where tiny kernels take a fifth of the kernel time", tinyRunFields...),
		list("kernel.top", "The kernels that take most time", kernelFields...),
	),
	Needs:  GPUWork,
	Detect: detectKernel,
})

var kernelFields = []feature.Decl{
	text("name", "Short name"),
	text("full_name", "Name as the trace has it"),
	count("count", "Launches"),
	number("total_us", feature.Us, "Summed duration inside the window"),
	number("frac", feature.Frac, "Summed duration as a share of the compute time"),
	number("mean_us", feature.Us, "Mean duration"),
	number("cv_frac", feature.Frac, "Standard deviation of the durations over their mean"),
	text("op", "Op that launched most of it"),
	text("shape", "Input dimensions of the ops that launched most of it; empty where not recorded"),
	count("shape_count", "Different input dimensions with which it was launched; absent where not recorded"),
	{Name: "spans", Type: feature.Spans, Doc: "When it runs"},
}

func detectKernel(lane *timeline.Lane, set *feature.Set) error {
	durations := make([]float64, 0, len(lane.In))
	var tiny, all span.Time
	tinyCount, computing := 0, 0
	when := lane.Builder()
	for _, i := range lane.In {
		a := lane.Act(i)
		if !a.Own || a.Class != timeline.Compute && a.Class != timeline.Comm {
			continue
		}
		durations = append(durations, a.Len().Micros())
		if a.Class != timeline.Compute {
			continue
		}
		computing++
		all += a.Len()
		if a.Len() < tinyKernel {
			tinyCount++
			tiny += a.Len()
			when.Add(a.Clip(lane.W))
		}
	}
	set.Int("kernel.count", int64(len(durations)))
	if len(durations) == 0 {
		set.Missing("no kernel meets the window", "kernel.median_us")
	} else {
		set.Float("kernel.median_us", timeline.Median(durations))
	}
	if computing == 0 {
		set.Missing("no computing kernel meets the window", "kernel.tiny_count_frac")
	} else {
		set.Float("kernel.tiny_count_frac", float64(tinyCount)/float64(computing))
	}
	putShare(set, "kernel.tiny_time_frac", tiny, all, "no computing kernel meets the window")
	putDuration(set, lane, "kernel.tiny", when.Set())
	if 5*tiny > all {
		set.List("kernel.tiny_runs", tinyRuns(lane, all))
	} else {
		set.List("kernel.tiny_runs", nil)
	}
	set.Spans("kernel.queued_spans", queued(lane))
	set.List("kernel.top", topKernels(lane))
	return nil
}

// queued is the compute time during which the call that launches the next activity of the lane had already ended.
func queued(lane *timeline.Lane) span.Set {
	out := lane.Builder()
	for k, i := range lane.In[:max(0, len(lane.In)-1)] {
		a, next := lane.Act(i), lane.Act(lane.In[k+1])
		if a.Own && a.Class == timeline.Compute && next.Call >= 0 {
			s := a.Clip(lane.W)
			s.Start = max(s.Start, lane.Trace.Calls.End[next.Call])
			out.Add(s)
		}
	}
	return out.Set()
}
