package detectors

import (
	"fmt"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
)

var _ = register(Detector{
	Name: "gpu",
	Doc:  "How much of the window the GPU works, and on what: the terms of the identity.",
	Features: declare(
		number("gpu.window_us", feature.Us, "Length of the window that is judged"),
		number("gpu.busy_us", feature.Us, "Time in which the GPU does anything"),
		duration("gpu.idle", "Time in which the GPU does nothing"),
		duration("gpu.compute", "Time in which the GPU computes"),
		duration("gpu.foreign", "Time in which the GPU only works off what was launched before the window"),
	),
	Needs:  GPUWork,
	Detect: detectGPU,
})

func detectGPU(lane *timeline.Lane, set *feature.Set) error {
	idle, compute, foreign := lane.Idle.Total(), lane.Compute.Total(), lane.ForeignOnly.Total()
	set.Float("gpu.window_us", lane.W.Len().Micros())
	set.Float("gpu.busy_us", (lane.W.Len() - idle).Micros())
	putSharedDuration(set, lane, "gpu.idle", lane.Idle, idle)
	putSharedDuration(set, lane, "gpu.compute", lane.Compute, compute)
	putSharedDuration(set, lane, "gpu.foreign", lane.ForeignOnly, foreign)
	return identity(lane, idle, compute, foreign)
}

// identity checks, to the nanosecond, that the parts of the window add up. A violation is a bug of perflint.
func identity(lane *timeline.Lane, idle, compute, foreign span.Time) error {
	parts := compute + lane.ExposedComm.Total() + lane.ExposedCopy.Total() + foreign + idle
	if parts != lane.W.Len() {
		return fmt.Errorf("the parts of the window are %d ns, the window %d ns", parts, lane.W.Len())
	}
	gaps := lane.Micro.Total()
	for i := range lane.Gaps {
		g := &lane.Gaps[i]
		gaps += g.HostLate().Len() + g.LaunchCall().Len() + g.Latency().Len() + g.DeviceWait().Len() + g.Unknown().Len()
	}
	if gaps != idle {
		return fmt.Errorf("the parts of the idle time are %d ns, the idle time %d ns", gaps, idle)
	}
	return nil
}
