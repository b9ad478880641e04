package timeline

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"perflint/detectors/trace"
)

// around is what encloses a call, in words.
type around struct {
	op, shape, frame   string
	phase              Phase
	zeroGrad, profiler bool
}

// Each draws what is around a call from 100 to 110 µs.
func TestWhatEnclosesACall(t *testing.T) {
	for _, c := range []struct {
		name string
		draw func(s *sketch)
		want around
	}{
		{"nothing", func(s *sketch) {}, around{}},
		{"the innermost op, with its shape", func(s *sketch) {
			s.op(s.thread(), "aten::linear", 90, 200)
			s.AddRange(trace.RangeRow{Start: nanos(95), End: nanos(190), Name: s.Names.Intern("aten::mm"), Shape: s.Names.Intern("[[2, 3]]"), Thread: s.thread()})
		}, around{op: "aten::mm", shape: "[[2, 3]]"}},
		{"an op before an annotation inside it", func(s *sketch) { s.op(s.thread(), "aten::mm", 90, 200); s.annotation(s.thread(), "part", 95, 190) }, around{op: "aten::mm"}},
		{"the innermost annotation without an op", func(s *sketch) { s.annotation(s.thread(), "train", 90, 200); s.annotation(s.thread(), "part", 95, 190) }, around{op: "part"}},
		{"marks of steps and serving engines are no annotations", func(s *sketch) {
			s.annotation(s.thread(), "ProfilerStep#3", 90, 200)
			s.op(s.thread(), "ProfilerStep#3", 91, 200)
			s.annotation(s.thread(), "step[DECODE bs=32]", 95, 190)
		}, around{}},
		{"the innermost function that somebody can change", func(s *sketch) {
			s.frame(s.thread(), userF, 50, 300)
			s.frame(s.thread(), userG, 60, 290)
			s.frame(s.thread(), torchF, 70, 280)
		}, around{frame: userG}},
		{"what has ended does not enclose", func(s *sketch) { s.op(s.thread(), "aten::mm", 90, 100) }, around{}},
		{"what ended inside something that is open does not", func(s *sketch) {
			s.op(s.thread(), "aten::mm", 80, 100)
			s.ranges(s.thread(), trace.Open, "request", 90, 200)
		}, around{op: "request"}},
		{"what starts with the call and outlives it does", func(s *sketch) { s.op(s.thread(), "aten::mm", 100, 111) }, around{op: "aten::mm"}},
		{"what has the very time of the call does", func(s *sketch) { s.op(s.thread(), "aten::mm", 100, 110) }, around{op: "aten::mm"}},
		{"what starts with the call and ends before it does not", func(s *sketch) { s.op(s.thread(), "aten::mm", 100, 109) }, around{}},
		{"what ends inside the call does, for clocks are coarse", func(s *sketch) { s.op(s.thread(), "aten::mm", 99, 109) }, around{op: "aten::mm"}},
		{"what is on another thread does not", func(s *sketch) { s.op(s.thread(2), "aten::mm", 90, 200) }, around{}},
		{"waits of the operating system do not", func(s *sketch) { s.ranges(s.thread(), trace.OSCall, "ioctl", 90, 200) }, around{}},
		{"the optimizer", func(s *sketch) {
			s.annotation(s.thread(), "Optimizer.step#SGD.step", 90, 200)
			s.op(s.thread(), "aten::add_", 95, 190)
		}, around{op: "aten::add_", phase: OptimizerPhase}},
		{"zero_grad is the optimizer's", func(s *sketch) { s.annotation(s.thread(), "Optimizer.zero_grad#SGD.zero_grad", 90, 200) }, around{op: "Optimizer.zero_grad#SGD.zero_grad", phase: OptimizerPhase, zeroGrad: true}},
		{"autograd", func(s *sketch) {
			s.op(s.thread(), "autograd::engine::evaluate_function: MmBackward0", 90, 200)
			s.op(s.thread(), "aten::mm", 95, 190)
		}, around{op: "aten::mm", phase: BackwardPhase}},
		{"a compiled region of the backward pass", func(s *sketch) { s.op(s.thread(), "CompiledFunctionBackward", 90, 200) }, around{op: "CompiledFunctionBackward", phase: BackwardPhase}},
		{"words of the user", func(s *sketch) { s.annotation(s.thread(), "Forward pass", 90, 200) }, around{op: "Forward pass", phase: ForwardPhase}},
		{"the innermost word", func(s *sketch) {
			s.annotation(s.thread(), "backward", 90, 200)
			s.annotation(s.thread(), "optimizer", 95, 190)
		}, around{op: "optimizer", phase: OptimizerPhase}},
		{"names of PyTorch before words of the user", func(s *sketch) {
			s.op(s.thread(), "autograd::engine::evaluate_function: CheckpointFunctionBackward", 90, 200)
			s.annotation(s.thread(), "forward", 95, 190)
		}, around{op: "autograd::engine::evaluate_function: CheckpointFunctionBackward", phase: BackwardPhase}},
		{"the innermost name of PyTorch", func(s *sketch) {
			s.op(s.thread(), "autograd::engine::evaluate_function: AccumulateGrad", 90, 200)
			s.annotation(s.thread(), "Optimizer.step#SGD.step", 95, 190)
		}, around{op: "autograd::engine::evaluate_function: AccumulateGrad", phase: OptimizerPhase}},
		{"a thread of autograd", func(s *sketch) {
			s.NameThread(1, 1, "pt_autograd_0")
			s.op(s.thread(), "aten::mm", 90, 200)
		}, around{op: "aten::mm", phase: BackwardPhase}},
		{"a thread of autograd before words of the user", func(s *sketch) {
			s.NameThread(1, 1, "pt_autograd_0")
			s.annotation(s.thread(), "forward", 90, 200)
		}, around{op: "forward", phase: BackwardPhase}},
		{"a function whose name holds a word is none", func(s *sketch) { s.frame(s.thread(), "model.py(1): forward", 90, 200) }, around{frame: "model.py(1): forward"}},
		{"the profiler", func(s *sketch) {
			s.frame(s.thread(), userF, 50, 300)
			s.frame(s.thread(), "torch/profiler/profiler.py(735): step", 60, 290)
			s.frame(s.thread(), torchF, 70, 280)
		}, around{frame: userF, profiler: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := draw()
			c.draw(s)
			s.call(s.thread(), "cudaLaunchKernel", 100, 110)
			l := s.lane(t)
			e := l.Enclosing(0)
			got := around{l.Name(e.Op), l.Name(e.Shape), l.Name(e.Frame), e.Phase, e.ZeroGrad, e.Profiler}
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestPhaseOfWork(t *testing.T) {
	backward := func(s *sketch) { s.op(s.thread(), "autograd::engine::evaluate_function: MmBackward0", 50, 60) }
	for _, c := range []struct {
		name string
		draw func(s *sketch) // around a launch from 100 to 105 µs
		want Phase
	}{
		{"nothing tells", func(s *sketch) {}, NoPhase},
		{"forward in a step", func(s *sketch) { s.annotation(s.thread(), "ProfilerStep#1", 90, 200) }, ForwardPhase},
		{"forward where the trace has a backward pass", func(s *sketch) { backward(s); s.launch(s.thread(), 51, 52, 7, 60, 65) }, ForwardPhase},
		{"a backward pass that launches nothing is none", func(s *sketch) { backward(s) }, NoPhase},
		{"backward by its range", func(s *sketch) {
			s.op(s.thread(), "autograd::engine::evaluate_function: MmBackward0", 95, 200)
			s.annotation(s.thread(), "ProfilerStep#1", 90, 200)
		}, BackwardPhase},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := draw()
			c.draw(s)
			s.launch(s.thread(), 100, 105, 7, 110, 120)
			s.kernel(0, 7, 130, 140)
			l := s.lane(t)
			phases, n := l.Phases(), l.ActCount()
			if got := phases[n-2]; got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
			if got := phases[n-1]; got != NoPhase {
				t.Errorf("without a call: got %v", got)
			}
		})
	}
}

// Ranges that each overlap the next never leave an empty stack; a call is still enclosed by the last one alone.
func TestEnclosingOfAChainOfRanges(t *testing.T) {
	s := draw()
	const n = 100_000
	for i := range n {
		s.ranges(s.thread(), trace.Open, "request", float64(i), float64(i)+1.5)
		s.call(s.thread(), "cudaEventRecord", float64(i)+0.7, float64(i)+0.8)
	}
	l := s.lane(t)
	for c := range int32(n) {
		if got := l.Name(l.Enclosing(c).Op); got != "request" {
			t.Fatalf("call %d: got %q", c, got)
		}
	}
}

// Whatever overlaps, the op of a call is the range that starts last of those that are open then.
func TestEnclosingOfAnyRanges(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 300 {
		s := draw()
		for i := range r.IntN(8) {
			from := r.IntN(30)
			s.ranges(s.thread(), trace.Op, fmt.Sprint("op", i), float64(from), float64(from+r.IntN(20)))
		}
		for range 1 + r.IntN(12) {
			from := float64(r.IntN(40)) + 0.5
			s.call(s.thread(), "cudaEventRecord", from, from+0.1)
		}
		l := s.lane(t)
		g, calls := &l.Trace.Ranges, &l.Trace.Calls
		for c := range int32(calls.Len()) {
			want := trace.Text(0)
			for i := range g.Len() {
				if g.Start[i] <= calls.Start[c] && g.End[i] > calls.Start[c] {
					want = g.Name[i]
				}
			}
			if got := l.Enclosing(c).Op; got != want {
				t.Fatalf("call at %v: got %q, want %q", calls.Start[c], l.Name(got), l.Name(want))
			}
		}
	}
}
