package timeline

import (
	"slices"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// Loading is the host-late time inside the ranges of data loaders. One that loads on a thread which launches nothing counts only
// in gaps whose launching thread does nothing else: behind work of that thread it is hidden.
func (l *Lane) Loading() span.Set {
	var own, aside []span.Span
	for _, r := range l.RangesOf(Loader) {
		if slices.Contains(l.Launchers, l.Trace.Ranges.Thread[r]) {
			own = append(own, l.Trace.Ranges.Span(r))
		} else {
			aside = append(aside, l.Trace.Ranges.Span(r))
		}
	}
	var loading span.Set
	if len(own) > 0 {
		loading = l.GapTime((*Gap).HostLate).And(span.Union(own))
	}
	if len(aside) == 0 {
		return loading
	}
	waiting := l.waiting()
	return loading.Or(l.GapTime(func(g *Gap) span.Span {
		if late := g.HostLate(); l.HostCause(g).Kind == Unknown || 2*waiting.Overlap(late) > late.Len() {
			return late
		}
		return span.Span{Start: g.Start, End: g.Start}
	}).And(span.Union(aside)))
}

// waiting is when a launching thread waits for another thread or process, as far as Python frames show.
func (l *Lane) waiting() span.Set {
	r := &l.Trace.Ranges
	var spans []span.Span
	for _, th := range l.Launchers {
		for _, i := range l.host.ranges.of(th) {
			if r.Kind[i] == trace.Frame && l.host.frame(r.Name[i]).waits {
				spans = append(spans, r.Span(i))
			}
		}
	}
	return span.Union(spans)
}
