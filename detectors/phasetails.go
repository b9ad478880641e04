package detectors

import (
	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
)

// phaseTails is the time between the last backward kernel of each step and the first kernel of the optimizer.
type phaseTails struct {
	backward span.Time // end of the last backward kernel, -1 when there is none since the optimizer began
	spans    []span.Span
}

// add takes the computing kernels of the window in order.
func (t *phaseTails) add(at span.Span, phase timeline.Phase) {
	switch phase {
	case timeline.BackwardPhase:
		t.backward = max(t.backward, at.End)
	case timeline.OptimizerPhase:
		if t.backward >= 0 && at.Start > t.backward {
			t.spans = append(t.spans, span.Span{Start: t.backward, End: at.Start})
		}
		t.backward = -1
	}
}

// put sets the communication that nothing hides in that time.
func (t *phaseTails) put(lane *timeline.Lane, set *feature.Set) {
	if len(t.spans) == 0 {
		missingDuration(set, "comm.tail", "no backward pass followed by an optimizer step was found in the window")
		return
	}
	putDuration(set, lane, "comm.tail", span.Union(t.spans).And(lane.ExposedComm))
}
