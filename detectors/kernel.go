package detectors

import (
	"iter"

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
	),
	Long:   true,
	Needs:  GPUWork,
	Detect: detectKernel,
})

func detectKernel(lane *timeline.Lane, set *feature.Set) error {
	var tiny, all span.Time
	var when span.Packer
	var durations lengths
	short, computing := 0, 0
	for i := range kernels(lane) {
		at := lane.ActSpan(i)
		length := at.Len()
		durations.add(length)
		if lane.Class[i] != timeline.Compute {
			continue
		}
		computing++
		all += length
		if length < tinyKernel {
			short++
			tiny += length
			when.Add(at.Clip(lane.W))
		}
	}
	putKernels(lane, set, &durations)
	if computing == 0 {
		set.Missing("no computing kernel meets the window", "kernel.tiny_count_frac")
	} else {
		set.Float("kernel.tiny_count_frac", float64(short)/float64(computing))
	}
	putShare(set, "kernel.tiny_time_frac", tiny, all, "no computing kernel meets the window")
	putPackedDuration(set, lane, "kernel.tiny", when.Packed())
	if 5*tiny > all {
		set.List("kernel.tiny_runs", tinyRuns(lane, all))
	} else {
		set.List("kernel.tiny_runs", nil)
	}
	set.PackedSpans("kernel.queued_spans", queued(lane))
	return nil
}

// kernels walks over all kernels of this window, computing and communicating.
func kernels(lane *timeline.Lane) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for _, i := range lane.In {
			if class := lane.Class[i]; (class == timeline.Compute || class == timeline.Comm) && lane.Own[i] && !yield(i) {
				return
			}
		}
	}
}

func putKernels(lane *timeline.Lane, set *feature.Set, durations *lengths) {
	set.Int("kernel.count", int64(durations.n))
	if durations.n == 0 {
		set.Missing("no kernel meets the window", "kernel.median_us")
		return
	}
	set.Float("kernel.median_us", durations.medianMicros(func(yield func(span.Time) bool) {
		for i := range kernels(lane) {
			if !yield(lane.ActSpan(i).Len()) {
				return
			}
		}
	}))
}

// queued is the compute time during which the call that launches the next activity of the lane had already ended.
func queued(lane *timeline.Lane) span.Packed {
	var out span.Packer
	ended := lane.Trace.Calls.End
	for k, i := range lane.In[:max(0, len(lane.In)-1)] {
		if lane.Class[i] != timeline.Compute || !lane.Own[i] {
			continue
		}
		if next := lane.Call[lane.In[k+1]]; next >= 0 {
			s := lane.ActSpan(i).Clip(lane.W)
			s.Start = max(s.Start, ended[next])
			out.Add(s)
		}
	}
	return out.Packed()
}
