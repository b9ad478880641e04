package timeline

import (
	"perflint/detectors/parallel"
	"perflint/detectors/span"
)

// unite builds the unions of the lane inside W. Overlapping work counts once: kernels of one stream may overlap
// (programmatic dependent launch), so durations are never summed.
func (l *Lane) unite() {
	var foreign []int32
	for _, i := range l.In {
		switch class := l.Class[i]; {
		case !l.Own[i]:
			foreign = append(foreign, i)
		case class == Comm:
			l.comms = append(l.comms, i)
		case class == CopyWork || class == FillWork:
			l.moves = append(l.moves, i)
		}
	}
	var idle parallel.Group
	idle.Go(func() {
		l.Idle = span.GapsEach(l.W, len(l.In), func(k int) span.Span { return span.Span{Start: l.Start[l.In[k]], End: l.End[l.In[k]]} })
	})
	l.Compute = span.UnionEach(len(l.In), func(k int) span.Span {
		i := l.In[k]
		if class := l.Class[i]; !l.Own[i] || class == Comm || class == CopyWork || class == FillWork {
			return span.Span{}
		}
		return span.Span{Start: max(l.Start[i], l.W.Start), End: min(l.End[i], l.W.End)}
	})
	every := func(Act) bool { return true }
	l.Comm, l.Copies, l.Foreign = l.UnionOf(l.comms, every), l.UnionOf(l.moves, every), l.UnionOf(foreign, every)
	l.ExposedComm = l.Comm.Minus(l.Compute)
	l.ExposedCopy = l.Copies.Minus(l.Compute).Minus(l.Comm)
	l.ForeignOnly = l.Foreign.Minus(l.Compute).Minus(l.Comm).Minus(l.Copies)
	idle.Wait()
}

// Comms is the own communication of W, as activities.
func (l *Lane) Comms() []int32 { return l.comms }

// Moves is the own copies and fills of W, as activities.
func (l *Lane) Moves() []int32 { return l.moves }

// UnionOf is the time inside W of those activities that pass.
func (l *Lane) UnionOf(acts []int32, pass func(Act) bool) span.Set {
	b := l.Builder()
	for _, i := range acts {
		if a := l.Act(i); pass(a) {
			b.Add(a.Clip(l.W))
		}
	}
	return b.Set()
}

// Builder makes a set.
func (l *Lane) Builder() *span.Builder { return &span.Builder{} }

// findLaunchers lists the threads that launched work of the lane that meets W, or opened a step in W.
func (l *Lane) findLaunchers() {
	seen := make([]bool, len(l.Trace.Threads))
	for _, i := range l.In {
		if c := l.Call[i]; c >= 0 {
			seen[l.Trace.Calls.Thread[c]] = true
		}
	}
	for _, s := range l.Steps {
		if s.Host.Meets(l.W) {
			seen[s.Thread] = true
		}
	}
	for th, launched := range seen {
		if launched {
			l.Launchers = append(l.Launchers, int32(th))
		}
	}
}
