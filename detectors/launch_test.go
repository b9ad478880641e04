package detectors

import (
	"testing"

	"perflint/detectors/span"
	"perflint/detectors/timeline"
)

func TestLaunches(t *testing.T) {
	s := draw()
	s.annotation("ProfilerStep#0", 0, 100)
	s.annotation("ProfilerStep#1", 100, 200)
	s.launch("a", 0, 4, 7, 10, 20)
	s.launch("b", 5, 8, 7, 20, 30)
	s.callOn(1, "cuLaunchKernel", 6, 7)        // under the runtime call before it
	s.callOn(2, "cudaLaunchKernelExC", 50, 55) // of another thread, its work not recorded
	s.call("cudaStreamBeginCapture", 60, 61)
	s.call("cudaLaunchKernel", 62, 63)
	s.call("cudaStreamEndCapture", 64, 65)
	s.work("g", s.call("cudaGraphLaunch", 66, 67), 7, 68, 69)
	s.launch("c", 110, 120, 7, 130, 140)
	set := s.features(t)
	want{
		"launch.count": 4, "launch.per_step_count": 2, "launch.call_us": 4 + 3 + 5 + 10, "launch.median_us": 4.5,
		"graph.launch_count": 1, "trace.launch_count": 6, "trace.captured_frac": 1.0 / 6,
	}.check(t, set)
}

// Launches outside the window count a step, for steps are whole; they do not count in the window.
func TestLaunchesOfStepsAndOfTheWindow(t *testing.T) {
	s := steps(4, 100, func(s *sketch, i int, at float64) {
		s.launch("b", at+50, at+52, 7, at+60, at+70)
	})
	want{"launch.count": 4, "launch.per_step_count": 2, "gpu.window_us": 200}.check(t, s.features(t, timeline.Options{Step: -1, Range: us(105, 305)}))
}

func TestLaunchesWithoutStepsOrCalls(t *testing.T) {
	s := draw()
	s.launch("a", 0, 4, 7, 0, 20)
	s.launch("a", 5, 9, 7, 20, 30)
	want{"launch.count": 2, "launch.per_step_count": nil, "sync.count": 0, "sync.per_step_count": nil, "alloc.count": 0}.check(t, s.features(t))
	s = draw()
	s.work("a", 0, 7, 10, 20)
	want{
		"launch.count": nil, "launch.median_us": nil, "sync.count": nil, "alloc.count": nil, "launch.host_ahead_frac": nil,
		"gpu.busy_us": 10, "launch.queue_full_us": 0, "launch.tiny_paced_us": 0,
	}.check(t, s.features(t))
}

func TestTinyPacedTimeLiesBetweenTwoTinyKernels(t *testing.T) {
	s := draw()
	s.launch("a", 0, 1, 7, 10, 19)                                                 // tiny
	s.launch("b", 30, 33, 7, 34, 43)                                               // tiny: 11 late and 3 in the call
	s.launch("c", 50, 52, 7, 53, 63)                                               // 10 µs, not tiny
	s.launch("d", 70, 72, 7, 73, 74)                                               // tiny, after one that is not
	s.work("copy", s.call("cudaMemcpyAsync", 80, 82), 7, 83, 84, copied(1, 2, 10)) // no kernel
	s.launch("e", 90, 92, 7, 93, 94)
	s.launch("ncclDevKernel_Send(x)", 100, 102, 7, 103, 104) // communicates
	s.launch("f", 110, 112, 7, 113, 114)
	s.launch("g", 120, 124, 7, 125, 126) // tiny: 6 late and 4 in the call
	want{"launch.tiny_paced_us": 24, "launch.tiny_paced_spans": []span.Span{us(19, 33), us(114, 124)}}.check(t, s.features(t))
}

func TestHowFarTheHostIsAhead(t *testing.T) {
	s := draw()
	s.launch("a", 0, 1, 7, 10, 50)   // the first of the window does not count
	s.launch("b", 2, 49, 7, 50, 60)  // ahead: a still ran
	s.launch("c", 52, 60, 7, 61, 70) // not ahead: b ended as the call did
	s.launch("d", 61, 62, 8, 62, 64) // ahead of c
	s.launch("e", 63, 69, 7, 70, 80) // ahead of c, though d ended before
	graph := s.call("cudaGraphLaunch", 70, 79)
	s.work("g1", graph, 7, 80, 85) // ahead of e; the other nodes do not count
	s.work("g2", graph, 7, 100, 105)
	s.work("h", 0, 7, 110, 200)          // without a call, but the GPU works on it
	s.launch("i", 150, 199, 7, 200, 210) // ahead of h
	want{"launch.host_ahead_frac": 5.0 / 6}.check(t, s.features(t))
}

func TestFullQueue(t *testing.T) {
	s := draw()
	s.launch("a", 0, 1, 7, 10, 110)
	s.overhead("Command Buffer Full", 0, 30)
	s.overhead("Command Buffer Full", 20, 40)
	s.overhead("Buffer Flush", 50, 60)
	want{"launch.queue_full_us": 30, "launch.queue_full_frac": 0.3, "profiler.overhead_us": 10, "profiler.overhead_frac": 0.1}.check(t, s.features(t))
}

func TestALoaderBetweenTinyKernelsIsNoIssue(t *testing.T) {
	s := draw()
	s.launch("a", 0, 1, 7, 2, 5)
	s.annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 5, 95)
	s.launch("a", 100, 101, 7, 102, 105)
	s.op("aten::add", 105, 195)
	s.launch("a", 200, 201, 7, 202, 205)
	want{"launch.tiny_paced_us": 192, "launch.tiny_issue_us": 97}.check(t, s.features(t))
}
