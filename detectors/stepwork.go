package detectors

import (
	"math"

	"perflint/detectors/span"
	"perflint/detectors/timeline"
)

// stepWork is when the own activities of a step run: the start of the first, that of the first computing kernel, and the end of
// the last; never where there is none.
type stepWork struct{ first, kernel, last span.Time }

const never = math.MinInt64

// stepWorks is by step what meets the window.
func stepWorks(lane *timeline.Lane) []stepWork {
	out := make([]stepWork, len(lane.Steps))
	for s := range out {
		out[s] = stepWork{never, never, never}
	}
	if lane.StepIndex == nil {
		return out
	}
	for _, i := range lane.In {
		s := lane.StepIndex[i]
		if s < 0 || !lane.Own[i] {
			continue
		}
		w := &out[s]
		if w.first == never {
			w.first = lane.Start[i]
		}
		if w.kernel == never && lane.Class[i] == timeline.Compute {
			w.kernel = lane.Start[i]
		}
		w.last = max(w.last, lane.End[i])
	}
	return out
}
