package timeline

import (
	"slices"
	"strings"

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
}

// enclosures is what encloses each call: calls are many, what encloses them is not.
type enclosures struct {
	of   []int32 // by call: index into kind
	kind []Enclosure
}

// enclosures finds, once for a trace, what encloses each call.
func (h *host) enclosures() *enclosures {
	if h.enclosing != nil {
		return h.enclosing
	}
	h.enclosing = &enclosures{of: make([]int32, h.t.Calls.Len())}
	known := map[Enclosure]int32{}
	for th := range h.t.Threads {
		h.encloseThread(int32(th), func(e Enclosure) int32 {
			i, ok := known[e]
			if !ok {
				i = int32(len(h.enclosing.kind))
				h.enclosing.kind = append(h.enclosing.kind, e)
				known[e] = i
			}
			return i
		})
	}
	return h.enclosing
}

func (h *host) encloseThread(th int32, intern func(Enclosure) int32) {
	t := h.t
	ranges := h.ranges.of(th)
	var fallback Phase
	if strings.HasPrefix(t.Threads[th].Name, "pt_autograd") {
		fallback = BackwardPhase
	}
	var stack []int32
	var last Enclosure
	index := int32(-1)
	for _, c := range h.calls.of(th) {
		at, end := t.Calls.Start[c], t.Calls.End[c]
		for len(ranges) > 0 && (t.Ranges.Start[ranges[0]] < at || t.Ranges.Start[ranges[0]] == at && t.Ranges.End[ranges[0]] >= end) {
			if t.Ranges.Kind[ranges[0]] != trace.OSCall {
				stack = h.push(stack, ranges[0])
			}
			ranges = ranges[1:]
		}
		for n := len(stack); n > 0 && t.Ranges.End[stack[n-1]] <= at && t.Ranges.Start[stack[n-1]] != at; n-- {
			stack = stack[:n-1]
		}
		if e := h.enclose(stack, c, fallback); index < 0 || e != last {
			last, index = e, intern(e)
		}
		h.enclosing.of[c] = index
	}
}

// push closes what has ended and opens r.
func (h *host) push(stack []int32, r int32) []int32 {
	for n := len(stack); n > 0 && h.t.Ranges.End[stack[n-1]] <= h.t.Ranges.Start[r]; n-- {
		stack = stack[:n-1]
	}
	return append(stack, r)
}

func (h *host) enclose(stack []int32, call int32, fallback Phase) Enclosure {
	var e Enclosure
	annotation := trace.Text(0)
	for i := len(stack) - 1; i >= 0; i-- {
		r := stack[i]
		if h.t.Ranges.End[r] < h.t.Calls.Start[call] {
			continue // ended inside one that is still open: ranges of this thread do not nest
		}
		name := h.t.Ranges.Name[r]
		if h.t.Ranges.Kind[r] == trace.Frame {
			if e.Frame == 0 && h.frame(name).eligible {
				e.Frame = name
			}
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
		e.ZeroGrad = e.ZeroGrad || class == ZeroGrad
	}
	if e.Op == 0 {
		e.Op = annotation
	}
	if e.Phase == NoPhase {
		e.Phase = fallback
	}
	return e
}

func phaseOf(c Class) Phase {
	switch c {
	case OptimizerStep, ZeroGrad, Optimizer:
		return OptimizerPhase
	case Backward:
		return BackwardPhase
	case Forward:
		return ForwardPhase
	}
	return NoPhase
}

// Enclosing is what encloses call c on its thread.
func (l *Lane) Enclosing(c int32) Enclosure {
	e := l.host.enclosures()
	return e.kind[e.of[c]]
}

// PhaseOf is the phase of an activity, from what encloses its launching call; forward where no range says so but it lies
// in a step, or the trace has a backward pass at all.
func (l *Lane) PhaseOf(a Act) Phase {
	if a.Call < 0 {
		return NoPhase
	}
	if p := l.Enclosing(a.Call).Phase; p != NoPhase {
		return p
	}
	if a.Step >= 0 || l.host.anyBackward() {
		return ForwardPhase
	}
	return NoPhase
}

// anyBackward reports whether any call of the trace lies in a backward pass.
func (h *host) anyBackward() bool {
	if h.backward == 0 {
		h.backward = 1
		for _, e := range h.enclosures().kind {
			if e.Phase == BackwardPhase {
				h.backward = 2
				break
			}
		}
	}
	return h.backward == 2
}

// ZeroesGradients reports whether any call of the trace lies under Optimizer.zero_grad.
func (l *Lane) ZeroesGradients() bool {
	return slices.ContainsFunc(l.host.enclosures().kind, func(e Enclosure) bool { return e.ZeroGrad })
}
