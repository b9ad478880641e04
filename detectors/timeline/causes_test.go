package timeline

import (
	"testing"

	"perflint/detectors/trace"
)

// Each draws a launch from 150 µs on that ends a gap from 100 µs.
func TestTheCauseOfLaunchCallTime(t *testing.T) {
	for _, c := range []struct {
		name string
		draw func(s *sketch)
		want said
	}{
		{"a launch", func(s *sketch) { s.launch(s.thread(), 150, 160, 7, 165, 170) }, said{kind: "launch", subject: "cudaLaunchKernel"}},
		{"a graph launch", func(s *sketch) { s.kernel(s.call(s.thread(), "cudaGraphLaunch", 150, 160), 7, 165, 170) }, said{kind: "graph-launch", subject: "cudaGraphLaunch"}},
		{"the staging of a copy", func(s *sketch) { s.copied(s.call(s.thread(), "cudaMemcpyAsync", 150, 160), 7, 165, 170) }, said{kind: "staging", subject: "cudaMemcpyAsync"}},
		{"the first copy, however long, loads no code", func(s *sketch) { s.copied(s.call(s.thread(), "cudaMemcpy", 150, 1160), 7, 1165, 1170) }, said{kind: "staging", subject: "cudaMemcpy"}},
		{"a record of code loading inside", func(s *sketch) {
			s.launch(s.thread(), 150, 160, 7, 165, 170)
			s.overhead("Lazy Function Loading", 151, 160)
		}, said{kind: "code-loading", subject: "cudaLaunchKernel"}},
		{"a record that reaches beyond", func(s *sketch) {
			s.launch(s.thread(), 150, 160, 7, 165, 170)
			s.overhead("Lazy Function Loading", 151, 161)
		}, said{kind: "launch", subject: "cudaLaunchKernel"}},
		{"a call of code loading inside", func(s *sketch) {
			s.launch(s.thread(), 150, 160, 7, 165, 170)
			s.call(s.thread(), "cuLibraryLoadData", 151, 159)
		}, said{kind: "code-loading", subject: "cudaLaunchKernel"}},
		{"a call of code loading on another thread", func(s *sketch) {
			s.launch(s.thread(), 150, 160, 7, 165, 170)
			s.call(s.thread(2), "cuLibraryLoadData", 151, 159)
		}, said{kind: "launch", subject: "cudaLaunchKernel"}},
		{"the first of a kernel's name takes 1 ms", func(s *sketch) {
			s.named("new", s.call(s.thread(), "cudaLaunchKernel", 150, 1150), 7, 1160, 1170)
		}, said{kind: "code-loading", subject: "cudaLaunchKernel"}},
		{"the first of a kernel's name takes less", func(s *sketch) {
			s.named("new", s.call(s.thread(), "cudaLaunchKernel", 150, 1149.999), 7, 1160, 1170)
		}, said{kind: "launch", subject: "cudaLaunchKernel"}},
		{"the second of a kernel's name takes 1 ms", func(s *sketch) { s.launch(s.thread(), 150, 1150, 7, 1160, 1170) }, said{kind: "launch", subject: "cudaLaunchKernel"}},
		{"the profiler, where its overhead covers more than half of the gap", func(s *sketch) {
			s.launch(s.thread(), 101, 160, 7, 165, 170)
			s.overhead("Buffer Flush", 102, 160)
		}, said{kind: "profiler"}},
		{"none where there is no such time", func(s *sketch) { s.launch(s.thread(), 95, 100, 7, 165, 170) }, said{kind: "unknown"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := draw()
			s.launch(s.thread(), 0, 1, 7, 10, 100)
			c.draw(s)
			l := s.lane(t)
			if len(l.Gaps) != 1 {
				t.Fatalf("gaps %v", l.Gaps)
			}
			if got := saidOf(l, l.CallCause(&l.Gaps[0])); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// Each draws what the next work, queued on stream 7 and starting at 200 µs, waits for after work until 100 µs.
func TestWhatQueuedWorkWaitsFor(t *testing.T) {
	wait := func(s *sketch, device int32, stream, on int64, at float64) {
		s.AddWait(trace.WaitRow{Start: nanos(at), End: nanos(at), Corr: -1, Kind: trace.StreamWaitEvent, Device: device, Stream: stream, OnStream: on})
	}
	for _, c := range []struct {
		name string
		draw func(s *sketch)
		want CauseKind
	}{
		{"one stream: the device itself", func(s *sketch) { s.launch(s.thread(), 2, 3, 7, 80, 100) }, ByDispatch},
		{"another stream that ended within 20 µs", func(s *sketch) { s.launch(s.thread(), 2, 3, 8, 80, 180) }, ByStreamWait},
		{"another stream that ended earlier", func(s *sketch) { s.launch(s.thread(), 2, 3, 8, 80, 179.999) }, ByOutside},
		{"its own stream ended within 20 µs, the other long before", func(s *sketch) {
			s.launch(s.thread(), 2, 3, 8, 80, 120)
			s.launch(s.thread(), 2, 3, 7, 120, 190)
		}, ByOutside},
		{"another stream ended within 20 µs, but its own later", func(s *sketch) {
			s.launch(s.thread(), 2, 3, 8, 80, 181)
			s.launch(s.thread(), 2, 3, 7, 100, 190)
		}, ByStreamWait},
		{"of several other streams the latest counts", func(s *sketch) {
			s.launch(s.thread(), 2, 3, 8, 80, 185)
			s.launch(s.thread(), 2, 3, 7, 90, 190)
			s.launch(s.thread(), 2, 3, 9, 95, 120)
		}, ByStreamWait},
		{"an event of another stream", func(s *sketch) { s.launch(s.thread(), 2, 3, 8, 50, 100); wait(s, 0, 7, 8, 3) }, ByStreamWait},
		{"an event that another stream waits for", func(s *sketch) { s.launch(s.thread(), 2, 3, 8, 50, 100); wait(s, 0, 9, 8, 3) }, ByOutside},
		{"an event of its own stream", func(s *sketch) { s.launch(s.thread(), 2, 3, 8, 50, 100); wait(s, 0, 7, 7, 3) }, ByOutside},
		{"an event of nobody knows which stream", func(s *sketch) { s.launch(s.thread(), 2, 3, 8, 50, 100); wait(s, 0, 7, -1, 3) }, ByOutside},
		{"an event on another GPU", func(s *sketch) { s.launch(s.thread(), 2, 3, 8, 50, 100); wait(s, 1, 7, 8, 3) }, ByOutside},
		{"an event of another process", func(s *sketch) {
			s.launch(s.thread(), 2, 3, 8, 50, 100)
			s.AddCall(trace.CallRow{Start: nanos(2.5), End: nanos(3), Corr: 4711, Thread: s.Thread(99, 99)})
			s.AddWait(trace.WaitRow{Start: nanos(3), End: nanos(3), Corr: 4711, Kind: trace.StreamWaitEvent, Stream: 7, OnStream: 8})
		}, ByOutside},
		{"a synchronisation is no wait of a stream", func(s *sketch) {
			s.launch(s.thread(), 2, 3, 8, 50, 100)
			s.AddWait(trace.WaitRow{Start: nanos(3), End: nanos(3), Corr: -1, Kind: trace.StreamSync, Stream: 7, OnStream: 8})
		}, ByOutside},
		{"for the work before", func(s *sketch) { s.launch(s.thread(), 2, 3, 8, 50, 100); wait(s, 0, 7, 8, 0) }, ByOutside},
		{"for the work after", func(s *sketch) { s.launch(s.thread(), 2, 3, 8, 50, 100); wait(s, 0, 7, 8, 110) }, ByOutside},
		{"enqueued by the launch itself", func(s *sketch) { s.launch(s.thread(), 2, 3, 8, 50, 100); wait(s, 0, 7, 8, 4) }, ByStreamWait},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := draw()
			s.launch(s.thread(), 0, 1, 7, 10, 80)
			c.draw(s)
			s.launch(s.thread(), 4, 5, 7, 200, 210)
			l := s.lane(t)
			g := &l.Gaps[len(l.Gaps)-1]
			if g.End != us(200, 0).Start || g.WaitCause != c.want || (g.Producer >= 0) != (c.want == ByStreamWait) {
				t.Errorf("%v: got %v for stream %d, want %v", g.Span, g.WaitCause, g.Producer, c.want)
			}
		})
	}
	t.Run("inside one graph launch", func(t *testing.T) {
		s := draw()
		graph := s.call(s.thread(), "cudaGraphLaunch", 0, 5)
		s.kernel(graph, 7, 10, 20)
		s.kernel(graph, 8, 15, 25)
		s.kernel(graph, 7, 40, 50)
		if l := s.lane(t); l.Gaps[0].WaitCause != ByGraph {
			t.Errorf("got %v", l.Gaps[0].WaitCause)
		}
	})
	t.Run("nothing where it did not wait", func(t *testing.T) {
		s := draw()
		s.launch(s.thread(), 0, 5, 7, 10, 20)
		s.launch(s.thread(), 30, 35, 7, 40, 50)
		if l := s.lane(t); l.Gaps[0].WaitCause != Unknown {
			t.Errorf("got %v", l.Gaps[0].WaitCause)
		}
	})
}

func TestTheFirstUseOfAKernel(t *testing.T) {
	s := draw()
	a := s.call(s.thread(), "cudaLaunchKernel", 0, 1)
	s.named("a", a, 7, 10, 11)
	b := s.call(s.thread(), "cudaLaunchKernel", 1, 2)
	s.named("a", b, 7, 11, 12)
	s.named("b", 0, 7, 12, 13) // its call is not in the trace: a later one is not its first
	c := s.call(s.thread(), "cudaLaunchKernel", 3, 4)
	s.named("b", c, 7, 13, 14)
	s.copied(s.call(s.thread(), "cudaMemcpyAsync", 4, 5), 7, 14, 15)
	l := s.lane(t)
	if first := l.FirstOfName(); len(first) != 1 || !first[0] {
		t.Errorf("got %v", first)
	}
}

func TestOverheadByClass(t *testing.T) {
	s := draw()
	s.launch(s.thread(), 0, 1, 7, 10, 100)
	s.overhead("Buffer Flush", 5, 20)
	s.overhead("Activity Buffer Request", 15, 30)
	s.overhead("Command Buffer Full", 40, 45)
	s.overhead("Lazy Function Loading", 90, 120)
	l := s.lane(t) // the window is 10 to 100
	for class, want := range map[Class]float64{Plain: 20, QueueFull: 5, CodeLoading: 10, Launch: 0} {
		if got := l.Overhead(class).Total().Micros(); got != want {
			t.Errorf("%q: got %v µs, want %v µs", class, got, want)
		}
	}
}
