package timeline

import (
	"slices"
	"testing"

	"perflint/detectors/feature"
	"perflint/detectors/trace"
)

func TestCapturedLaunches(t *testing.T) {
	for _, c := range []struct {
		name string
		draw func(s *sketch)
		want []string // which calls are captured, by the moment they start
	}{
		{"between the begin and the end of a capture", func(s *sketch) {
			s.call(s.thread(), "cudaLaunchKernel", 0, 1)
			s.call(s.thread(), "cudaStreamBeginCapture", 2, 3)
			s.call(s.thread(), "cudaLaunchKernel", 4, 5)
			s.call(s.thread(), "cudaLaunchKernel", 6, 7)
			s.call(s.thread(), "cudaStreamEndCapture", 8, 9)
			s.call(s.thread(), "cudaLaunchKernel", 10, 11)
		}, []string{"4", "6"}},
		{"on the same thread", func(s *sketch) {
			s.call(s.thread(), "cudaStreamBeginCapture", 2, 3)
			s.call(s.thread(2), "cudaLaunchKernel", 4, 5)
			s.call(s.thread(), "cudaStreamEndCapture", 8, 9)
		}, nil},
		{"from the last linked call to an instantiation", func(s *sketch) {
			s.call(s.thread(), "cudaLaunchKernel", 0, 1)
			s.launch(s.thread(), 2, 3, 7, 20, 30)
			s.call(s.thread(), "cudaLaunchKernel", 4, 5)
			s.call(s.thread(), "cudaMemcpyAsync", 6, 7)
			s.call(s.thread(), "cudaLaunchKernel", 8, 9)
			s.call(s.thread(), "cudaGraphInstantiate", 10, 11)
			s.call(s.thread(), "cudaLaunchKernel", 12, 13)
		}, []string{"4", "8"}},
		{"not without an instantiation", func(s *sketch) { s.call(s.thread(), "cudaLaunchKernel", 0, 1) }, nil},
		{"the driver call under the runtime call is not counted again", func(s *sketch) {
			s.call(s.thread(), "cudaStreamBeginCapture", 2, 3)
			s.call(s.thread(), "cudaLaunchKernel", 4, 8)
			s.call(s.thread(), "cuLaunchKernel", 5, 7)
			s.call(s.thread(), "cudaStreamEndCapture", 9, 10)
		}, []string{"4"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := draw()
			c.draw(s)
			l := s.lane(t)
			var got []string
			for _, i := range l.Calls() {
				if l.Captured(i) {
					got = append(got, feature.Digits(l.Trace.Calls.Start[i].Micros(), 3))
				}
				if l.Captured(i) && l.Counts(i) {
					t.Errorf("call %d is captured, but counts", i)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestCallsInsideCallsOfTheirClass(t *testing.T) {
	s := draw()
	for _, c := range []struct {
		name     string
		from, to float64
	}{
		{"cudaLaunchKernel", 0, 10}, {"cuLaunchKernel", 1, 9}, {"cuLaunchKernelEx", 2, 3}, {"cudaMalloc", 4, 5},
		{"cudaLaunchKernel", 10, 20}, {"cuLaunchKernel", 15, 25}, {"cudaStreamSynchronize", 30, 40}, {"cudaMemcpy", 31, 39}, {"cudaMalloc", 50, 60}, {"cuMemAlloc", 52, 60},
	} {
		s.call(s.thread(), c.name, c.from, c.to)
	}
	s.call(s.thread(2), "cuLaunchKernel", 1, 9)
	l := s.lane(t)
	var got []float64
	for _, i := range l.Calls() {
		if !l.Counts(i) {
			got = append(got, l.Trace.Calls.Start[i].Micros())
		}
	}
	if want := []float64{1, 2, 52}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestLanes(t *testing.T) {
	type lane struct {
		process int64
		gpu     int
		calls   []float64 // starts, in µs
	}
	for _, c := range []struct {
		name string
		draw func(s *sketch)
		want []lane
	}{
		{"one GPU of one process", func(s *sketch) { s.launch(s.thread(), 1, 2, 7, 3, 4) }, []lane{{1, 0, []float64{1}}}},
		{"nothing at all", func(s *sketch) {}, []lane{{0, -1, nil}}},
		{"work that nothing links, of the only process that calls the GPU", func(s *sketch) {
			s.call(s.thread(), "cudaLaunchKernel", 1, 2)
			s.process = 0
			s.kernel(0, 7, 3, 4)
		}, []lane{{1, 0, []float64{1}}}},
		{"work that no process is known of, and all calls", func(s *sketch) {
			s.call(s.thread(), "cudaMalloc", 1, 2)
			s.process = 2
			s.call(s.thread(), "cudaMalloc", 3, 4)
			s.process = 0
			s.kernel(0, 7, 3, 4)
		}, []lane{{0, 0, []float64{1, 3}}}},
		{"two processes on two GPUs, with streams of one number", func(s *sketch) {
			s.launch(s.thread(), 1, 2, 7, 3, 4)
			s.process, s.device = 2, 1
			s.launch(s.thread(), 5, 6, 7, 7, 8)
		}, []lane{{1, 0, []float64{1}}, {2, 1, []float64{5}}}},
		{"two processes on one GPU", func(s *sketch) {
			s.launch(s.thread(), 1, 2, 7, 3, 4)
			s.process = 2
			s.launch(s.thread(), 5, 6, 7, 7, 8)
		}, []lane{{1, 0, []float64{1}}, {2, 0, []float64{5}}}},
		{"one process on two GPUs: an unlinked call goes where the last linked one went", func(s *sketch) {
			s.call(s.thread(), "cudaMalloc", 0, 1)
			s.launch(s.thread(), 1, 2, 7, 10, 11)
			s.call(s.thread(), "cudaStreamSynchronize", 2, 3)
			s.device = 1
			s.launch(s.thread(), 3, 4, 7, 10, 11)
			s.call(s.thread(), "cudaStreamSynchronize", 4, 5)
			s.call(s.thread(2), "cudaMalloc", 6, 7) // on a thread that launches nothing: of neither
		}, []lane{{1, 0, []float64{0, 1, 2}}, {1, 1, []float64{3, 4}}}},
		{"a process that launches, but whose work is not recorded", func(s *sketch) {
			s.launch(s.thread(), 1, 2, 7, 3, 4)
			s.process = 2
			s.call(s.thread(), "cudaLaunchKernel", 5, 6)
			s.process = 3
			s.op(s.thread(), "aten::add", 5, 6) // launches nothing: no lane beside GPUs that work
		}, []lane{{2, -1, []float64{5}}, {1, 0, []float64{1}}}},
		{"processes without any GPU work", func(s *sketch) {
			s.op(s.thread(), "aten::add", 5, 6)
			s.process = 2
			s.ranges(s.thread(), trace.OSCall, "poll", 5, 6)
		}, []lane{{1, -1, nil}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := draw()
			c.draw(s)
			lanes := s.lanes()
			if len(lanes) != len(c.want) {
				t.Fatalf("%d lanes, want %d", len(lanes), len(c.want))
			}
			for i, want := range c.want {
				l := lanes[i]
				var calls []float64
				for _, c := range l.Calls() {
					calls = append(calls, l.Trace.Calls.Start[c].Micros())
				}
				if l.ID.Process != want.process || l.ID.GPU != want.gpu || !slices.Equal(calls, want.calls) {
					t.Errorf("lane %d: process %d, GPU %d, calls %v, want %+v", i, l.ID.Process, l.ID.GPU, calls, want)
				}
			}
		})
	}
}

func TestWorkClasses(t *testing.T) {
	s := draw()
	s.kernel(0, 7, 0, 1)
	s.named("ncclDevKernel_Generic(x)", 0, 7, 1, 2)
	s.work(trace.WorkRow{Name: s.Names.Intern("custom_all_reduce"), Collective: s.Collective(trace.Collective{Name: "allreduce"})}, 0, 2, 3)
	s.work(trace.WorkRow{Name: s.Names.Intern("oneshot"), Collective: s.Collective(trace.Collective{Dtype: "Float"})}, 0, 3, 4)
	s.work(trace.WorkRow{Kind: trace.Copy, Name: s.Names.Intern("nccl copy")}, 0, 4, 5)
	s.work(trace.WorkRow{Kind: trace.Fill}, 0, 5, 6)
	s.work(trace.WorkRow{Kind: trace.GraphBody}, 0, 6, 7)
	l := s.lane(t)
	var got []WorkClass
	for i := range l.ActCount() {
		got = append(got, l.Act(int32(i)).Class)
	}
	if want := []WorkClass{Compute, Comm, Comm, Compute, CopyWork, FillWork, GraphWork}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
