package detectors

import (
	"fmt"

	"perflint/detectors/feature"
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
	set.Float("gpu.window_us", lane.W.Len().Micros())
	set.Float("gpu.busy_us", (lane.W.Len() - lane.Idle.Total()).Micros())
	putSharedDuration(set, lane, "gpu.idle", lane.Idle)
	putSharedDuration(set, lane, "gpu.compute", lane.Compute)
	putSharedDuration(set, lane, "gpu.foreign", lane.ForeignOnly)
	return identity(lane)
}

// identity checks, to the nanosecond, that the parts of the window add up. A violation is a bug of perflint.
func identity(lane *timeline.Lane) error {
	parts := lane.Compute.Total() + lane.ExposedComm.Total() + lane.ExposedCopy.Total() + lane.ForeignOnly.Total() + lane.Idle.Total()
	if parts != lane.W.Len() {
		return fmt.Errorf("the parts of the window are %d ns, the window %d ns", parts, lane.W.Len())
	}
	idle := lane.Micro.Total()
	for _, g := range lane.Gaps {
		idle += g.HostLate().Len() + g.LaunchCall().Len() + g.Latency().Len() + g.DeviceWait().Len() + g.Unknown().Len()
	}
	if idle != lane.Idle.Total() {
		return fmt.Errorf("the parts of the idle time are %d ns, the idle time %d ns", idle, lane.Idle.Total())
	}
	return nil
}
