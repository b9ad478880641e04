package timeline

import (
	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// captures is when a thread records its launches into graphs, in order, and the calls that began it.
type captures struct {
	when span.Set
	call trace.Text
}

// captures of a thread: from the call that begins one to the end of the next that ends it.
func (l *Lane) captures(th int32) captures {
	var out captures
	calls := &l.Trace.Calls
	ends := l.CallsOf(EndCapture)
	for _, c := range l.CallsOf(BeginCapture) {
		if calls.Thread[c] != th {
			continue
		}
		for len(ends) > 0 && (calls.Thread[ends[0]] != th || calls.Start[ends[0]] < calls.End[c]) {
			ends = ends[1:]
		}
		if len(ends) == 0 {
			break // it is never ended
		}
		out.when = append(out.when, span.Span{Start: calls.Start[c], End: calls.End[ends[0]]})
		out.call = calls.Name[c]
	}
	out.when = span.Union(out.when)
	return out
}

// at is the call that begins a capture where a stretch lies in one, else 0.
func (c captures) at(s span.Span) trace.Text {
	if len(c.when) == 0 || 2*c.when.Overlap(s) < s.Len() {
		return 0
	}
	return c.call
}
