package timeline

import (
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
	Outer   trace.Text // outermost eligible frame that covers 80 % of it and spends half of its own time on it
	Shape   trace.Text // of the op, where recorded
}

// share is a part of a gap's host-late time and who had it.
type share struct {
	kind           CauseKind
	subject, frame trace.Text
	shape          trace.Text
	dur            span.Time
}

// account is what one thread did during the host-late part of one gap.
type account struct {
	covered, total span.Time
	shares         []share
	held           map[holding]*held // nil for short gaps
}

// holding is one call of an eligible frame that was on the stack while a culprit was at work.
type holding struct {
	kind    CauseKind
	subject trace.Text
	call    int32 // index into Ranges
}

type held struct {
	depth       int
	dur, length span.Time // with the culprit, and of the whole call
}

// outerFrom is the length of a gap from which it is worth looking for the outer frame.
const outerFrom = 1_000_000 // ns

// blame names the culprit of every part of every gap.
func (l *Lane) blame() {
	profiler := l.profilerTime()
	first := l.FirstOfName()
	l.oneStream = l.hasOneStream()
	for i := range l.Gaps {
		g := &l.Gaps[i]
		g.callCause = l.callCause(g, first)
		g.WaitCause = l.waitCause(g)
	}
	l.causes, l.causeAt = []Cause{{}}, map[Cause]int32{{}: 0}
	pending := l.blameThreads(func(g *Gap, th int32) bool { return l.ThreadOf(g) == th }, nil)
	l.blameThreads(nil, pending)
	for i := range l.Gaps {
		if g := &l.Gaps[i]; 2*profiler.Overlap(g.Span) > g.Len() {
			g.hostCause = l.intern(Cause{Kind: ByProfiler})
		}
	}
}

// blameThreads lets each launching thread account for the gaps that are its own, and returns the gaps of which the thread
// covers less than half. Given such gaps, it lets the launching thread that covers most of each account for it.
func (l *Lane) blameThreads(own func(*Gap, int32) bool, pending []int) []int {
	var left []int
	best := map[int]account{}
	for _, th := range l.Launchers {
		var gaps []int
		if own == nil {
			gaps = pending
		} else {
			for i := range l.Gaps {
				if g := &l.Gaps[i]; !g.HostLate().Empty() && own(g, th) {
					gaps = append(gaps, i)
				}
			}
		}
		for k, a := range l.accounts(th, gaps) {
			i := gaps[k]
			switch {
			case own == nil:
				if a.covered > best[i].covered {
					best[i] = a
				}
			case 2*a.covered < a.total:
				left = append(left, i)
				l.Gaps[i].hostCause = l.intern(l.verdict(&a))
			default:
				l.Gaps[i].hostCause = l.intern(l.verdict(&a))
			}
		}
	}
	for i, a := range best {
		if 2*a.covered >= a.total {
			l.Gaps[i].hostCause = l.intern(l.verdict(&a))
		}
	}
	return left
}

// accounts follows one thread through the host-late parts of gaps, its blocking calls taken out.
func (l *Lane) accounts(th int32, gaps []int) []account {
	out := make([]account, len(gaps))
	if len(gaps) == 0 {
		return out
	}
	blocked := l.blockedTime(th)
	var pieces []span.Span
	var of []int
	for k, i := range gaps {
		for _, p := range span.Of(l.Gaps[i].HostLate()).Minus(blocked.near(l.Gaps[i].HostLate())) {
			pieces, of = append(pieces, p), append(of, k)
			out[k].total += p.Len()
		}
	}
	walk(l.host.items(th, l.eligible), pieces, func(piece int, part span.Span, stack []item) {
		a := &out[of[piece]]
		if len(stack) > 0 {
			a.covered += part.Len()
		}
		a.add(l, part, stack, l.Gaps[gaps[of[piece]]].Len() >= outerFrom)
	})
	return out
}

// eligible reports whether a range or call can be a culprit: not step marks, torch, the standard library, built-ins or
// waits of the operating system; of calls those that the host may spend time in.
func (l *Lane) eligible(i int32, call bool) bool {
	if call {
		switch l.host.callClass(i) {
		case Launch, GraphLaunch, Allocation, CodeLoading, Setup, Instantiate, BeginCapture, EndCapture:
			return true
		}
		return false
	}
	switch l.Trace.Ranges.Kind[i] {
	case trace.OSCall:
		return false
	case trace.Frame:
		return l.host.frame(l.Trace.Ranges.Name[i]).eligible
	}
	switch l.host.rangeClass(i) {
	case StepMark, MeasureMark, Serving:
		return false
	}
	return !l.isStep(l.Trace.Ranges.Span(i))
}

// isStep reports whether a span is the mark of a step.
func (l *Lane) isStep(s span.Span) bool {
	i := l.stepAt(s.Start)
	return i >= 0 && l.Steps[i].Host == s
}

func (a *account) add(l *Lane, part span.Span, stack []item, long bool) {
	s := l.culprit(stack)
	s.dur = part.Len()
	a.merge(s)
	if !long {
		return
	}
	depth := 0
	for _, it := range stack {
		if it.call || l.Trace.Ranges.Kind[it.index] != trace.Frame {
			continue
		}
		depth++
		if it.Start >= l.stepStart(part.Start) {
			a.hold(holding{s.kind, s.subject, it.index}, depth, it.Len(), s.dur)
		}
	}
}

// stepStart is where the step of a moment starts, W's start outside steps.
func (l *Lane) stepStart(t span.Time) span.Time {
	if i := l.stepAt(t); i >= 0 {
		return l.Steps[i].Host.Start
	}
	return l.W.Start
}

func (a *account) merge(s share) {
	for i := range a.shares {
		if have := &a.shares[i]; have.kind == s.kind && have.subject == s.subject && have.frame == s.frame {
			have.dur += s.dur
			return
		}
	}
	a.shares = append(a.shares, s)
}

func (a *account) hold(k holding, depth int, length, dur span.Time) {
	if a.held == nil {
		a.held = map[holding]*held{}
	}
	h := a.held[k]
	if h == nil {
		h = &held{depth: depth, length: length}
		a.held[k] = h
	}
	h.dur += dur
}

// culprit reads a stack of open items. A loader, compilation, garbage collection, capture or zero_grad range rules over
// what it calls; inside it the innermost frame is kept.
func (l *Lane) culprit(stack []item) share {
	var s share
	names := &l.Trace.Ranges.Name
	for i := len(stack) - 1; i >= 0; i-- {
		it := stack[i]
		kind, subject := l.causeOf(it)
		if kind == ByFrame && s.frame == 0 && s.kind != ByLoader { // who iterates over a loader is not what makes it slow
			s.frame = (*names)[it.index]
		}
		if s.kind == Unknown || rules(kind) && !rules(s.kind) {
			s.kind, s.subject = kind, subject
			if !it.call {
				s.shape = l.Trace.Ranges.Shape[it.index]
			}
		}
	}
	return s
}

// rules reports whether a culprit rules over the ops and frames inside it.
func rules(k CauseKind) bool {
	switch k {
	case ByLoader, ByAllocation, ByCodeLoading, ByCompilation, ByCapture, ByCollection, ByZeroGrad:
		return true
	}
	return false
}

func (l *Lane) causeOf(it item) (CauseKind, trace.Text) {
	if it.call {
		name := l.Trace.Calls.Name[it.index]
		switch l.host.callClass(it.index) {
		case Allocation:
			return ByAllocation, name
		case CodeLoading, Setup:
			return ByCodeLoading, name
		case Instantiate, BeginCapture, EndCapture:
			return ByCapture, name
		}
		return ByPreviousCall, name
	}
	name := l.Trace.Ranges.Name[it.index]
	if l.Trace.Ranges.Kind[it.index] == trace.Frame {
		return ByFrame, name
	}
	switch l.host.rangeClass(it.index) {
	case Loader:
		return ByLoader, name
	case Compile:
		return ByCompilation, name
	case Collection:
		return ByCollection, name
	case ZeroGrad:
		return ByZeroGrad, name
	}
	if l.Trace.Ranges.Kind[it.index] == trace.Op {
		return ByOp, name
	}
	return ByRange, name
}

// verdict sums the shares by culprit; the largest sum wins, the earlier of equals.
func (l *Lane) verdict(a *account) Cause {
	var win Cause
	var most span.Time
	for i, s := range a.shares {
		sum, frame, frameTime := span.Time(0), trace.Text(0), span.Time(0)
		for _, o := range a.shares[i:] {
			if o.kind == s.kind && o.subject == s.subject {
				sum += o.dur
				if o.frame != 0 && o.dur > frameTime {
					frame, frameTime = o.frame, o.dur
				}
			}
		}
		if sum > most {
			most, win = sum, Cause{Kind: s.kind, Subject: s.subject, Frame: frame, Shape: s.shape}
		}
	}
	if i := a.outer(win, most); i >= 0 {
		win.Outer = l.Trace.Ranges.Name[i]
	}
	return win
}

// outer is the outermost call of a frame that covers at least 80 % of what the culprit had, and spends at least half of its
// own time on it: the loop around everything covers all of it too, but explains nothing. -1 none.
func (a *account) outer(c Cause, total span.Time) int32 {
	best, depth := int32(-1), 0
	for k, h := range a.held {
		if k.kind != c.Kind || k.subject != c.Subject || 5*h.dur < 4*total || 2*h.dur < h.length {
			continue
		}
		if best < 0 || h.depth < depth || h.depth == depth && k.call < best {
			best, depth = k.call, h.depth
		}
	}
	return best
}
