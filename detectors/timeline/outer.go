package timeline

import (
	"sort"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// around is the function to name beside the culprit of a long gap: the outermost that covers what the culprit had and spends
// half of its own time on it. Of work that is spread over many functions the culprit has a small part, around which there is
// only itself; then it is the outermost that covers the whole gap and spends 80 % of its own time in it.
func (l *Lane) around(a *account, who culprit, frame trace.Text, most span.Time) trace.Text {
	own := l.outer(a, a.had(func(c culprit) bool { return c == who }), most, 0.5)
	if own == 0 || own == frame {
		if whole := l.outer(a, a.had(func(culprit) bool { return true }), a.total, 0.8); whole != 0 {
			return whole
		}
	}
	return own
}

// outer is the outermost call of a frame in the step that covers at least 80 % of some stretches of a long gap, and spends at
// least a share of its own time on them: the loop around everything covers all of them too, but explains nothing. Whoever
// covers 80 % is open when half of them has passed.
func (l *Lane) outer(a *account, had stretches, total span.Time, ownShare float64) trace.Text {
	middle := had.when(total / 2)
	from := l.stepStart(middle)
	for _, f := range a.frames {
		if f.Start > middle || f.End <= middle || f.Start < from {
			continue
		}
		if dur := had.within(f.Span); 5*dur >= 4*total && float64(dur) >= ownShare*float64(f.Len()) {
			return l.nameOf(f)
		}
	}
	return 0
}

// stretches is stretches of time in order, with what had passed before each.
type stretches struct {
	spans  []span.Span
	before []span.Time
}

// had is the stretches of a long gap that certain culprits had.
func (a *account) had(counts func(culprit) bool) stretches {
	var s stretches
	var sum span.Time
	for _, p := range a.parts {
		if counts(a.shares[p.share].culprit) {
			s.spans, s.before = append(s.spans, p.Span), append(s.before, sum)
			sum += p.Len()
		}
	}
	return s
}

// when is the moment at which so much of the stretches has passed, less than all of it.
func (s stretches) when(passed span.Time) span.Time {
	i := sort.Search(len(s.before), func(i int) bool { return s.before[i] > passed }) - 1
	return s.spans[i].Start + passed - s.before[i]
}

// passed is how much of the stretches lies before t.
func (s stretches) passed(t span.Time) span.Time {
	i := sort.Search(len(s.spans), func(i int) bool { return s.spans[i].Start >= t }) - 1
	if i < 0 {
		return 0
	}
	return s.before[i] + min(t, s.spans[i].End) - s.spans[i].Start
}

func (s stretches) within(w span.Span) span.Time { return s.passed(w.End) - s.passed(w.Start) }

// stepStart is where the step of a moment starts, W's start outside steps.
func (l *Lane) stepStart(t span.Time) span.Time {
	if i := l.stepAt(t); i >= 0 {
		return l.Steps[i].Host.Start
	}
	return l.W.Start
}
