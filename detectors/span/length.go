package span

// Length is the length of the union of spans that come ordered by start, without building it. The zero value is nothing.
type Length struct {
	total, end Time
}

// Add takes a span that starts no earlier than the one before did.
func (l *Length) Add(s Span) {
	from := s.Start
	if l.total > 0 {
		from = max(from, l.end)
	}
	if s.End > from {
		l.total += s.End - from
		l.end = s.End
	}
}

// Total is the length in nanoseconds.
func (l *Length) Total() Time { return l.total }
