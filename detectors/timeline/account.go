package timeline

import (
	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// culprit is who had the host at a moment.
type culprit struct {
	kind    CauseKind
	subject trace.Text
}

// share is a part of a gap's host-late time: who had it, and in which function.
type share struct {
	culprit
	frame trace.Text
}

// account is what one thread did during the host-late part of one gap.
type account struct {
	covered, total span.Time
	shares         []share // in the order in which they first appear
	times          []span.Time
	shapes         []trace.Text
	at             map[share]int // into the three, once they are many

	parts  []part // of a long gap
	frames []item // calls of functions that were open in a long gap, outer ones first
}

// part is a stretch that one share had.
type part struct {
	span.Span
	share int
}

// outerFrom is the length of a gap from which it is worth looking for the outer frame.
const outerFrom = 1_000_000 // ns

// follow lets one thread account for the host-late parts of gaps (in order), its blocking calls taken out. An account is
// only valid until done returns; a gap of which nothing is left has none.
func (l *Lane) follow(th int32, gaps []int, done func(gap int, a *account)) {
	blocked := l.blockedTime(th)
	var pieces []span.Span
	var of []int
	for _, i := range gaps {
		late := l.Gaps[i].HostLate()
		for _, p := range span.Of(late).Minus(blocked.Near(late)) {
			pieces, of = append(pieces, p), append(of, i)
		}
	}
	a, gap := account{}, -1
	capturing := l.captures(th)
	walk(l.host.items(th, l.culpritOf), pieces, func(piece int, at span.Span, now *open) {
		if of[piece] != gap {
			if gap >= 0 {
				done(gap, &a)
			}
			gap = of[piece]
			a.reset()
			if l.Gaps[gap].Len() >= outerFrom {
				now.watch(at.Start, &a.frames)
			} else {
				now.watch(at.Start, nil)
			}
		}
		l.add(&a, at, now, capturing, l.Gaps[gap].Len() >= outerFrom)
	})
	if gap >= 0 {
		done(gap, &a)
	}
}

func (a *account) reset() {
	*a = account{shares: a.shares[:0], times: a.times[:0], shapes: a.shapes[:0], parts: a.parts[:0], frames: a.frames[:0]}
}

func (l *Lane) add(a *account, at span.Span, now *open, capturing captures, long bool) {
	a.total += at.Len()
	s, shape := l.shareOf(now)
	begin := capturing.at(at)
	if begin != 0 && !rules(s.kind) {
		s.culprit, shape = culprit{ByCapture, begin}, 0
	}
	if len(now.all) > 0 || begin != 0 {
		a.covered += at.Len()
	}
	i := a.find(s)
	if i == len(a.shares) {
		a.shares, a.times, a.shapes = append(a.shares, s), append(a.times, 0), append(a.shapes, shape)
		if a.at != nil {
			a.at[s] = i
		}
	}
	a.times[i] += at.Len()
	if long {
		a.parts = append(a.parts, part{at, i})
	}
}

// find is the index of a share, their number where it is new. Most gaps have a few shares, some ten thousand.
func (a *account) find(s share) int {
	const few = 16
	if len(a.shares) <= few {
		for i, have := range a.shares {
			if have == s {
				return i
			}
		}
		return len(a.shares)
	}
	if a.at == nil {
		a.at = map[share]int{}
		for i, have := range a.shares {
			a.at[have] = i
		}
	}
	if i, ok := a.at[s]; ok {
		return i
	}
	return len(a.shares)
}

// shareOf reads what is open. A loader, compilation, garbage collection, capture or zero_grad range rules over what it
// calls; inside it the innermost frame is kept.
func (l *Lane) shareOf(now *open) (share, trace.Text) {
	if len(now.all) == 0 {
		return share{}, 0
	}
	lead := now.all[len(now.all)-1]
	if n := len(now.rulers); n > 0 {
		lead = now.rulers[n-1]
	}
	s, shape := share{culprit: culprit{lead.kind, l.nameOf(lead)}}, trace.Text(0)
	if !lead.call {
		shape = l.Trace.Ranges.Shape[lead.index]
	}
	if n := len(now.frames); n > 0 {
		// Who iterates over a loader is not what makes it slow.
		if f := now.frames[n-1]; lead.kind != ByLoader || f.order > lead.order {
			s.frame = l.nameOf(f)
		}
	}
	return s, shape
}

func (l *Lane) nameOf(it item) trace.Text {
	if it.call {
		return l.Trace.Calls.Name[it.index]
	}
	return l.Trace.Ranges.Name[it.index]
}

// verdict sums the shares by culprit; the largest sum wins, the earlier of equals.
func (l *Lane) verdict(a *account) Cause {
	sums := map[culprit]span.Time{}
	for i, s := range a.shares {
		sums[s.culprit] += a.times[i]
	}
	win, most, frameTime := -1, span.Time(0), span.Time(0)
	for i, s := range a.shares {
		if sum := sums[s.culprit]; sum > most {
			win, most = i, sum
		}
	}
	if win < 0 {
		return Cause{}
	}
	who := a.shares[win].culprit
	c := Cause{Kind: who.kind, Subject: who.subject, Shape: a.shapes[win]}
	for i, s := range a.shares {
		if s.culprit == who && s.frame != 0 && a.times[i] > frameTime {
			c.Frame, frameTime = s.frame, a.times[i]
		}
	}
	if len(a.frames) > 0 {
		c.Outer = l.around(a, who, c.Frame, most)
	}
	return c
}
