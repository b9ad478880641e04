package timeline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// launchAt draws a launch at that moment, with a kernel of 3 µs right after it.
func (s *sketch) launchAt(th int32, at float64) { s.launch(th, at, at+5, 7, at+6, at+9) }

// hosts is the steps of a lane as "number start-end", in µs.
func hosts(l *Lane) []string {
	var out []string
	for _, s := range l.Steps {
		out = append(out, fmt.Sprintf("%d %v-%v", s.Number, s.Host.Start.Micros(), s.Host.End.Micros()))
	}
	return out
}

func TestStepsComeFromTheFirstSourceThatGivesAny(t *testing.T) {
	for _, c := range []struct {
		name   string
		draw   func(s *sketch)
		opt    Options
		source string
		want   []string
	}{
		{name: "marks of the profiler, with their numbers", source: "ProfilerStep", want: []string{"7 0-100", "8 100-200"}, draw: func(s *sketch) {
			for i := range 2 {
				s.annotation(s.thread(), fmt.Sprint("ProfilerStep#", 7+i), 100*float64(i), 100*float64(i)+100)
				s.launchAt(s.thread(), 100*float64(i)+10)
			}
		}},
		{name: "marks as old traces and emit_nvtx write them", source: "ProfilerStep", want: []string{"3 0-100", "4 100-200"}, draw: func(s *sketch) {
			s.op(s.thread(), "ProfilerStep#3", 0, 100)
			s.launchAt(s.thread(), 10)
			s.annotation(s.thread(), "ProfilerStep#4, op_id = 12", 100, 200)
			s.launchAt(s.thread(), 110)
		}},
		{name: "a mark with neither op nor call inside does not count", source: "ProfilerStep", want: []string{"1 0-100", "3 200-300"}, draw: func(s *sketch) {
			s.annotation(s.thread(), "ProfilerStep#1", 0, 100)
			s.launchAt(s.thread(), 10)
			s.annotation(s.thread(), "ProfilerStep#2", 100, 200)
			s.frame(s.thread(), "train.py(1): main", 120, 150)
			s.annotation(s.thread(), "ProfilerStep#3", 200, 300)
			s.op(s.thread(2), "aten::add", 250, 260) // of another thread of the process
		}},
		{name: "marks of another process do not count", source: "none", draw: func(s *sketch) {
			s.launchAt(s.thread(), 10)
			s.process = 2
			s.annotation(s.thread(), "ProfilerStep#1", 0, 100)
			s.call(s.thread(), "cudaMalloc", 10, 20)
		}},
		{name: "measured ranges of PARAM", source: "measure", want: []string{"0 0-50", "1 60-90"}, draw: func(s *sketch) {
			s.annotation(s.thread(), "[param|pytorch.model.alex_net|0|0|0|warmup|forward]", 0, 0)
			s.annotation(s.thread(), "[param|pytorch.model.alex_net|0|0|0|measure|forward]", 0, 50)
			s.annotation(s.thread(), "[param|pytorch.model.alex_net|0|0|1|measure|forward]", 60, 90)
			s.launchAt(s.thread(), 10)
		}},
		{name: "from the end of one optimizer step to the end of the next", source: "Optimizer.step", want: []string{"0 20-120", "1 120-220"}, draw: func(s *sketch) {
			for i := range 3 {
				s.annotation(s.thread(), "Optimizer.step#SGD.step", 100*float64(i)+10, 100*float64(i)+20)
			}
			s.launchAt(s.thread(), 30)
		}},
		{name: "of the thread that has most optimizer steps", source: "Optimizer.step", want: []string{"0 20-120", "1 120-220", "2 220-320"}, draw: func(s *sketch) {
			for i := range 3 {
				s.annotation(s.thread(2), "Optimizer.step#SGD.step", 100*float64(i)+1, 100*float64(i)+5)
			}
			for i := range 4 {
				s.annotation(s.thread(), "Optimizer.step#SGD.step", 100*float64(i)+10, 100*float64(i)+20)
			}
			s.launchAt(s.thread(), 30)
		}},
		{name: "two optimizer steps are too few, however they nest", source: "none", draw: func(s *sketch) {
			for i := range 2 {
				s.annotation(s.thread(), "Optimizer.step#Wrapper.step", 100*float64(i)+10, 100*float64(i)+20)
				s.annotation(s.thread(), "Optimizer.step#SGD.step", 100*float64(i)+12, 100*float64(i)+18)
			}
			s.launchAt(s.thread(), 30)
		}},
		{name: "three optimizer steps of different threads are too few", source: "none", draw: func(s *sketch) {
			for i := range 3 {
				s.annotation(s.thread(int64(i)+2), "Optimizer.step#SGD.step", 100*float64(i)+10, 100*float64(i)+20)
			}
			s.launchAt(s.thread(), 30)
		}},
		{name: "from the start of one data loader range to the start of the next", source: "loader", want: []string{"0 10-110", "1 110-210"}, draw: func(s *sketch) {
			for i := range 3 {
				s.annotation(s.thread(), "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 100*float64(i)+10, 100*float64(i)+20)
			}
			s.launchAt(s.thread(), 30)
		}},
		{name: "ranges of a loader without __next__ are none", source: "none", draw: func(s *sketch) {
			for i := range 3 {
				s.annotation(s.thread(), "load_data", 100*float64(i)+10, 100*float64(i)+20)
				s.launchAt(s.thread(), 100*float64(i)+30)
			}
		}},
		{name: "marks of a serving engine", source: "serving", want: []string{"0 0-50", "1 50-100"}, draw: func(s *sketch) {
			s.annotation(s.thread(), "execute_32_context_0(sq0sk0)_generation_32(sq1sk1)", 0, 50)
			s.annotation(s.thread(), "execute_31_context_0(sq0sk0)_generation_31(sq1sk1)", 50, 100)
			s.launchAt(s.thread(), 10)
		}},
		{name: "a lone mark of a serving engine does not repeat, and its parts are no steps", source: "none", draw: func(s *sketch) {
			s.annotation(s.thread(), "step[DECODE bs=32]", 0, 100)
			for i := range 3 {
				s.annotation(s.thread(), "layer", 30*float64(i)+1, 30*float64(i)+25)
				s.launchAt(s.thread(), 30*float64(i)+10)
			}
		}},
		{name: "the range that the user names goes first", opt: Options{Step: -1, Mark: "batch"}, source: "mark", want: []string{"0 5-40"}, draw: func(s *sketch) {
			s.annotation(s.thread(), "ProfilerStep#1", 0, 100)
			s.op(s.thread(), "batch", 5, 40)
			s.annotation(s.thread(), "batch", 10, 30) // inside the other
			s.launchAt(s.thread(), 10)
		}},
		{name: "a name of the user that no range has leaves the other sources", opt: Options{Step: -1, Mark: "nowhere"}, source: "ProfilerStep", want: []string{"1 0-100"}, draw: func(s *sketch) {
			s.annotation(s.thread(), "ProfilerStep#1", 0, 100)
			s.launchAt(s.thread(), 10)
		}},
		{name: "nothing repeats", source: "none", draw: func(s *sketch) { s.launchAt(s.thread(), 10) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := draw()
			c.draw(s)
			opt := c.opt
			if opt == (Options{}) {
				opt.Step = -1
			}
			l := s.lane(t, opt)
			if l.Source != c.source || !slices.Equal(hosts(l), c.want) {
				t.Errorf("got %s %q, want %s %q", l.Source, hosts(l), c.source, c.want)
			}
		})
	}
}

// Each draws annotations over ten launches at 0, 100, … 900 µs, with kernels of 3 µs.
func TestStepsOfARepeatedAnnotation(t *testing.T) {
	every := func(s *sketch, name string, from, to float64, at ...float64) {
		for _, a := range at {
			s.annotation(s.thread(), name, a+from, a+to)
		}
	}
	all := []float64{0, 100, 200, 300, 400, 500, 600, 700, 800, 900}
	for _, c := range []struct {
		name  string
		draw  func(s *sketch)
		steps int
		first string
	}{
		{"three repeats over half of the work", func(s *sketch) { every(s, "train", 0, 190, 0, 200, 400) }, 3, "0 0-190"},
		{"two repeats are too few", func(s *sketch) { every(s, "train", 0, 490, 0, 500) }, 0, ""},
		{"less than half of the work", func(s *sketch) { every(s, "train", 0, 90, all[:4]...) }, 0, ""},
		{"half of the work", func(s *sketch) { every(s, "train", 0, 90, all[:5]...) }, 5, "0 0-90"},
		{"the outer of two that nest", func(s *sketch) { every(s, "train", 0, 90, all...); every(s, "inner", 1, 80, all...) }, 10, "0 0-90"},
		{"a rare part of a frequent one is none", func(s *sketch) {
			every(s, "iteration", 0, 90, all...)
			every(s, "epoch start", 1, 80, all[:5]...)
		}, 10, "0 0-90"},
		{"many parts of a rare one are none", func(s *sketch) { every(s, "train", 0, 290, 0, 300, 600); every(s, "layer", 1, 80, all[:9]...) }, 3, "0 0-290"},
		{"the one with most work inside", func(s *sketch) { every(s, "a", 0, 90, all[:6]...); every(s, "b", -5, 85, all[3:]...) }, 7, "0 295-385"},
		{"of equal work the one with fewer repeats", func(s *sketch) {
			every(s, "a", 0, 90, all...)
			every(s, "b", -5, 195, 0, 200, 400, 600, 800)
			every(s, "c", -5, 2, 1000) // touches nothing
		}, 5, "0 -5-195"},
		{"of equal repeats by name", func(s *sketch) { every(s, "b", 0, 90, all...); every(s, "a", 0, 90, all...) }, 10, "0 0-90"},
		{"start/end ranges count too", func(s *sketch) {
			for i := range 5 {
				s.ranges(s.thread(), trace.Open, "request", 200*float64(i), 200*float64(i)+190)
			}
		}, 5, "0 0-190"},
		{"ranges that take no time are none", func(s *sketch) { every(s, "train", 0, 90, all[:9]...); every(s, "train", 50, 50, 900) }, 9, "0 0-90"},
		{"names that carried counters are none", func(s *sketch) { every(s, "train, seq = 4", 0, 90, all...); every(s, "b, op_id = 4", 0, 90, all...) }, 0, ""},
		{"names of aten are none", func(s *sketch) { every(s, "aten::mm", 0, 90, all...) }, 0, ""},
		{"data loaders are none", func(s *sketch) { every(s, "load_data", 0, 90, all...) }, 0, ""},
		{"ops are none", func(s *sketch) {
			for _, a := range all {
				s.op(s.thread(), "mylib::op", a, a+90)
			}
		}, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := draw()
			for _, at := range all {
				s.launchAt(s.thread(), at)
			}
			c.draw(s)
			l := s.lane(t)
			if len(l.Steps) != c.steps {
				t.Fatalf("%d steps %v, want %d", len(l.Steps), hosts(l), c.steps)
			}
			if c.steps > 0 {
				// Drawn before 0, a range moves the origin: its distance to the first launch stays.
				s := l.Steps[0].Host
				base := l.Trace.Calls.Start[0].Micros()
				if got := fmt.Sprintf("%d %v-%v", l.Steps[0].Number, s.Start.Micros()-base, s.End.Micros()-base); got != c.first {
					t.Errorf("first step %s, want %s", got, c.first)
				}
			}
		})
	}
}

func TestStepOfAMoment(t *testing.T) {
	s := draw()
	s.annotation(s.thread(), "ProfilerStep#0", 10, 20)
	s.annotation(s.thread(), "ProfilerStep#1", 20, 30)
	s.annotation(s.thread(), "ProfilerStep#2", 40, 50)
	for _, at := range []float64{11, 21, 41} {
		s.call(s.thread(), "cudaMalloc", at, at+1)
	}
	l := s.lane(t)
	for at, want := range map[float64]int32{9: -1, 10: 0, 19.999: 0, 20: 1, 30: -1, 39: -1, 40: 2, 50: -1, 60: -1} {
		if got := l.stepAt(span.Time(nanos(at))); got != want {
			t.Errorf("%v µs: step %d, want %d", at, got, want)
		}
	}
}

func TestStepFinderAgreesWithASearch(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		l := &Lane{}
		at := span.Time(0)
		for range r.IntN(6) {
			at += span.Time(r.IntN(3))
			end := at + span.Time(1+r.IntN(4))
			l.Steps = append(l.Steps, Step{Host: span.Span{Start: at, End: end}})
			at = end
		}
		f := l.StepFinder()
		for range 60 {
			moment := span.Time(r.IntN(int(at)+4) - 2)
			if got, want := f.At(moment), l.stepAt(moment); got != want {
				t.Fatalf("%v at %d: got %d, want %d", l.Steps, moment, got, want)
			}
		}
	}
}
