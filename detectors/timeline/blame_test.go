package timeline

import (
	"testing"

	"perflint/detectors/trace"
)

// said is a cause in words: kind, subject, frame and outer frame.
type said struct{ kind, subject, frame, outer string }

func saidOf(l *Lane, c Cause) said {
	return said{c.Kind.String(), l.Name(c.Subject), l.Name(c.Frame), l.Name(c.Outer)}
}

const (
	userF  = "train.py(1): f"
	userG  = "data.py(2): g"
	torchF = "torch/nn/modules/module.py(3): _call_impl"
	loader = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
)

// Each draws what the launching thread does in the host-late part of a gap, 100 to 190 µs.
func TestTheCulpritOfHostLateTime(t *testing.T) {
	for _, c := range []struct {
		name string
		draw func(s *sketch)
		want said
	}{
		{"nothing is recorded", func(s *sketch) {}, said{kind: "unknown"}},
		{"the innermost op", func(s *sketch) { s.op(s.thread(), "aten::linear", 100, 190); s.op(s.thread(), "aten::mm", 110, 180) }, said{kind: "op", subject: "aten::mm"}},
		{"the outer op where the inner one is short", func(s *sketch) { s.op(s.thread(), "aten::linear", 90, 195); s.op(s.thread(), "aten::mm", 110, 130) }, said{kind: "op", subject: "aten::linear"}},
		{"times of one culprit are summed", func(s *sketch) {
			s.op(s.thread(), "aten::linear", 100, 190)
			s.op(s.thread(), "aten::mm", 105, 130)
			s.op(s.thread(), "aten::mm", 140, 165)
		}, said{kind: "op", subject: "aten::mm"}},
		{"the earlier of equals", func(s *sketch) { s.op(s.thread(), "aten::b", 100, 145); s.op(s.thread(), "aten::a", 145, 190) }, said{kind: "op", subject: "aten::b"}},
		{"an annotation", func(s *sketch) { s.annotation(s.thread(), "postprocess", 100, 190) }, said{kind: "range", subject: "postprocess"}},
		{"a function of the user", func(s *sketch) { s.frame(s.thread(), userF, 90, 300) }, said{kind: "frame", subject: userF, frame: userF}},
		{"torch, the standard library and built-ins are passed over", func(s *sketch) {
			s.frame(s.thread(), userF, 90, 300)
			s.frame(s.thread(), torchF, 91, 290)
			s.frame(s.thread(), "json/encoder.py(1): encode", 92, 280)
			s.frame(s.thread(), "<built-in method c of T object at 0x1>", 93, 270)
			s.frame(s.thread(), "nn.Module: Linear_0", 94, 260)
		}, said{kind: "frame", subject: userF, frame: userF}},
		{"an op, in the innermost function that somebody can change", func(s *sketch) {
			s.frame(s.thread(), userF, 90, 300)
			s.frame(s.thread(), torchF, 91, 290)
			s.op(s.thread(), "aten::mm", 100, 190)
		}, said{kind: "op", subject: "aten::mm", frame: userF}},
		{"the function that had most of it", func(s *sketch) {
			s.frame(s.thread(), userF, 90, 300)
			s.op(s.thread(), "aten::mm", 100, 190)
			s.frame(s.thread(), userG, 101, 180)
		}, said{kind: "frame", subject: userG, frame: userG}},
		{"a data loader rules over what it calls", func(s *sketch) {
			s.frame(s.thread(), userF, 80, 300)
			s.annotation(s.thread(), loader, 95, 190)
			s.frame(s.thread(), userG, 100, 185)
			s.op(s.thread(), "aten::stack", 110, 180)
		}, said{kind: "loader", subject: loader, frame: userG}},
		{"who iterates over a loader is not what makes it slow", func(s *sketch) {
			s.frame(s.thread(), userF, 80, 300)
			s.annotation(s.thread(), loader, 95, 190)
			s.op(s.thread(), "aten::stack", 110, 180)
		}, said{kind: "loader", subject: loader}},
		{"a function whose file is called like a loader is a function", func(s *sketch) {
			s.frame(s.thread(), "dataloader.py(3): load_batch", 95, 190)
		}, said{kind: "frame", subject: "dataloader.py(3): load_batch", frame: "dataloader.py(3): load_batch"}},
		{"an allocation in an op", func(s *sketch) {
			s.frame(s.thread(), userF, 80, 300)
			s.op(s.thread(), "aten::empty", 100, 190)
			s.call(s.thread(), "cudaMalloc", 105, 185)
		}, said{kind: "allocation", subject: "cudaMalloc", frame: userF}},
		{"the runtime call around a driver call", func(s *sketch) {
			s.call(s.thread(), "cudaMalloc", 105, 185)
			s.call(s.thread(), "cuMemAlloc", 106, 184)
		}, said{kind: "allocation", subject: "cudaMalloc"}},
		{"code loading", func(s *sketch) {
			s.op(s.thread(), "aten::mm", 100, 190)
			s.call(s.thread(), "cuModuleLoadDataEx", 105, 185)
		}, said{kind: "code-loading", subject: "cuModuleLoadDataEx"}},
		{"the making of a context or stream", func(s *sketch) { s.call(s.thread(), "cudaStreamCreateWithPriority", 105, 185) }, said{kind: "code-loading", subject: "cudaStreamCreateWithPriority"}},
		{"compilation rules over its ops", func(s *sketch) {
			s.annotation(s.thread(), "triton.compile", 100, 190)
			s.op(s.thread(), "aten::mm", 105, 185)
		}, said{kind: "compilation", subject: "triton.compile"}},
		{"what is done while a graph is captured", func(s *sketch) {
			s.frame(s.thread(), userF, 80, 300)
			s.call(s.thread(), "cudaStreamBeginCapture", 95, 101)
			s.op(s.thread(), "aten::mm", 105, 180)
			s.call(s.thread(), "cudaLaunchKernel", 110, 115)
			s.call(s.thread(), "cudaStreamEndCapture", 185, 189)
		}, said{kind: "capture", subject: "cudaStreamBeginCapture", frame: userF}},
		{"with nothing recorded but the capture", func(s *sketch) {
			s.call(s.thread(), "cudaStreamBeginCapture", 95, 96)
			s.call(s.thread(), "cudaStreamEndCapture", 185, 189)
		}, said{kind: "capture", subject: "cudaStreamBeginCapture"}},
		{"what follows a capture", func(s *sketch) {
			s.call(s.thread(), "cudaStreamBeginCapture", 95, 96)
			s.call(s.thread(), "cudaStreamEndCapture", 110, 111)
			s.op(s.thread(), "aten::mm", 112, 190)
		}, said{kind: "op", subject: "aten::mm"}},
		{"a capture of another thread", func(s *sketch) {
			s.call(s.thread(2), "cudaStreamBeginCapture", 95, 96)
			s.call(s.thread(2), "cudaStreamEndCapture", 185, 189)
			s.op(s.thread(), "aten::mm", 100, 190)
		}, said{kind: "op", subject: "aten::mm"}},
		{"graph capture", func(s *sketch) { s.call(s.thread(), "cudaGraphInstantiate", 105, 185) }, said{kind: "capture", subject: "cudaGraphInstantiate"}},
		{"garbage collection", func(s *sketch) { s.annotation(s.thread(), "gc.collect", 105, 185) }, said{kind: "gc", subject: "gc.collect"}},
		{"garbage collection that Python frames show", func(s *sketch) {
			s.frame(s.thread(), userF, 80, 300)
			s.frame(s.thread(), "<built-in function collect>", 105, 185)
		}, said{kind: "gc", subject: "<built-in function collect>", frame: userF}},
		{"garbage collection inside a loader", func(s *sketch) {
			s.annotation(s.thread(), loader, 95, 190)
			s.frame(s.thread(), userG, 96, 189)
			s.ranges(s.thread(), trace.Open, "Python GC", 100, 190)
		}, said{kind: "gc", subject: "Python GC", frame: userG}},
		{"compilation that Python frames show", func(s *sketch) {
			s.frame(s.thread(), userF, 80, 300)
			s.frame(s.thread(), "torch/_dynamo/convert_frame.py(1060): _compile", 95, 190)
			s.frame(s.thread(), "sympy/core/add.py(3): flatten", 100, 189)
		}, said{kind: "compilation", subject: "torch/_dynamo/convert_frame.py(1060): _compile", frame: "sympy/core/add.py(3): flatten"}},
		{"clearing gradients", func(s *sketch) {
			s.annotation(s.thread(), "Optimizer.zero_grad#SGD.zero_grad", 100, 190)
			s.op(s.thread(), "aten::zero_", 105, 185)
		}, said{kind: "zero-grad", subject: "Optimizer.zero_grad#SGD.zero_grad"}},
		{"the previous launch call that is still running", func(s *sketch) {
			s.op(s.thread(), "aten::mm", 80, 190)
			s.launch(s.thread(), 85, 180, 7, 90, 99)
		}, said{kind: "previous-call", subject: "cudaLaunchKernel"}},
		{"other calls are their op's", func(s *sketch) {
			s.op(s.thread(), "aten::mm", 100, 190)
			s.call(s.thread(), "cudaEventRecord", 105, 185)
		}, said{kind: "op", subject: "aten::mm"}},
		{"time in blocking calls does not count", func(s *sketch) {
			s.op(s.thread(), "aten::item", 100, 180)
			s.call(s.thread(), "cudaStreamSynchronize", 101, 179)
			s.op(s.thread(), "aten::add", 180, 190)
		}, said{kind: "op", subject: "aten::add"}},
		{"nobody, where all of it is in blocking calls", func(s *sketch) {
			s.op(s.thread(), "aten::item", 80, 195)
			s.call(s.thread(), "cudaStreamSynchronize", 90, 190)
		}, said{kind: "unknown"}},
		{"marks of steps are not to blame", func(s *sketch) { s.annotation(s.thread(), "ProfilerStep#1", 0, 1000) }, said{kind: "unknown"}},
		{"nor is a range round the whole window", func(s *sketch) { s.annotation(s.thread(), "run_experiment", 0, 1000) }, said{kind: "unknown"}},
		{"but one that ends in it is", func(s *sketch) { s.annotation(s.thread(), "warm caches", 0, 195) }, said{kind: "range", subject: "warm caches"}},
		{"nor are marks of serving engines", func(s *sketch) { s.annotation(s.thread(), "execute_1_context_0_generation_1", 0, 1000) }, said{kind: "unknown"}},
		{"nor the annotation that marks the steps", func(s *sketch) {
			for i := range 3 {
				s.annotation(s.thread(), "train", 400*float64(i), 400*float64(i)+399)
				s.launchAt(s.thread(), 400*float64(i)+210)
			}
		}, said{kind: "unknown"}},
		{"waits of the operating system are not to blame, but named", func(s *sketch) { s.ranges(s.thread(), trace.OSCall, "poll", 100, 190) }, said{kind: "unknown", subject: "poll"}},
		{"the one that has most of it", func(s *sketch) {
			s.ranges(s.thread(), trace.OSCall, "poll", 100, 120)
			s.ranges(s.thread(), trace.OSCall, "read", 120, 160)
			s.ranges(s.thread(), trace.OSCall, "poll", 160, 190)
		}, said{kind: "unknown", subject: "poll"}},
		{"none that has less than half", func(s *sketch) { s.ranges(s.thread(), trace.OSCall, "poll", 100, 140) }, said{kind: "unknown"}},
		{"none where a range explains it", func(s *sketch) {
			s.annotation(s.thread(), "postprocess", 100, 190)
			s.ranges(s.thread(), trace.OSCall, "poll", 101, 189)
		}, said{kind: "range", subject: "postprocess"}},
		{"a range that has ended rules no more", func(s *sketch) {
			s.ranges(s.thread(), trace.Open, "data_loading", 95, 110) // overlaps the op, does not hold it
			s.op(s.thread(), "aten::mm", 105, 190)
		}, said{kind: "op", subject: "aten::mm"}},
		{"nobody, where ranges cover less than half", func(s *sketch) { s.op(s.thread(), "aten::mm", 100, 144) }, said{kind: "unknown"}},
		{"another launching thread where the own covers less than half", func(s *sketch) {
			s.op(s.thread(), "aten::mm", 100, 144)
			s.launch(s.thread(2), 1, 2, 8, 20, 30)
			s.op(s.thread(2), "aten::conv", 100, 160)
			s.launch(s.thread(3), 1, 2, 8, 20, 30)
			s.op(s.thread(3), "aten::pool", 100, 170)
		}, said{kind: "op", subject: "aten::pool"}},
		{"the own thread where it covers half", func(s *sketch) {
			s.op(s.thread(), "aten::mm", 100, 145)
			s.launch(s.thread(2), 1, 2, 8, 20, 30)
			s.op(s.thread(2), "aten::conv", 100, 190)
		}, said{kind: "op", subject: "aten::mm"}},
		{"threads that never launch are not to blame", func(s *sketch) { s.op(s.thread(9), "aten::mm", 100, 190) }, said{kind: "unknown"}},
		{"but those that open steps are", func(s *sketch) {
			s.annotation(s.thread(9), "ProfilerStep#1", 0, 300)
			s.op(s.thread(9), "aten::mm", 100, 190)
		}, said{kind: "op", subject: "aten::mm"}},
		{"the profiler, where its overhead covers more than half of the gap", func(s *sketch) {
			s.op(s.thread(), "aten::mm", 100, 190)
			s.overhead("Buffer Flush", 90, 150.001)
		}, said{kind: "profiler"}},
		{"the profiler's own functions, and what they call", func(s *sketch) {
			s.frame(s.thread(), userF, 80, 300)
			s.frame(s.thread(), "torch/profiler/profiler.py(788): step", 95, 190)
			s.op(s.thread(), "aten::empty", 110, 180)
		}, said{kind: "profiler", subject: "torch/profiler/profiler.py(788): step", frame: userF}},
		{"not the profiler where it covers half", func(s *sketch) {
			s.op(s.thread(), "aten::mm", 100, 190)
			s.overhead("Buffer Flush", 90, 150)
		}, said{kind: "op", subject: "aten::mm"}},
		{"a full launch queue is no overhead", func(s *sketch) {
			s.op(s.thread(), "aten::mm", 100, 190)
			s.overhead("Command Buffer Full", 90, 200)
		}, said{kind: "op", subject: "aten::mm"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := draw()
			s.launch(s.thread(), 0, 1, 7, 10, 100)
			c.draw(s)
			s.launch(s.thread(), 190, 195, 7, 200, 210)
			l := s.lane(t)
			for i := range l.Gaps {
				if g := &l.Gaps[i]; g.Span == us(100, 200) {
					if got := saidOf(l, l.HostCause(g)); got != c.want {
						t.Errorf("got %v, want %v", got, c.want)
					}
					return
				}
			}
			t.Errorf("gaps %v", l.Gaps)
		})
	}
}

// Gaps of several threads that none of them explains: each is asked about all of them.
func TestGapsOfSeveralThreadsThatOthersExplain(t *testing.T) {
	s := draw()
	for i := range 4 {
		at := 200 * float64(i)
		th := s.thread(int64(i)%2 + 2)
		s.launch(th, at+90, at+95, 7, at+100, at+200)
	}
	s.op(s.thread(2), "x", 0, 1)
	s.launch(s.thread(), 0, 1, 7, 5, 10)
	for i, name := range []string{"a", "b", "c", "d"} {
		s.op(s.thread(), name, 200*float64(i)+1, 200*float64(i)+89)
	}
	l := s.lane(t)
	if len(l.Gaps) != 4 {
		t.Fatalf("gaps %v", l.Gaps)
	}
	for i, want := range []string{"a", "b", "c", "d"} {
		if got := l.Name(l.HostCause(&l.Gaps[i]).Subject); got != want && l.Gaps[i].HostLate().Len() > 0 {
			t.Errorf("gap %v: got %q, want %q", l.Gaps[i].Span, got, want)
		}
	}
}

func TestTheLastGapIsOfTheThreadThatLaunchedLast(t *testing.T) {
	s := draw()
	s.annotation(s.thread(), "ProfilerStep#1", 0, 500)
	s.launch(s.thread(), 0, 1, 7, 10, 50)
	s.launch(s.thread(2), 2, 3, 7, 50, 100)
	s.op(s.thread(), "aten::wrong", 100, 200)
	s.op(s.thread(2), "aten::right", 100, 200)
	l := s.lane(t)
	g := &l.Gaps[len(l.Gaps)-1]
	if got := saidOf(l, l.HostCause(g)); g.Span != us(100, 200) || got != (said{kind: "op", subject: "aten::right"}) {
		t.Errorf("%v: %v", g.Span, got)
	}
}

// A gap of ten thousand names is summed like one of two.
func TestManyCulpritsOfOneGap(t *testing.T) {
	s := draw()
	s.launch(s.thread(), 0, 1, 7, 2, 3)
	for i := range 20_000 {
		name := []byte{'o', byte('a' + i%26), byte('a' + i/26%26), byte('a' + i/676%26)}
		s.op(s.thread(), string(name), 10+10*float64(i), 20+10*float64(i))
	}
	s.op(s.thread(), "winner", 200_010, 200_040)
	s.launch(s.thread(), 200_040, 200_041, 7, 200_042, 200_043)
	l := s.lane(t)
	// Of 17 576 names 2 424 come twice; "winner" has three times ten.
	if got := saidOf(l, l.HostCause(&l.Gaps[0])); got != (said{kind: "op", subject: "winner"}) {
		t.Errorf("got %v", got)
	}
}
