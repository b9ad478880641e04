package detectors

import (
	"cmp"
	"slices"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
)

// phaseWalls parts the window among the phases: work counts to its own, idle time to that of the work which ends it, and where
// phases overlap the one that began first has the time.
type phaseWalls struct {
	end        span.Time // of what was parted so far
	last       timeline.Phase
	busy, idle [timeline.OptimizerPhase + 1]span.Time
}

// add takes the activities of the window in order, clipped to it.
func (w *phaseWalls) add(at span.Span, phase timeline.Phase) {
	if at.Start > w.end {
		w.idle[phase] += at.Start - w.end
		w.end = at.Start
	}
	if at.End > w.end {
		w.busy[phase] += at.End - w.end
		w.end, w.last = at.End, phase
	}
}

var phaseNames = [...]string{timeline.NoPhase: "other", timeline.ForwardPhase: "forward", timeline.BackwardPhase: "backward", timeline.OptimizerPhase: "optimizer"}

// records lists the phases, the one that idles longest first.
func (w *phaseWalls) records(lane *timeline.Lane, phases []timeline.Phase) []feature.Record {
	w.idle[w.last] += lane.W.End - w.end
	var gaps [timeline.OptimizerPhase + 1]span.Packer
	for i := range lane.Gaps {
		g := &lane.Gaps[i]
		phase := w.last
		if g.Next >= 0 {
			phase = phases[g.Next]
		}
		gaps[phase].Add(g.Span)
	}
	var out []feature.Record
	for phase, busy := range w.busy {
		wall := busy + w.idle[phase]
		if wall == 0 {
			continue
		}
		out = append(out, feature.Record{
			"phase": phaseNames[phase], "wall_us": wall.Micros(), "frac": float64(wall) / float64(lane.W.Len()),
			"busy_frac": float64(busy) / float64(wall), "idle_us": w.idle[phase].Micros(), "spans": gaps[phase].Packed(),
		})
	}
	slices.SortStableFunc(out, func(a, b feature.Record) int { return cmp.Compare(b["idle_us"].(float64), a["idle_us"].(float64)) })
	return out
}
