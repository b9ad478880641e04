package detectors

import (
	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
)

var _ = register(Detector{
	Name: "sequence",
	Doc:  "Whether the steps launch the same work over and over, so that one recording of it could be replayed.",
	Features: declare(
		number("steps.repeat_frac", feature.Frac, "Share of the steady steps that launch the same sequence of work, by name and stream"),
		number("steps.repeat_shapes_frac", feature.Frac, "Share of the steady steps that launch the same sequence from ops of the same input dimensions"),
		feature.Decl{Name: "steps.repeat_spans", Type: feature.Spans, Doc: "The steps that launch the most frequent sequence, on the GPU"},
		count("steps.sequence_count", "Activities in that sequence"),
	),
	Needs:  GPUWork,
	Detect: detectSequence,
})

// sequence is what one step launched: streams run in order, but the order between them is chance, so each is hashed alone.
type sequence struct {
	names, shapes uint64
	count         int
	first         span.Time // start of its first activity
}

func detectSequence(lane *timeline.Lane, set *feature.Set) error {
	if steadyCount(lane) < 2 {
		reason := "fewer than two steady steps"
		if steadyCount(lane) == 0 {
			reason = stepless(lane)
		}
		set.Missing(reason, "steps.repeat_frac", "steps.repeat_shapes_frac", "steps.repeat_spans", "steps.sequence_count")
		return nil
	}
	steps := sequences(lane)
	names, shapes := map[uint64]int{}, map[uint64]int{}
	for _, s := range lane.Steady {
		names[steps[s].names]++
		shapes[steps[s].shapes]++
	}
	best, most := uint64(0), 0
	for _, s := range lane.Steady { // the earliest of equals
		if n := names[steps[s].names]; n > most {
			best, most = steps[s].names, n
		}
	}
	set.Float("steps.repeat_frac", float64(most)/float64(steadyCount(lane)))
	var repeats []span.Span
	for _, s := range lane.Steady {
		if steps[s].names == best {
			whole := lane.Steps[s].GPU
			if whole.Empty() { // the last one
				whole = span.Span{Start: steps[s].first, End: lane.W.End}
			}
			repeats = append(repeats, whole.Clip(lane.W))
			set.Int("steps.sequence_count", int64(steps[s].count))
		}
	}
	set.Spans("steps.repeat_spans", span.Union(repeats))
	if !lane.Trace.HasShapes {
		set.Missing(noShapes(lane), "steps.repeat_shapes_frac")
		return nil
	}
	alike := 0
	for _, n := range shapes {
		alike = max(alike, n)
	}
	set.Float("steps.repeat_shapes_frac", float64(alike)/float64(steadyCount(lane)))
	return nil
}

// sequences is what each step launched. A stream works its launches off in order, so its steps come one after the other.
func sequences(lane *timeline.Lane) []sequence {
	type state struct {
		step int32
		sequence
	}
	out := make([]sequence, len(lane.Steps))
	streams := make([]state, len(lane.Trace.Streams))
	flush := func(stream int, s *state) {
		if s.count > 0 {
			to := &out[s.step]
			to.names += mix(s.names ^ uint64(stream))
			to.shapes += mix(s.shapes ^ uint64(stream))
			if to.count == 0 || s.first < to.first {
				to.first = s.first
			}
			to.count += s.count
		}
	}
	withShapes := lane.Trace.HasShapes
	of, kinds := lane.Enclosures()
	for _, i := range lane.In {
		step := lane.StepIndex[i]
		if step < 0 || !lane.Own[i] {
			continue
		}
		stream := lane.Stream[i]
		s := &streams[stream]
		if s.step != step {
			flush(int(stream), s)
			*s = state{step: step}
		}
		if s.count == 0 {
			s.first = lane.Start[i]
		}
		name := uint64(lane.WorkName[i]) + 1
		s.names = mix(s.names + name)
		if withShapes {
			s.shapes = mix(s.shapes + name<<32 + uint64(kinds[of[lane.Call[i]]].Shape))
		}
		s.count++
	}
	for i := range streams {
		flush(i, &streams[i])
	}
	return out
}

// mix spreads the bits of a hash (the finaliser of splitmix64).
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
