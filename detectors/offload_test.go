package detectors

import (
	"testing"

	"perflint/detectors/trace"
)

func TestCopiesOfDeliberateOffloading(t *testing.T) {
	s := draw()
	s.launch("gemm", 0, 1, 7, 10, 100)
	s.annotation("CPUOffload: prefetch layer 3", 100, 110)
	s.work("h2d", s.call("cudaMemcpyAsync", 102, 104), 7, 110, 140, copied(trace.HtoD, trace.PinnedMem, 1<<20))
	s.work("h2d", s.call("cudaMemcpyAsync", 111, 112), 7, 140, 150, copied(trace.HtoD, trace.PinnedMem, 1<<20)) // after the range
	s.work("h2d", s.callOn(2, "cudaMemcpyAsync", 103, 105), 8, 150, 160, copied(trace.HtoD, trace.PinnedMem, 1<<20))
	s.work("h2d", 0, 8, 160, 170, copied(trace.HtoD, trace.PinnedMem, 1<<20)) // nobody knows who launched it
	s.launch("gemm", 120, 121, 7, 170, 210)
	want{"copy.exposed_us": 60, "copy.offload_frac": 0.5}.check(t, s.features(t))

	s = draw()
	s.launch("gemm", 0, 1, 7, 10, 1000)
	s.work("h2d", s.call("cudaMemcpyAsync", 2, 3), 7, 1000, 1005, copied(trace.HtoD, trace.PinnedMem, 1<<20))
	want{"copy.offload_frac": nil}.check(t, s.features(t))
}
