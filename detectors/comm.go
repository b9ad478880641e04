package detectors

import (
	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
)

var _ = register(Detector{
	Name: "comm",
	Doc:  "Communication: how much of it is hidden under compute, and what serialises it.",
	Features: declare(
		count("comm.kernel_count", "Communication kernels of this window"),
		duration("comm.total", "Time in which communication kernels run"),
		duration("comm.exposed", "Communication with no compute beside it"),
		number("comm.overlap_frac", feature.Frac, "Share of communication hidden under compute"),
		number("comm.same_stream_frac", feature.Frac, "Share of communication on streams that also compute"),
		duration("comm.serialized", "Exposed communication on streams that also compute"),
		duration("comm.small", "Time in which collectives under 1 MB run"),
		duration("comm.tail", "Exposed communication after the last backward kernel until the optimizer"),
		text("comm.backend", "Backend that the trace names"),
		list("comm.collectives", "Collectives by kind, group, size and type", collectiveFields...),
	),
	Needs:  GPUWork,
	Detect: detectComm,
})

func detectComm(lane *timeline.Lane, set *feature.Set) error {
	n := len(lane.Comms())
	set.Int("comm.kernel_count", int64(n))
	putSharedDuration(set, lane, "comm.total", lane.Comm)
	putSharedDuration(set, lane, "comm.exposed", lane.ExposedComm)
	if lane.Trace.Backend != "" {
		set.Text("comm.backend", lane.Trace.Backend)
	} else {
		set.Missing("the trace does not name the backend of torch.distributed", "comm.backend")
	}
	if n == 0 {
		set.Missing("no communication kernel meets the window", "comm.overlap_frac", "comm.same_stream_frac")
		missingDuration(set, "comm.serialized", "no communication kernel meets the window")
	} else {
		putShare(set, "comm.overlap_frac", lane.Comm.Total()-lane.ExposedComm.Total(), lane.Comm.Total(), "communication takes no time")
		putSerialized(lane, set)
	}
	putSmall(lane, set)
	putTail(lane, set)
	set.List("comm.collectives", collectiveRecords(lane))
	return nil
}

// sharedFrom is the share of a stream's busy time that computing kernels hold at least where it counts as a compute stream.
const sharedFrom = 0.05

// putSerialized measures communication on streams where computing kernels hold at least 5 % of the busy time.
func putSerialized(lane *timeline.Lane, set *feature.Set) {
	compute, busy := map[int32][]span.Span{}, map[int32][]span.Span{}
	for _, i := range lane.In {
		a := lane.Act(i)
		if !a.Own {
			continue
		}
		clipped := a.Clip(lane.W)
		busy[a.Stream] = append(busy[a.Stream], clipped)
		if a.Class == timeline.Compute {
			compute[a.Stream] = append(compute[a.Stream], clipped)
		}
	}
	shared := map[int32]bool{}
	for s, spans := range busy {
		k := span.UnionSorted(compute[s]).Total()
		shared[s] = k > 0 && float64(k) >= sharedFrom*float64(span.UnionSorted(spans).Total())
	}
	var on, all span.Time
	for _, i := range lane.Comms() {
		a := lane.Act(i)
		all += a.Clip(lane.W).Len()
		if shared[a.Stream] {
			on += a.Clip(lane.W).Len()
		}
	}
	putShare(set, "comm.same_stream_frac", on, all, "communication takes no time")
	putDuration(set, lane, "comm.serialized", lane.UnionOf(lane.Comms(), func(a timeline.Act) bool {
		return shared[a.Stream]
	}).Minus(lane.Compute))
}

// putTail measures exposed communication between the last backward kernel of each step and the first optimizer kernel.
func putTail(lane *timeline.Lane, set *feature.Set) {
	var tails []span.Span
	lastBackward := span.Time(-1)
	for _, i := range lane.In {
		a := lane.Act(i)
		if !a.Own || a.Class != timeline.Compute {
			continue
		}
		switch lane.PhaseOf(a) {
		case timeline.BackwardPhase:
			lastBackward = max(lastBackward, a.End)
		case timeline.OptimizerPhase:
			if lastBackward >= 0 && a.Start > lastBackward {
				tails = append(tails, span.Span{Start: lastBackward, End: a.Start})
			}
			lastBackward = -1
		}
	}
	if len(tails) == 0 {
		missingDuration(set, "comm.tail", "no backward pass followed by an optimizer step was found in the window")
		return
	}
	putDuration(set, lane, "comm.tail", span.Union(tails).And(lane.ExposedComm))
}
