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
		text("comm.backend", "Backend that the trace names"),
		list("comm.collectives", "Collectives by kind, group, size and type", collectiveFields...),
	),
	Needs:  GPUWork,
	Detect: detectComm,
})

func detectComm(lane *timeline.Lane, set *feature.Set) error {
	n := len(lane.Comms())
	set.Int("comm.kernel_count", int64(n))
	putSharedDuration(set, lane, "comm.total", lane.Comm, lane.Comm.Total())
	putSharedDuration(set, lane, "comm.exposed", lane.ExposedComm, lane.ExposedComm.Total())
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
	set.List("comm.collectives", collectiveRecords(lane))
	return nil
}

// sharedFrom is the share of a stream's busy time that computing kernels hold at least where it counts as a compute stream.
const sharedFrom = 0.05

// putSerialized measures communication on streams where computing kernels hold at least 5 % of the busy time.
func putSerialized(lane *timeline.Lane, set *feature.Set) {
	shared := computeStreams(lane)
	var on, all span.Time
	for _, i := range lane.Comms() {
		length := lane.ActSpan(i).Clip(lane.W).Len()
		all += length
		if shared[lane.Stream[i]] {
			on += length
		}
	}
	putShare(set, "comm.same_stream_frac", on, all, "communication takes no time")
	putDuration(set, lane, "comm.serialized", lane.UnionOf(lane.Comms(), func(a timeline.Act) bool {
		return shared[a.Stream]
	}).Minus(lane.Compute))
}

// computeStreams tells by stream whether computing kernels hold enough of its busy time.
func computeStreams(lane *timeline.Lane) []bool {
	compute, busy := make([]span.Length, len(lane.Trace.Streams)), make([]span.Length, len(lane.Trace.Streams))
	for _, i := range lane.In {
		if !lane.Own[i] {
			continue
		}
		stream, at := lane.Stream[i], lane.ActSpan(i).Clip(lane.W)
		busy[stream].Add(at)
		if lane.Class[i] == timeline.Compute {
			compute[stream].Add(at)
		}
	}
	shared := make([]bool, len(busy))
	for s := range shared {
		k := compute[s].Total()
		shared[s] = k > 0 && float64(k) >= sharedFrom*float64(busy[s].Total())
	}
	return shared
}
