package detectors

import (
	"testing"

	"perflint/detectors/span"
	"perflint/detectors/timeline"
	"perflint/detectors/trace"
)

func TestGPUFeatures(t *testing.T) {
	s := draw()
	s.work("gemm", 0, 9, 0, 15) // launched before the trace began
	s.launch("gemm", 1, 2, 7, 10, 40)
	s.launch("gemm", 2, 3, 8, 30, 60)
	s.work("copy", s.call("cudaMemcpyAsync", 3, 4), 7, 60, 70, copied(trace.HtoD, trace.PinnedMem, 1000))
	s.launch("gemm", 75, 85, 7, 90, 110)
	set := s.features(t)
	want{
		"gpu.window_us": 100, "gpu.busy_us": 80, "gpu.idle_us": 20, "gpu.idle_frac": 0.2, "gpu.idle_spans": []span.Span{us(70, 90)},
		"gpu.compute_us": 70, "gpu.compute_frac": 0.7, "gpu.compute_spans": []span.Span{us(10, 60), us(90, 110)},
		"gpu.foreign_us": 0, "gpu.foreign_frac": 0,
	}.check(t, set)
}

func TestForeignWorkCountsForNothingElse(t *testing.T) {
	s := draw()
	s.work("gemm", 0, 9, 0, 50)
	s.work("ncclDevKernel_AllReduce(x)", 0, 20, 5, 60)
	s.launch("gemm", 1, 2, 7, 40, 45)
	s.launch("gemm", 2, 3, 7, 80, 100)
	want{
		"gpu.window_us": 60, "gpu.busy_us": 40, "gpu.compute_us": 25, "gpu.foreign_us": 15, "gpu.foreign_spans": []span.Span{us(45, 60)},
		"kernel.count": 2, "comm.kernel_count": 0,
	}.check(t, s.features(t))
}

func TestWithoutGPUWorkAllOfItIsMissing(t *testing.T) {
	s := draw()
	s.op("aten::add", 10, 20)
	s.annotation("ProfilerStep#1", 0, 100)
	set := s.features(t)
	want{
		"gpu.idle_frac": nil, "idle.gaps": nil, "launch.count": nil, "sync.count": nil, "kernel.count": nil, "comm.total_us": nil,
		"steps.count": 1, "steps.host_median_us": 100, "steps.median_us": nil, "trace.gpu_absence": "no-gpu", "trace.linked_frac": nil,
	}.check(t, set)
}

func TestAWindowWithoutTimeIsMissing(t *testing.T) {
	for name, opt := range map[string]timeline.Options{
		"a range outside": {Step: -1, Range: us(500, 600)}, "a step that is not there": {Step: 77}, "a step outside a range": {Step: 4, Range: us(0, 10)},
	} {
		t.Run(name, func(t *testing.T) {
			s := draw()
			for i := range 3 {
				at := 100 * float64(i)
				s.annotation("ProfilerStep#"+string(rune('3'+i)), at, at+100)
				s.launch("gemm", at+10, at+20, 7, at+30, at+40)
				s.call("cudaStreamSynchronize", at+25, at+45)
			}
			set := s.features(t, opt)
			want{
				"gpu.idle_frac": nil, "gpu.window_us": nil, "idle.causes": nil, "sync.sites": nil, "launch.host_ahead_frac": nil,
				"steps.count": 3, "steps.host_median_us": nil, "trace.linked_frac": nil, "trace.activity_count": 3,
			}.check(t, set)
			if set.Reason("gpu.idle_frac") == "" || set.Reason("gpu.idle_frac") != set.Reason("trace.linked_frac") {
				t.Errorf("reasons %q and %q", set.Reason("gpu.idle_frac"), set.Reason("trace.linked_frac"))
			}
		})
	}
}

// In a window that no work meets the GPU idles all of the time, and that is measured.
func TestAWindowWithoutWorkIsIdle(t *testing.T) {
	s := draw()
	s.launch("gemm", 0, 1, 7, 10, 20)
	s.launch("gemm", 80, 81, 7, 90, 100)
	set := s.features(t, timeline.Options{Step: -1, Range: us(30, 70)})
	want{
		"gpu.window_us": 40, "gpu.idle_frac": 1, "idle.gap_count": 1, "idle.host_late_us": 40, "launch.count": 0, "kernel.count": 0,
		"kernel.median_us": nil, "comm.overlap_frac": nil, "trace.linked_frac": nil, "trace.unlinked_time_frac": 0,
	}.check(t, set)
}
