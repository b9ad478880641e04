package detectors

import (
	"perflint/detectors/feature"
	"perflint/detectors/timeline"
)

var _ = register(Detector{
	Name: "profiler",
	Doc:  "What the measuring itself cost.",
	Features: declare(
		duration("profiler.overhead", "Time that the profiler took for itself, on whatever thread"),
	),
	Needs: GPUWork,
	Detect: func(lane *timeline.Lane, set *feature.Set) error {
		putDuration(set, lane, "profiler.overhead", lane.Overhead(timeline.Plain))
		return nil
	},
})
