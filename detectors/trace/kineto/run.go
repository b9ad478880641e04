package kineto

// state tells why run stopped.
type state uint8

const (
	more  state = iota // at the end of the text: what is left needs more of the file
	ended              // at the bracket that ends the array
)

const (
	// maxEvent bounds one event, in bytes. What is longer is no event but a missing bracket, which swallows all that follows.
	maxEvent = 4 << 20
	// maxWaste bounds the bytes that are read in vain behind broken events, so that no file takes more than linear time.
	maxWaste = 256 << 20
	// lookBack is how much of the text is kept while looking for an event, so that one which straddles its end is found.
	lookBack = 256
)

// run reads the events of the text from i on. It returns where the first that is not read starts.
func (s *scanner) run(i int) (int, state) {
	b := s.b
	for {
		if s.lost {
			found := candidate(b, i, s.end)
			if found < 0 {
				return max(i, s.end-lookBack), more
			}
			i, s.comma = found, true
		}
		at := indent(b, i)
		switch {
		case at >= s.end:
			return at, more
		case b[at] == ',':
			if s.comma {
				s.tally.repaired(fixComma, s.base+int64(at))
			}
			i, s.comma = at+1, true
		case b[at] == ']':
			if s.comma && s.tally.events > 0 {
				s.tally.repaired(fixComma, s.base+int64(at))
			}
			return at, ended
		default:
			next := s.element(at)
			if next < 0 && s.unfinished(at) {
				return at, more
			}
			if i, s.comma = next, false; next < 0 {
				i = s.giveUp(at)
			}
		}
	}
}

// element reads what stands in the list at i, which should be an event. -1 when it is broken, or incomplete so far.
func (s *scanner) element(i int) int {
	if s.b[i] == '{' {
		next := s.one(i)
		s.lost = s.lost && (next < 0 || !s.e.whole())
		return next
	}
	s.e = event{}
	next := s.skip(i)
	if next >= s.end && !s.final {
		return s.fail(s.end) // a number may go on
	}
	if next >= 0 {
		s.tally.noObject++
	}
	return next
}

// unfinished tells whether the event at i may just need more of the file. At its end, that is so when nothing behind i looks
// like an event: then it is the one in which the file was cut.
func (s *scanner) unfinished(i int) bool {
	if s.stop < s.end || s.end-i >= maxEvent {
		return false
	}
	return !s.final || candidate(s.b, i+1, s.end) < 0
}

// one reads the event at i, strictly at first, then with every repair. -1 when it is broken, or incomplete so far.
func (s *scanner) one(i int) int {
	next := s.attempt(i)
	if next >= 0 && s.e.skipped && s.e.fixes&fixDuplicate != 0 {
		// What tells that the arguments are not needed was said twice.
		s.careful = true
		next = s.attempt(i)
		s.careful = false
	}
	s.far = s.stop
	if next < 0 && (s.stop < s.end || s.final) && s.stop-i < maxEvent {
		next = s.looseAttempt(i)
	}
	if next < 0 {
		return -1
	}
	if next-i > maxEvent {
		return s.fail(i)
	}
	if s.lost && !s.e.whole() {
		return next // an object inside the arguments of the broken event
	}
	if !s.comma {
		s.e.fixes |= fixComma
	}
	s.emit(s.base + int64(i))
	return next
}

// looseAttempt reads the event at i with every repair, but never into what looks like the next one.
func (s *scanner) looseAttempt(i int) int {
	s.loose, s.careful, s.limit = true, true, s.end
	if found := candidate(s.b, i+1, s.end); found >= 0 {
		s.limit = found
	}
	next := s.attempt(i)
	s.loose, s.careful = false, false
	if next > s.limit {
		return s.fail(s.limit)
	}
	return next
}

func (s *scanner) attempt(i int) int {
	s.at = i
	s.e.has, s.e.fixes, s.e.skipped, s.e.phase, s.e.cat = 0, 0, false, 0, noCat
	return s.object(i, inEvent)
}

// giveUp drops the event at i and returns from where on the next one is looked for.
func (s *scanner) giveUp(i int) int {
	if !s.lost {
		if s.tally.broken == 0 {
			s.tally.brokenAt = s.base + int64(i)
		}
		s.tally.broken++
		s.lost = true
	}
	if s.wasted += max(s.stop, s.far) - i; s.wasted > maxWaste {
		return s.end
	}
	return i + 1
}
