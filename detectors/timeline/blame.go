package timeline

import (
	"slices"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// CauseKind is a kind of culprit of idle time.
type CauseKind uint8

// The culprits of the host-late part (first block), the launch-call part (second) and the device-wait part (third).
const (
	Unknown CauseKind = iota
	ByLoader
	ByAllocation
	ByCodeLoading
	ByCompilation
	ByCapture
	ByCollection
	ByZeroGrad
	ByPreviousCall
	ByOp
	ByRange
	ByFrame
	ByProfiler

	ByStaging
	ByGraphLaunch
	ByLaunch

	ByStreamWait // another stream's work, or a recorded event
	ByDispatch   // one stream: nothing to wait for but the device itself
	ByGraph      // inside one graph launch
	ByOutside    // something that is not in the trace
)

var causeNames = [...]string{"unknown", "loader", "allocation", "code-loading", "compilation", "capture", "gc", "zero-grad",
	"previous-call", "op", "range", "frame", "profiler", "staging", "graph-launch", "launch", "stream-wait", "dispatch",
	"graph", "outside"}

func (k CauseKind) String() string { return causeNames[k] }

// Cause is a culprit. Texts are zero where the trace does not say.
type Cause struct {
	Kind    CauseKind
	Subject trace.Text // name of the op, range, call or loader
	Frame   trace.Text // innermost eligible Python frame that held most of the time
	Outer   trace.Text // outermost eligible frame of the step that covers 80 % of it and spends half of its own time on it
	Shape   trace.Text // of the op, where recorded
}

// blame names the culprit of every part of every gap.
func (l *Lane) blame() {
	l.nameWaits()
	l.nameCalls()
	l.causes, l.causeAt = []Cause{{}}, map[Cause]int32{{}: 0}
	l.blameOthers(l.blameOwn())
	if l.host.osCalls {
		l.hintOSCalls()
	}
	profiler := l.profilerTime()
	for i := range l.Gaps {
		if g := &l.Gaps[i]; 2*profiler.Overlap(g.Span) > g.Len() {
			g.hostCause = l.intern(Cause{Kind: ByProfiler})
			if g.callCause != Unknown {
				g.callCause = ByProfiler
			}
		}
	}
}

// blameOwn lets the launching thread of each gap account for its host-late part, and returns the gaps of which the thread
// covers less than half.
func (l *Lane) blameOwn() (left []int) {
	gaps := map[int32][]int{}
	for i := range l.Gaps {
		if g := &l.Gaps[i]; !g.HostLate().Empty() {
			th := l.ThreadOf(g)
			gaps[th] = append(gaps[th], i)
		}
	}
	delete(gaps, -1)
	for th := range gaps {
		l.follow(th, gaps[th], func(i int, a *account) {
			l.Gaps[i].hostCause = l.intern(l.verdict(a))
			if 2*a.covered < a.total {
				left = append(left, i)
			}
		})
	}
	slices.Sort(left)
	return left
}

// blameOthers lets the launching thread that covers most of each gap account for it.
func (l *Lane) blameOthers(gaps []int) {
	if len(gaps) == 0 {
		return
	}
	best := make([]struct {
		covered span.Time
		cause   int32
	}, len(l.Gaps))
	for _, th := range l.Launchers {
		l.follow(th, gaps, func(i int, a *account) {
			if b := &best[i]; a.covered > b.covered {
				b.covered, b.cause = a.covered, l.intern(l.verdict(a))
			}
		})
	}
	for _, i := range gaps {
		if best[i].covered > 0 {
			l.Gaps[i].hostCause = best[i].cause
		}
	}
}

// culpritOf is what kind of culprit a range or call can be, Unknown none: not step marks, ranges round the whole window, torch, the
// standard library, built-ins or waits of the operating system; of calls those that the host may spend time in. Functions of the profiler are
// its own.
func (l *Lane) culpritOf(i int32, call bool) CauseKind {
	if call {
		if l.host.is(i, inner) {
			return Unknown // the call around it has its time
		}
		return callCulprits[l.host.class[i]]
	}
	kind := l.Trace.Ranges.Kind[i]
	switch kind {
	case trace.OSCall:
		return Unknown
	case trace.Frame:
		switch f := l.host.frame(l.Trace.Ranges.Name[i]); {
		case f.profiler:
			return ByProfiler
		case f.work != Unknown:
			return f.work
		case f.eligible:
			return ByFrame
		}
		return Unknown
	}
	switch class := l.host.rangeClass(i); {
	case class == StepMark || class == MeasureMark || class == Serving || l.isStep(l.Trace.Ranges.Span(i)):
		return Unknown
	case rangeCulprits[class] != Unknown:
		return rangeCulprits[class]
	case kind == trace.Op:
		return ByOp
	case l.roundAll(l.Trace.Ranges.Span(i)):
		return Unknown
	}
	return ByRange
}

// roundAll reports whether a span holds the whole window: a range round everything explains no part of it.
func (l *Lane) roundAll(s span.Span) bool { return s.Start <= l.whole.Start && s.End >= l.whole.End }

var callCulprits = [len(classNames)]CauseKind{
	Launch: ByPreviousCall, GraphLaunch: ByPreviousCall, Allocation: ByAllocation, CodeLoading: ByCodeLoading, Setup: ByCodeLoading,
	Instantiate: ByCapture, BeginCapture: ByCapture, EndCapture: ByCapture,
}

var rangeCulprits = [len(classNames)]CauseKind{
	Loader: ByLoader, Compile: ByCompilation, Collection: ByCollection, ZeroGrad: ByZeroGrad,
}

// rules reports whether a culprit rules over the ops and frames inside it.
func rules(k CauseKind) bool {
	switch k {
	case ByLoader, ByAllocation, ByCodeLoading, ByCompilation, ByCapture, ByCollection, ByZeroGrad, ByProfiler:
		return true
	}
	return false
}

// isStep reports whether a span is the mark of a step.
func (l *Lane) isStep(s span.Span) bool {
	i := l.stepAt(s.Start)
	return i >= 0 && l.Steps[i].Host == s
}
