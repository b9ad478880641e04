package timeline

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// Phase of a training step.
type Phase uint8

// The phases.
const (
	NoPhase Phase = iota
	ForwardPhase
	BackwardPhase
	OptimizerPhase
)

// Enclosure is what encloses a call on its thread, innermost first.
type Enclosure struct {
	Op       trace.Text // innermost op, else innermost annotation
	Frame    trace.Text // innermost frame of user or library code
	Shape    trace.Text // input dimensions of Op
	Phase    Phase      // NoPhase: no range says
	ZeroGrad bool       // inside Optimizer.zero_grad
	Profiler bool       // inside a function of the profiler
}

// enclosures is what encloses each call: calls are many, what encloses them is not.
type enclosures struct {
	of       []int32 // by call: index into kind
	kind     []Enclosure
	backward bool // any call lies in a backward pass
}

// encloseBeside finds the enclosures while the lanes are derived. Where that fails, it fails again where it is asked for.
func (h *host) encloseBeside() {
	go func() {
		defer func() { _ = recover() }()
		h.enclosing()
	}()
}

// enclosures finds what encloses each call.
func (h *host) enclosures() *enclosures {
	out := &enclosures{of: make([]int32, h.t.Calls.Len())}
	known := map[Enclosure]int32{}
	for th := range h.t.Threads {
		h.encloseThread(int32(th), out.of, func(e Enclosure) int32 {
			i, ok := known[e]
			if !ok {
				i = int32(len(out.kind))
				out.kind = append(out.kind, e)
				out.backward = out.backward || e.Phase == BackwardPhase
				known[e] = i
			}
			return i
		})
	}
	return out
}

// encloseThread sets of by the calls of a thread.
func (h *host) encloseThread(th int32, of []int32, intern func(Enclosure) int32) {
	t := h.t
	ranges := h.ranges.of(th)
	var fallback Phase
	if strings.HasPrefix(t.Threads[th].Name, "pt_autograd") {
		fallback = BackwardPhase
	}
	var stack rangeStack
	var last Enclosure
	index, until := int32(-1), span.Time(math.MinInt64) // until when what is open stays so, unless more opens
	for _, c := range h.calls.of(th) {
		at, end := t.Calls.Start[c], t.Calls.End[c]
		for len(ranges) > 0 && (t.Ranges.Start[ranges[0]] < at || t.Ranges.Start[ranges[0]] == at && t.Ranges.End[ranges[0]] >= end) {
			if t.Ranges.Kind[ranges[0]] != trace.OSCall {
				stack.push(h, ranges[0])
				until = math.MinInt64
			}
			ranges = ranges[1:]
		}
		if at >= until {
			stack.pop(h, at)
			e, end := h.enclose(stack.open, c, fallback)
			if index < 0 || e != last {
				last, index = e, intern(e)
			}
			until = end
		}
		of[c] = index
	}
}

// encloses reports whether range r is open when a call starts; one that takes no time encloses what starts with it.
func (h *host) encloses(r int32, at span.Time) bool {
	return h.t.Ranges.End[r] > at || h.t.Ranges.Start[r] == at
}

// rangeStack is the open ranges of a thread in the order of their starts. Where ranges do not nest, ended ones may lie below
// the last one; they are swept out before they are more than the open ones.
type rangeStack struct {
	open  []int32
	swept int // length after the last sweep
}

// pop drops what has ended, down to a range that is open.
func (s *rangeStack) pop(h *host, at span.Time) {
	n := len(s.open)
	for n > 0 && !h.encloses(s.open[n-1], at) {
		n--
	}
	s.open = s.open[:n]
}

func (s *rangeStack) push(h *host, r int32) {
	at := h.t.Ranges.Start[r]
	s.pop(h, at)
	if len(s.open) > 2*s.swept+64 {
		s.open = slices.DeleteFunc(s.open, func(r int32) bool { return !h.encloses(r, at) })
		s.swept = len(s.open)
	}
	s.open = append(s.open, r)
}

// enclose reads what is open when a call starts, and tells until when nothing of it ends.
func (h *host) enclose(stack []int32, call int32, thread Phase) (e Enclosure, until span.Time) {
	until = math.MaxInt64
	annotation, words := trace.Text(0), NoPhase
	at := h.t.Calls.Start[call]
	for i := len(stack) - 1; i >= 0; i-- {
		r := stack[i]
		if !h.encloses(r, at) {
			continue
		}
		until = min(until, h.t.Ranges.End[r])
		name := h.t.Ranges.Name[r]
		if h.t.Ranges.Kind[r] == trace.Frame {
			f := h.frame(name)
			if e.Frame == 0 && f.eligible {
				e.Frame = name
			}
			e.Profiler = e.Profiler || f.profiler
			continue
		}
		class := h.rangeClass(r)
		switch {
		case h.t.Ranges.Kind[r] == trace.Op && class != StepMark:
			if e.Op == 0 {
				e.Op, e.Shape = name, h.t.Ranges.Shape[r]
			}
		case annotation == 0 && class != StepMark && class != Serving:
			annotation = name
		}
		if e.Phase == NoPhase {
			e.Phase = phaseOf(class)
		}
		if words == NoPhase {
			words = phaseInWords(class)
		}
		e.ZeroGrad = e.ZeroGrad || class == ZeroGrad
	}
	if e.Op == 0 {
		e.Op = annotation
	}
	e.Phase = cmp.Or(e.Phase, thread, words)
	return e, until
}

// phaseOf is the phase that a name of PyTorch stands for.
func phaseOf(c Class) Phase {
	switch c {
	case OptimizerStep, ZeroGrad:
		return OptimizerPhase
	case Backward:
		return BackwardPhase
	}
	return NoPhase
}

// phaseInWords is the phase that a name of the user speaks of. PyTorch's own names go first: a forward pass that a backward
// pass repeats is part of that.
func phaseInWords(c Class) Phase {
	switch c {
	case Optimizer:
		return OptimizerPhase
	case BackwardWord:
		return BackwardPhase
	case Forward:
		return ForwardPhase
	}
	return NoPhase
}

// Enclosing is what encloses call c on its thread.
func (l *Lane) Enclosing(c int32) Enclosure {
	e := l.host.enclosing()
	return e.kind[e.of[c]]
}

// ZeroesGradients reports whether any call of the trace lies under Optimizer.zero_grad.
func (l *Lane) ZeroesGradients() bool {
	return slices.ContainsFunc(l.host.enclosing().kind, func(e Enclosure) bool { return e.ZeroGrad })
}
