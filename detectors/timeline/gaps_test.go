package timeline

import (
	"testing"

	"perflint/detectors/span"
)

// parts is the lengths of the parts of a gap in µs: host-late, launch-call, launch-latency, device-wait, unknown.
type parts [5]float64

func partsOf(g *Gap) parts {
	return parts{g.HostLate().Len().Micros(), g.LaunchCall().Len().Micros(), g.Latency().Len().Micros(), g.DeviceWait().Len().Micros(), g.Unknown().Len().Micros()}
}

// Each draws what follows a kernel that ends at 100 µs.
func TestGapsAreSplitByWhatTheLaunchingCallDid(t *testing.T) {
	for _, c := range []struct {
		name string
		draw func(s *sketch)
		want []parts
	}{
		{"the host asks late, takes its time, and the kernel is on its way", func(s *sketch) { s.launch(s.thread(), 150, 160, 7, 170, 180) }, []parts{{50, 10, 10, 0, 0}}},
		{"after 50 µs on its way it waits", func(s *sketch) { s.launch(s.thread(), 110, 120, 7, 200, 210) }, []parts{{10, 10, 50, 30, 0}}},
		{"the call began before the gap", func(s *sketch) { s.launch(s.thread(), 90, 110, 7, 130, 140) }, []parts{{0, 10, 20, 0, 0}}},
		{"the call had ended when the gap began", func(s *sketch) { s.launch(s.thread(), 90, 100, 7, 130, 140) }, []parts{{0, 0, 0, 30, 0}}},
		{"the kernel starts inside its call", func(s *sketch) { s.launch(s.thread(), 110, 150, 7, 130, 160) }, []parts{{10, 20, 0, 0, 0}}},
		{"the kernel starts before its call", func(s *sketch) { s.launch(s.thread(), 140, 150, 7, 130, 160) }, []parts{{30, 0, 0, 0, 0}}},
		{"a call that takes no time", func(s *sketch) { s.launch(s.thread(), 110, 110, 7, 130, 160) }, []parts{{10, 0, 20, 0, 0}}},
		{"no call in the trace", func(s *sketch) { s.kernel(0, 7, 130, 160); s.launch(s.thread(), 50, 51, 7, 160, 170) }, []parts{{0, 0, 0, 0, 30}}},
		{"1.999 µs is micro", func(s *sketch) { s.launch(s.thread(), 50, 51, 7, 101.999, 110) }, nil},
		{"2 µs is a gap", func(s *sketch) { s.launch(s.thread(), 50, 51, 7, 102, 110) }, []parts{{0, 0, 0, 2, 0}}},
		{"of work that starts together the shorter counts as next", func(s *sketch) {
			s.launch(s.thread(), 50, 51, 7, 130, 160)
			s.launch(s.thread(), 110, 120, 8, 130, 140)
		}, []parts{{10, 10, 10, 0, 0}}},
		{"work that takes no time neither ends a gap nor begins one", func(s *sketch) {
			s.launch(s.thread(), 50, 51, 7, 120, 120)
			s.launch(s.thread(), 110, 115, 7, 130, 140)
		}, []parts{{10, 5, 15, 0, 0}}},
		{"overlapping streams leave no gap", func(s *sketch) {
			s.launch(s.thread(), 50, 51, 8, 60, 300)
			s.launch(s.thread(), 150, 155, 7, 200, 210)
		}, nil},
		{"several gaps", func(s *sketch) {
			s.launch(s.thread(), 110, 120, 7, 120, 130)
			s.launch(s.thread(), 110, 120, 7, 160, 170)
		}, []parts{{10, 10, 0, 0, 0}, {0, 0, 0, 30, 0}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := draw()
			s.launch(s.thread(), 0, 5, 7, 10, 100)
			c.draw(s)
			l := s.lane(t)
			if len(l.Gaps) != len(c.want) {
				t.Fatalf("%d gaps, want %d", len(l.Gaps), len(c.want))
			}
			for i, want := range c.want {
				g := &l.Gaps[i]
				if got := partsOf(g); got != want {
					t.Errorf("gap %d: got %v, want %v", i, got, want)
				}
				if end := l.Act(g.Next).Start; end != g.End {
					t.Errorf("gap %d ends at %v, the next work starts at %v", i, g.End, end)
				}
			}
			checkIdentity(t, l)
		})
	}
}

// checkIdentity is the identity of the features page, to the nanosecond.
func checkIdentity(t *testing.T, l *Lane) {
	t.Helper()
	var sum span.Time
	for _, s := range []span.Set{l.Compute, l.ExposedComm, l.ExposedCopy, l.ForeignOnly, l.Idle} {
		sum += s.Total()
	}
	if sum != l.W.Len() {
		t.Errorf("the parts of the window are %d ns, the window %d ns", sum, l.W.Len())
	}
	idle := l.Micro.Total()
	for i := range l.Gaps {
		g := &l.Gaps[i]
		for _, p := range []span.Span{g.HostLate(), g.LaunchCall(), g.Latency(), g.DeviceWait(), g.Unknown()} {
			if p.End < p.Start {
				t.Errorf("a part of %v is negative: %v", g.Span, p)
			}
			idle += p.Len()
		}
	}
	if idle != l.Idle.Total() {
		t.Errorf("the parts of the idle time are %d ns, the idle time %d ns", idle, l.Idle.Total())
	}
}

// The step ends 100 µs after its last work.
func TestTheLastGap(t *testing.T) {
	for _, c := range []struct {
		name     string
		unlinked int
		want     parts
	}{
		{"is the host's where all work is linked", 0, parts{100, 0, 0, 0, 0}},
		{"is the host's where 80 % of it are", 1, parts{100, 0, 0, 0, 0}},
		{"is unknown where less is", 2, parts{0, 0, 0, 0, 100}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := draw()
			s.annotation(s.thread(), "ProfilerStep#1", 0, 500)
			for i := range 4 {
				s.launch(s.thread(int64(i)), 10+float64(i), 11+float64(i), 7, 20+20*float64(i), 40+20*float64(i))
			}
			for i := range c.unlinked {
				s.kernel(0, 8, 50, 60+float64(i))
			}
			s.op(s.thread(), "aten::add", 190, 200)
			s.launch(s.thread(9), 600, 605, 7, 610, 620) // after the window
			l := s.lane(t)
			if l.W != us(0, 200) || len(l.Gaps) != 2 {
				t.Fatalf("window %v, %d gaps", l.W, len(l.Gaps))
			}
			g := &l.Gaps[1]
			if got := partsOf(g); got != c.want || g.Next != -1 {
				t.Errorf("got %v, want %v", got, c.want)
			}
			want := int64(3) // who launched last
			if c.want[4] > 0 {
				want = -1
			}
			if th := l.ThreadOf(g); th >= 0 && l.Trace.Threads[th].TID != want || th < 0 != (want < 0) {
				t.Errorf("thread %d", th)
			}
			checkIdentity(t, l)
		})
	}
}

func TestWhatEndedLastBeforeAGap(t *testing.T) {
	s := draw()
	s.launch(s.thread(), 0, 1, 7, 10, 100)
	s.launch(s.thread(), 1, 2, 8, 20, 30)   // starts later, ends earlier
	s.launch(s.thread(), 2, 3, 8, 110, 110) // inside the gap: it did not end before it
	s.launch(s.thread(), 3, 4, 7, 120, 130)
	l := s.lane(t)
	if len(l.Gaps) != 1 {
		t.Fatalf("%d gaps", len(l.Gaps))
	}
	if last := l.Act(l.Gaps[0].Last).Span; last != us(10, 100) {
		t.Errorf("got %v", last)
	}
}

func TestUnions(t *testing.T) {
	s := draw()
	s.kernel(0, 9, 0, 15)                                                                                           // foreign
	s.named("gemm", s.call(s.thread(), "cudaLaunchKernel", 1, 2), 7, 10, 50)                                        // compute
	s.named("gemm", s.call(s.thread(), "cudaLaunchKernel", 2, 3), 7, 40, 60)                                        // overlaps
	s.named("ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)", s.call(s.thread(), "cudaLaunchKernel", 3, 4), 20, 55, 80) // half hidden
	s.copied(s.call(s.thread(), "cudaMemcpyAsync", 4, 5), 21, 70, 90)
	s.named("gemm", s.call(s.thread(), "cudaLaunchKernel", 5, 6), 7, 95, 100)
	l := s.lane(t)
	for name, c := range map[string]struct{ got, want span.Set }{
		"compute":      {l.Compute, micros(us(10, 60), us(95, 100))},
		"comm":         {l.Comm, micros(us(55, 80))},
		"copies":       {l.Copies, micros(us(70, 90))},
		"foreign":      {l.Foreign, micros(us(10, 15))}, // clipped: the window starts at 10
		"exposed comm": {l.ExposedComm, micros(us(60, 80))},
		"exposed copy": {l.ExposedCopy, micros(us(80, 90))},
		"foreign only": {l.ForeignOnly, nil},
		"idle":         {l.Idle, micros(us(90, 95))},
	} {
		if c.got.Total() != c.want.Total() || c.got.And(c.want).Total() != c.want.Total() {
			t.Errorf("%s: got %v, want %v", name, c.got, c.want)
		}
	}
	checkIdentity(t, l)
}
