package timeline

import (
	"slices"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// Calls is the calls of the lane's process (of the lane, where the process drives several GPUs), ordered by start.
func (l *Lane) Calls() []int32 { return l.calls }

// CallClass is what the name of call c means.
func (l *Lane) CallClass(c int32) Class { return l.host.class[c] }

// Counts reports whether call c counts: it is no captured launch, nor a driver call under the runtime call of its class.
func (l *Lane) Counts(c int32) bool { return l.host.marks[c]&(captured|inner) == 0 }

// Captured reports whether c is a launch that was recorded into a graph instead of executed; the driver call under its
// runtime call is none.
func (l *Lane) Captured(c int32) bool { return l.host.marks[c]&(captured|inner) == captured }

// Blocks reports whether call c holds the host until the GPU has done something: it is a synchronisation, or a copy that
// blocks.
func (l *Lane) Blocks(c int32) bool { return l.host.is(c, blocking) }

// FrameOf reads a Python frame's name; the zero Frame for other names.
func (l *Lane) FrameOf(t trace.Text) Frame { return *l.host.frame(t) }

// Name is the string of a text of the lane's trace.
func (l *Lane) Name(t trace.Text) string { return l.Trace.Names.String(t) }

// Overhead is the time inside W of overhead records of a class; Plain is the profiler's own.
func (l *Lane) Overhead(class Class) span.Set {
	return l.overhead(func(c Class) bool { return c == class })
}

// RangeTime is the time inside W of host ranges of a class, on the lane's threads.
func (l *Lane) RangeTime(class Class) span.Set {
	var spans []span.Span
	for _, r := range l.RangesOf(class) {
		spans = append(spans, l.Trace.Ranges.Span(r))
	}
	return span.Union(spans).Clip(l.W)
}

// HasCalls reports whether the lane's process has any call in the trace.
func (l *Lane) HasCalls() bool { return len(l.calls) > 0 }

// HasCall reports whether call c is one of the lane.
func (l *Lane) HasCall(c int32) bool {
	_, ok := slices.BinarySearch(l.calls, c)
	return ok
}

// InSteady reports whether call c starts inside a steady step.
func (l *Lane) InSteady(c int32) bool { return l.IsSteady(l.stepAt(l.Trace.Calls.Start[c])) }

// IsSteady reports whether step is the index of a steady one.
func (l *Lane) IsSteady(step int32) bool {
	return len(l.Steady) > 0 && step >= l.Steady[0] && step <= l.Steady[len(l.Steady)-1]
}
