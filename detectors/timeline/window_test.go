package timeline

import (
	"slices"
	"strings"
	"testing"

	"perflint/detectors/span"
)

// twoSteps draws marks 0-100 and 100-200 with a launch 10 µs into each, whose kernels run 20-30 and 120-130.
func twoSteps() *sketch {
	s := draw()
	for i := range 2 {
		at := 100 * float64(i)
		s.annotation(s.thread(), []string{"ProfilerStep#0", "ProfilerStep#1"}[i], at, at+100)
		s.launch(s.thread(), at+10, at+15, 7, at+20, at+30)
	}
	return s
}

func TestWindow(t *testing.T) {
	for _, c := range []struct {
		name string
		draw func(s *sketch)
		opt  []Options
		want span.Span
	}{
		{name: "until the last work of the last step, which nothing follows", want: us(0, 130), draw: func(s *sketch) {}},
		{name: "until a later call on a launching thread", want: us(0, 150), draw: func(s *sketch) {
			s.call(s.thread(), "cudaEventRecord", 140, 150)
		}},
		{name: "until a later range on a launching thread", want: us(0, 160), draw: func(s *sketch) {
			s.frame(s.thread(), "train.py(1): log", 140, 160)
		}},
		{name: "at most until the end of the step", want: us(0, 200), draw: func(s *sketch) {
			s.op(s.thread(), "aten::add", 190, 260)
		}},
		{name: "what starts after the step does not count", want: us(0, 130), draw: func(s *sketch) {
			s.op(s.thread(), "aten::add", 201, 260)
		}},
		{name: "the profiler's own stopping does not count", want: us(0, 130), draw: func(s *sketch) {
			s.frame(s.thread(), "torch/profiler/profiler.py(735): step", 140, 190)
			s.annotation(s.thread(), "ProfilerStep#1", 141, 190)
		}},
		{name: "other threads do not count", want: us(0, 130), draw: func(s *sketch) {
			s.op(s.thread(9), "aten::add", 140, 160)
		}},
		{name: "a kernel that ends after the step", want: us(0, 230), draw: func(s *sketch) {
			s.launch(s.thread(), 180, 185, 7, 190, 230)
		}},
		{name: "the host end of the last steady step where another follows", want: us(0, 200), draw: func(s *sketch) {
			s.annotation(s.thread(), "ProfilerStep#2", 200, 300) // cut off: it launched nothing
			s.op(s.thread(), "aten::add", 250, 260)
		}},
		{name: "from the end of the backlog", want: us(25, 130), draw: func(s *sketch) {
			s.kernel(0, 8, 0, 25)
		}},
		{name: "a backlog of copies does not move the start", want: us(0, 130), draw: func(s *sketch) {
			s.copied(0, 8, 0, 25)
		}},
		{name: "work launched between the marks and after them is not of the steps", want: us(0, 130), draw: func(s *sketch) {
			s.launch(s.thread(), 250, 255, 7, 260, 270)
		}},
		{name: "gpu: over all work with a call", opt: []Options{{Window: "gpu", Step: -1}}, want: us(20, 130), draw: func(s *sketch) {
			s.kernel(0, 8, 0, 5)
			s.kernel(0, 8, 150, 170)
		}},
		{name: "a range narrows it", opt: []Options{{Step: -1, Range: us(50, 1000)}}, want: us(50, 130), draw: func(s *sketch) {}},
		{name: "a range outside leaves nothing", opt: []Options{{Step: -1, Range: us(500, 1000)}}, draw: func(s *sketch) {}},
		{name: "a step is its time on the GPU", opt: []Options{{Step: 0}}, want: us(20, 120), draw: func(s *sketch) {}},
		{name: "the last step is its mark", opt: []Options{{Step: 1}}, want: us(100, 130), draw: func(s *sketch) {}},
		{name: "a step and a range", opt: []Options{{Step: 0, Range: us(0, 25)}}, want: us(20, 25), draw: func(s *sketch) {}},
		{name: "a step that is not there leaves nothing", opt: []Options{{Step: 9}}, draw: func(s *sketch) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := twoSteps()
			c.draw(s)
			l := s.lane(t, c.opt...)
			if l.W != c.want {
				t.Errorf("got %v, want %v", l.W, c.want)
			}
			if c.want.Empty() == (l.Absence() == "") {
				t.Errorf("the window is %v, but its absence is explained as %q", l.W, l.Absence())
			}
			for _, i := range l.In {
				if !l.Act(i).Meets(c.want) {
					t.Errorf("%v does not meet the window", l.Act(i).Span)
				}
			}
		})
	}
}

func TestWindowWithoutSteps(t *testing.T) {
	s := draw()
	s.kernel(0, 7, 0, 5)
	s.launch(s.thread(), 10, 15, 7, 20, 30)
	s.launch(s.thread(), 11, 16, 8, 21, 70)
	s.launch(s.thread(), 40, 45, 7, 50, 60)
	s.kernel(0, 7, 80, 90)
	if l := s.lane(t); l.W != us(20, 70) {
		t.Errorf("got %v", l.W)
	}
	s = draw()
	s.annotation(s.thread(), "ProfilerStep#0", 0, 100)
	s.op(s.thread(), "aten::add", 10, 20)
	s.kernel(0, 7, 30, 35)
	s.kernel(0, 7, 80, 90)
	if l := s.lane(t); l.W != us(30, 90) {
		t.Errorf("where nothing is linked: got %v", l.W)
	}
}

// The mark of the last step lasts until the next would begin; that nothing happened in the meantime is not the job's fault.
func TestMarksOfStepsDoNotPutOffTheEnd(t *testing.T) {
	s := draw()
	for i := range 3 {
		s.annotation(s.thread(), "train", 100*float64(i), 100*float64(i)+100)
		s.launch(s.thread(), 100*float64(i)+10, 100*float64(i)+15, 7, 100*float64(i)+20, 100*float64(i)+30)
	}
	if l := s.lane(t); l.Source != "annotation" || l.W != us(0, 230) {
		t.Errorf("%s: got %v", l.Source, l.W)
	}
}

// A step that warms up is not steady; who asks for it sees it all the same.
func TestWindowOfAStepThatIsNotSteady(t *testing.T) {
	s := stepped([]float64{300, 100, 100, 100}, []int{4, 2, 2, 2})
	if l := s.lane(t); l.W.Start != us(300, 0).Start {
		t.Fatalf("the window starts at %v", l.W.Start)
	}
	l := stepped([]float64{300, 100, 100, 100}, []int{4, 2, 2, 2}).lane(t, Options{Step: 0})
	if l.W != us(7, 300) || !slices.Equal(l.Steady, []int32{0}) || !l.FirstOff { // from its first kernel; the window that has all of it ends with its mark
		t.Errorf("window %v, steady %v", l.W, l.Steady)
	}
}

func TestNarrowedWindowKeepsTheSteadyStepsInIt(t *testing.T) {
	lengths, launches := []float64{100, 100, 100, 100}, []int{2, 2, 2, 2}
	for _, c := range []struct {
		opt  Options
		want []int32
	}{
		{Options{Step: -1}, []int32{0, 1, 2, 3}},
		{Options{Step: 2}, []int32{2}},
		{Options{Step: -1, Range: us(150, 250)}, []int32{1, 2}},
		{Options{Step: 7}, nil},
	} {
		l := stepped(lengths, launches).lane(t, c.opt)
		if !slices.Equal(l.Steady, c.want) {
			t.Errorf("%+v: got %v, want %v", c.opt, l.Steady, c.want)
		}
	}
}

func TestForeignWork(t *testing.T) {
	for _, c := range []struct {
		name string
		draw func(s *sketch)
		want []bool // own, by start
	}{
		{"without a call before the first with one", func(s *sketch) {
			s.kernel(0, 7, 1, 5)
			s.kernel(0, 7, 5, 9)
			s.launch(s.thread(), 2, 3, 8, 8, 20)
			s.kernel(0, 7, 9, 12)
		}, []bool{false, false, true, true}},
		{"at the same moment is not before", func(s *sketch) {
			s.kernel(0, 7, 8, 9)
			s.launch(s.thread(), 2, 3, 8, 8, 20)
		}, []bool{true, true}},
		{"all without a call are own", func(s *sketch) {
			s.kernel(0, 7, 1, 5)
			s.kernel(0, 7, 5, 9)
		}, []bool{true, true}},
		{"launched before the first steady step", func(s *sketch) {
			s.launch(s.thread(), 1, 3, 7, 4, 60)
			s.kernel(0, 7, 60, 65)
			s.launch(s.thread(), 5, 7, 7, 65, 70)
			s.annotation(s.thread(), "ProfilerStep#0", 50, 100)
			s.launch(s.thread(), 52, 54, 7, 70, 80)
			s.kernel(0, 7, 80, 81)
			s.launch(s.thread(), 40, 41, 7, 82, 83) // launched early, but late to run: not the backlog
		}, []bool{false, false, false, true, true, true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := draw()
			c.draw(s)
			l := s.lane(t)
			var got []bool
			for i := range l.ActCount() {
				got = append(got, l.Act(int32(i)).Own)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("own: got %v, want %v", got, c.want)
			}
		})
	}
}

func TestWhyThereIsNothingToJudge(t *testing.T) {
	for want, opt := range map[string]Options{
		"":             {Step: -1},
		"no step 9":    {Step: 9},
		"asked for":    {Step: -1, Range: us(500, 900)},
		"--window gpu": {Step: -1}, // no work launched in the steps
		"no GPU work":  {Step: -1}, // no work at all
	} {
		s := twoSteps()
		switch want {
		case "--window gpu":
			s = draw()
			s.launch(s.thread(), 10, 15, 7, 20, 30)
			s.annotation(s.thread(), "ProfilerStep#0", 50, 100)
			s.op(s.thread(), "aten::add", 60, 70)
		case "no GPU work":
			s = draw()
			s.op(s.thread(), "aten::add", 60, 70)
		}
		if got := s.lane(t, opt).Absence(); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("got %q, want it to say %q", got, want)
		}
	}
}
