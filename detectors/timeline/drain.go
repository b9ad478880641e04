package timeline

import "perflint/detectors/span"

const (
	drainLeast  = 5_000   // ns a call lasts at least to drain a gap
	drainBefore = 30_000  // ns after the call's end in which the gap may begin
	drainAfter  = 200_000 // ns after the call's end until which the loss is its own
)

// blockers is the blocking calls of one thread. Asked for moments in order, it takes one pass over them.
type blockers struct {
	calls []int32 // not started yet, by start
	open  []int32 // started, without those on top that can drain no later gap
}

// at is the latest-starting call that t lies in or shortly after, -1 none; t never goes back.
func (b *blockers) at(l *Lane, t span.Time) int32 {
	for len(b.calls) > 0 && l.Trace.Calls.Start[b.calls[0]] <= t {
		b.open, b.calls = append(b.open, b.calls[0]), b.calls[1:]
	}
	for n := len(b.open); n > 0; n-- {
		if t < l.Trace.Calls.End[b.open[n-1]]+drainBefore {
			return b.open[n-1]
		}
		b.open = b.open[:n-1]
	}
	return -1
}

// drain finds the blocking call that let the GPU run dry before each gap, and what that cost. A gap that is all device-wait
// or unknown, and the last one of W, have none.
func (l *Lane) drain() {
	byThread := map[int32]*blockers{}
	for _, c := range l.calls {
		if l.Blocks(c) && l.Trace.Calls.Span(c).Len() >= drainLeast {
			th := l.Trace.Calls.Thread[c]
			if byThread[th] == nil {
				byThread[th] = &blockers{}
			}
			byThread[th].calls = append(byThread[th].calls, c)
		}
	}
	if len(byThread) == 0 {
		return
	}
	for i := range l.Gaps {
		if g := &l.Gaps[i]; g.Next >= 0 && g.latency > g.Start {
			if c := l.drainedBy(byThread, g); c >= 0 {
				l.costDrain(g, c)
			}
		}
	}
}

// drainedBy is the call of the launching thread that drained a gap, else the latest-starting of the other launching threads.
func (l *Lane) drainedBy(byThread map[int32]*blockers, g *Gap) int32 {
	if b := byThread[l.ThreadOf(g)]; b != nil {
		if c := b.at(l, g.Start); c >= 0 {
			return c
		}
	}
	best := int32(-1)
	for _, th := range l.Launchers {
		if b := byThread[th]; b != nil {
			best = max(best, b.at(l, g.Start)) // calls are ordered by start
		}
	}
	return best
}

// costDrain bounds what a gap cost by how long the call kept the host: without it the host would have been earlier by no more.
func (l *Lane) costDrain(g *Gap, c int32) {
	call := l.Trace.Calls.Span(c)
	most := call.Len()
	if l.host.class[c] != Sync {
		if work := l.Trace.Calls.Work[c]; work >= 0 {
			most -= l.Trace.Work.Span(work).Len()
		}
	}
	lost := span.Span{Start: g.Start, End: min(g.End, call.End+drainAfter, g.latency)}
	if cost := min(lost.Len(), most); cost > 0 {
		g.Drained, g.DrainCost = c, cost
	}
}

// markBlocking finds the calls that hold the host until the GPU has done something.
func (h *host) markBlocking() {
	for i, class := range h.class {
		c := int32(i)
		if !h.is(c, inner) && (class == Sync || class == BlockingCopy || class == AsyncCopy && h.stages(c)) {
			h.marks[c] |= blocking
		}
	}
}

// stages reports whether an asynchronous copy blocked after all: pageable memory makes it wait for its own copy.
func (h *host) stages(c int32) bool {
	const longCall, slack = 20_000, 2_000 // ns
	work, call := h.t.Calls.Work[c], h.t.Calls.Span(c)
	return work >= 0 && call.Len() >= longCall && call.End >= h.t.Work.End[work]-slack
}
