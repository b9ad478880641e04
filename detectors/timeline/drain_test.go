package timeline

import (
	"testing"

	"perflint/detectors/span"
)

// Each draws what lets the GPU run dry before the gap 100 to 200 µs: work until 100, a launch 150-160 of work at 200.
// Its host-late, launch-call and launch-latency parts are 50, 10 and 40 µs.
func TestDrainedGaps(t *testing.T) {
	for _, c := range []struct {
		name string
		draw func(s *sketch)
		call span.Span // empty: nothing drained it
		cost float64
	}{
		{name: "a synchronisation that the gap begins in", draw: func(s *sketch) { s.call(s.thread(), "cudaStreamSynchronize", 20, 105) }, call: us(20, 105), cost: 85},
		{name: "at most what the call lasted", draw: func(s *sketch) { s.call(s.thread(), "cudaStreamSynchronize", 95, 105) }, call: us(95, 105), cost: 10},
		{name: "the gap begins just under 30 µs after the call", draw: func(s *sketch) { s.call(s.thread(), "cudaDeviceSynchronize", 10, 70.001) }, call: us(10, 70.001), cost: 60.001},
		{name: "30 µs after the call is too late", draw: func(s *sketch) { s.call(s.thread(), "cudaDeviceSynchronize", 10, 70) }},
		{name: "the gap begins with the call", draw: func(s *sketch) { s.call(s.thread(), "cudaDeviceSynchronize", 100, 140) }, call: us(100, 140), cost: 40},
		{name: "the call begins after the gap", draw: func(s *sketch) { s.call(s.thread(), "cudaDeviceSynchronize", 100.001, 140) }},
		{name: "a call shorter than 5 µs", draw: func(s *sketch) { s.call(s.thread(), "cudaStreamSynchronize", 96, 100.999) }},
		{name: "a call of 5 µs", draw: func(s *sketch) { s.call(s.thread(), "cudaStreamSynchronize", 96, 101) }, call: us(96, 101), cost: 5},
		{name: "waiting for an event on the GPU does not block", draw: func(s *sketch) { s.call(s.thread(), "cudaStreamWaitEvent", 20, 105) }},
		{name: "of several the latest", draw: func(s *sketch) {
			s.call(s.thread(), "cudaStreamSynchronize", 20, 75)
			s.call(s.thread(), "cudaEventSynchronize", 80, 90)
		}, call: us(80, 90), cost: 10},
		{name: "an outer call after six short ones inside it", draw: func(s *sketch) {
			s.call(s.thread(), "cudaDeviceSynchronize", 10, 105)
			for i := range 6 {
				s.call(s.thread(), "cudaMemcpy", 11+float64(8*i), 16+float64(8*i))
			}
		}, call: us(10, 105), cost: 95},
		{name: "a call inside one of its class is not looked at", draw: func(s *sketch) {
			s.call(s.thread(), "cudaStreamSynchronize", 20, 105)
			s.call(s.thread(), "cuStreamSynchronize", 21, 104)
		}, call: us(20, 105), cost: 85},
		{name: "another launching thread's where the own has none", draw: func(s *sketch) {
			s.launch(s.thread(2), 1, 2, 7, 30, 40)
			s.call(s.thread(2), "cudaStreamSynchronize", 20, 105)
		}, call: us(20, 105), cost: 85},
		{name: "of other threads' the latest", draw: func(s *sketch) {
			for i, from := range []float64{30, 60, 40} {
				s.launch(s.thread(int64(i)+2), 1, 2, 7, 30, 40)
				s.call(s.thread(int64(i)+2), "cudaStreamSynchronize", from, 105)
			}
		}, call: us(60, 105), cost: 45},
		{name: "the own thread's before a later one of another", draw: func(s *sketch) {
			s.launch(s.thread(2), 1, 2, 7, 30, 40)
			s.call(s.thread(2), "cudaStreamSynchronize", 90, 105)
			s.call(s.thread(), "cudaStreamSynchronize", 20, 105)
		}, call: us(20, 105), cost: 85},
		{name: "threads that never launch drain nothing", draw: func(s *sketch) { s.call(s.thread(9), "cudaStreamSynchronize", 20, 105) }},
		{name: "a blocking copy, less its own time", draw: func(s *sketch) {
			s.copied(s.call(s.thread(), "cudaMemcpy", 20, 105), 7, 60, 90)
		}, call: us(20, 105), cost: 55},
		{name: "a blocking copy that is all copy costs nothing", draw: func(s *sketch) {
			s.copied(s.call(s.thread(), "cudaMemcpy", 60, 90), 7, 60, 90)
		}},
		{name: "a cost of nothing is not made up for by another thread", draw: func(s *sketch) {
			s.copied(s.call(s.thread(), "cudaMemcpy", 60, 90), 7, 60, 90)
			s.launch(s.thread(2), 1, 2, 7, 30, 40)
			s.call(s.thread(2), "cudaStreamSynchronize", 20, 105)
		}},
		{name: "a blocking copy that the trace does not show", draw: func(s *sketch) { s.call(s.thread(), "hipMemcpyWithStream", 20, 105) }, call: us(20, 105), cost: 85},
		{name: "an asynchronous copy that blocked", draw: func(s *sketch) {
			s.copied(s.call(s.thread(), "cudaMemcpyAsync", 40, 88), 7, 60, 90)
		}, call: us(40, 88), cost: 18},
		{name: "an asynchronous copy that returned before its copy had ended", draw: func(s *sketch) {
			s.copied(s.call(s.thread(), "cudaMemcpyAsync", 40, 87.999), 7, 60, 90)
		}},
		{name: "an asynchronous copy of 20 µs", draw: func(s *sketch) {
			s.copied(s.call(s.thread(), "cudaMemcpyAsync", 75, 95), 7, 80, 90)
		}, call: us(75, 95), cost: 10},
		{name: "an asynchronous copy shorter than 20 µs", draw: func(s *sketch) {
			s.copied(s.call(s.thread(), "cudaMemcpyAsync", 75.001, 95), 7, 80, 90)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := draw()
			s.launch(s.thread(), 0, 1, 7, 10, 100)
			c.draw(s)
			s.launch(s.thread(), 150, 160, 7, 200, 210)
			l := s.lane(t)
			if len(l.Gaps) != 1 || l.Gaps[0].Span != us(100, 200) {
				t.Fatalf("gaps %v", l.Gaps)
			}
			g := &l.Gaps[0]
			var call span.Span
			if g.Drained >= 0 {
				call = l.Trace.Calls.Span(g.Drained)
			}
			if call != c.call || g.DrainCost.Micros() != c.cost {
				t.Errorf("got %v costing %v µs, want %v costing %v µs", call, g.DrainCost.Micros(), c.call, c.cost)
			}
			if want := us(100, 100+c.cost); c.cost > 0 && g.Cost() != want {
				t.Errorf("the cost is %v, want %v", g.Cost(), want)
			}
		})
	}
}

func TestWhatADrainCanCost(t *testing.T) {
	for _, c := range []struct {
		name            string
		from, to, start float64 // of the launching call, and of its work, after work until 100
		sync            span.Span
		want            float64
	}{
		{"what the host had not asked for", 500, 510, 515, us(20, 105), 85},
		{"only until 200 µs after the call", 500, 510, 515, us(5, 70.5), 65.5},
		{"of a long call until 200 µs after it", 900, 910, 915, us(1, 110), 109},
		{"of a very long wait until 200 µs after it", 900, 910, 915, us(-400, 110), 210},
		{"not the time in which the work waited for the device", 102, 104, 300, us(20, 105), 54},
		{"nothing where the next work was queued already", 90, 95, 300, us(20, 105), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := draw()
			s.launch(s.thread(), -500, -490, 7, -400, 100)
			s.call(s.thread(), "cudaStreamSynchronize", c.sync.Start.Micros(), c.sync.End.Micros())
			s.launch(s.thread(), c.from, c.to, 7, c.start, c.start+10)
			l := s.lane(t)
			g := &l.Gaps[len(l.Gaps)-1]
			if got := g.DrainCost.Micros(); got != c.want {
				t.Errorf("got %v µs, want %v µs", got, c.want)
			}
		})
	}
}

func TestLastAndUnknownGapsAreDrainedByNone(t *testing.T) {
	s := draw()
	s.annotation(s.thread(), "ProfilerStep#1", 0, 500)
	s.launch(s.thread(), 0, 1, 7, 10, 100)
	s.call(s.thread(), "cudaStreamSynchronize", 20, 105)
	s.kernel(0, 7, 200, 210)
	s.call(s.thread(), "cudaStreamSynchronize", 150, 215)
	s.op(s.thread(), "aten::add", 390, 400)
	l := s.lane(t)
	if len(l.Gaps) != 3 || l.Gaps[0].Span != us(0, 10) || l.Gaps[1].Span != us(100, 200) || l.Gaps[2].Span != us(210, 400) {
		t.Fatalf("gaps %v", l.Gaps)
	}
	for _, g := range l.Gaps {
		if g.Drained >= 0 || g.DrainCost != 0 {
			t.Errorf("%v was drained", g.Span)
		}
	}
}
