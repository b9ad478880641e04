package timeline

import "testing"

// Each draws frames around a gap of 100 to 2000 µs.
func TestTheOuterFunctionOfALongGap(t *testing.T) {
	const outer, middle, inner = "train.py(1): main", "pre.py(2): process", "scipy/zoom.py(3): zoom"
	for _, c := range []struct {
		name string
		draw func(s *sketch)
		want said
	}{
		{"the outermost that covers it", func(s *sketch) {
			s.frame(s.thread(), middle, 95, 2100)
			s.frame(s.thread(), inner, 100, 2000)
		}, said{"frame", inner, inner, middle}},
		{"not the loop around everything", func(s *sketch) {
			s.frame(s.thread(), outer, 5, 9000)
			s.frame(s.thread(), middle, 95, 2100)
			s.frame(s.thread(), inner, 100, 2000)
		}, said{"frame", inner, inner, middle}},
		{"which spends half of its own time on it", func(s *sketch) {
			s.frame(s.thread(), outer, 50, 3850) // 3800 long, 1900 of it
			s.frame(s.thread(), inner, 100, 2000)
		}, said{"frame", inner, inner, outer}},
		{"which spends less", func(s *sketch) {
			s.frame(s.thread(), outer, 50, 3851)
			s.frame(s.thread(), inner, 100, 2000)
		}, said{"frame", inner, inner, inner}},
		{"of calls that each have a part, the one around them", func(s *sketch) {
			s.frame(s.thread(), middle, 95, 2100)
			for i := range 4 {
				s.frame(s.thread(), inner, 100+475*float64(i), 100+475*float64(i)+470)
			}
		}, said{"frame", inner, inner, middle}},
		{"of work spread over many functions, the one around all of it", func(s *sketch) {
			s.frame(s.thread(), outer, 5, 9000)
			s.frame(s.thread(), middle, 95, 2100)
			s.frame(s.thread(), "pre.py(9): read", 100, 700)
			s.frame(s.thread(), inner, 700, 1400)
			s.frame(s.thread(), "pre.py(11): normalize", 1400, 2000)
		}, said{"frame", inner, inner, middle}},
		{"a function that covers 80 %", func(s *sketch) {
			s.op(s.thread(), "my::op", 100, 2000)
			s.frame(s.thread(), middle, 480, 2100)
		}, said{"frame", middle, middle, middle}},
		{"a function that covers less", func(s *sketch) {
			s.annotation(s.thread(), "part", 100, 1100)
			s.frame(s.thread(), middle, 100, 899) // of the 1900 that no frame or range is in either
			s.op(s.thread(), "my::op", 101, 2000)
		}, said{kind: "op", subject: "my::op", frame: middle}},
		{"exactly 80 % of an op that outlives it", func(s *sketch) {
			s.frame(s.thread(), middle, 95, 1620)
			s.op(s.thread(), "my::op", 100, 2000)
		}, said{"op", "my::op", middle, middle}},
		{"a little less than 80 %", func(s *sketch) {
			s.frame(s.thread(), middle, 95, 1619)
			s.op(s.thread(), "my::op", 100, 2000)
		}, said{"op", "my::op", middle, ""}},
		{"torch is passed over", func(s *sketch) {
			s.frame(s.thread(), torchF, 95, 2100)
			s.frame(s.thread(), inner, 100, 2000)
		}, said{"frame", inner, inner, inner}},
		{"not one that began before the step", func(s *sketch) {
			s.frame(s.thread(), outer, 2, 2100)
			s.annotation(s.thread(), "ProfilerStep#1", 3, 2200)
			s.frame(s.thread(), middle, 95, 2100)
			s.frame(s.thread(), inner, 100, 2000)
		}, said{"frame", inner, inner, middle}},
		{"in a loader, too", func(s *sketch) {
			s.annotation(s.thread(), loader, 95, 2000)
			s.frame(s.thread(), middle, 96, 2000)
			s.frame(s.thread(), inner, 200, 1900)
		}, said{"loader", loader, inner, middle}},
		{"ended ones do not count", func(s *sketch) {
			s.frame(s.thread(), outer, 50, 150) // ends inside one that is still open
			s.frame(s.thread(), middle, 95, 2100)
			s.frame(s.thread(), inner, 100, 2000)
		}, said{"frame", inner, inner, middle}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := draw()
			s.launch(s.thread(), 4, 5, 7, 10, 100)
			c.draw(s)
			s.launch(s.thread(), 2000, 2005, 7, 2010, 2020)
			l := s.lane(t)
			for i := range l.Gaps {
				if g := &l.Gaps[i]; g.Start == us(100, 0).Start {
					if got := saidOf(l, l.HostCause(g)); got != c.want {
						t.Errorf("got %q, want %q", got, c.want)
					}
					return
				}
			}
			t.Errorf("gaps %v", l.Gaps)
		})
	}
	t.Run("a short gap has none", func(t *testing.T) {
		s := draw()
		s.launch(s.thread(), 4, 5, 7, 10, 100)
		s.frame(s.thread(), inner, 95, 1200)
		s.launch(s.thread(), 1050, 1055, 7, 1099, 1120)
		l := s.lane(t)
		if got := saidOf(l, l.HostCause(&l.Gaps[0])); got != (said{"frame", inner, inner, ""}) {
			t.Errorf("got %q", got)
		}
	})
}
