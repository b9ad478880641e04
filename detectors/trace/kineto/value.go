package kineto

import "bytes"

// text keeps the inside of the string at i. Any other value counts as none, as the last of two keys does.
func (s *scanner) text(to *text, f field, i int) int {
	t, next := s.string(i)
	s.e.mark(f)
	if next < 0 || t.from > t.to {
		s.e.has &^= f
		return next
	}
	*to = t
	return next
}

// raw keeps the text of an array.
func (s *scanner) raw(to *text, f field, i int) int {
	next := s.skip(i)
	s.e.mark(f)
	if next < 0 || s.b[i] != '[' {
		s.e.has &^= f
		return next
	}
	*to = text{i, next}
	return next
}

// time reads microseconds as nanoseconds. A time as text (Ascend, hand-made files) is read and counted.
func (s *scanner) time(to *int64, f field, i int) int {
	s.e.mark(f)
	if s.b[i] != '"' {
		v, next, ok := micros(s.b, i)
		if !ok {
			s.e.has &^= f
			return s.skip(i)
		}
		*to = v
		return next
	}
	t, next := s.string(i)
	if next < 0 {
		return next
	}
	v, ok := decimal(s.b[t.from:t.to], 3)
	if !ok || v > maxTime || v < -maxTime {
		s.e.has &^= f
		return next
	}
	s.e.fixes |= fixTextTime
	*to = v
	return next
}

// number reads a whole number, as a number or as text. Anything else counts as none.
func (s *scanner) number(to *int64, f field, i int) int {
	s.e.mark(f)
	b := s.b
	if b[i] != '"' {
		v, next, ok := integer(b, i)
		if !ok {
			s.e.has &^= f
			return s.skip(i)
		}
		*to = v
		return next
	}
	t, next := s.string(i)
	if next < 0 {
		return next
	}
	v, ok := decimal(b[t.from:t.to], 0)
	if !ok {
		s.e.has &^= f
	}
	*to = v
	return next
}

// id reads what names a process, thread, stream or context: a number, a number as text ("123", "stream 7", "0x7f"), or any
// other text, which stands for a number of its own.
func (s *scanner) id(to *int64, f field, i int) int {
	if s.b[i] != '"' {
		return s.number(to, f, i)
	}
	s.e.mark(f)
	t, next := s.string(i)
	if next >= 0 {
		name := s.b[t.from:t.to]
		if meant, fixes := meaning(name); meant != nil {
			name = meant
			s.e.fixes |= fixes
		}
		*to = idOf(name)
	}
	return next
}

func idOf(name []byte) int64 {
	digits, base := bytes.TrimPrefix(name, []byte("stream ")), uint64(10)
	if len(digits) > 2 && digits[0] == '0' && digits[1]|0x20 == 'x' {
		digits, base = digits[2:], 16
	}
	negative := len(digits) > 1 && digits[0] == '-'
	if negative {
		digits = digits[1:]
	}
	var v uint64
	ok := len(digits) > 0 && len(digits) <= 16
	for _, c := range digits {
		d := uint64(c - '0')
		if l := c | 0x20; base == 16 && l >= 'a' && l <= 'f' {
			d = uint64(l-'a') + 10
		}
		ok = ok && d < base
		v = v*base + d
	}
	switch {
	case !ok || v > 1<<62:
		return textID(name)
	case negative:
		return -int64(v)
	}
	return int64(v)
}

// textID numbers a text by its FNV-1a hash, far below the ids of any system, so that every reader of the file and every part
// of a parallel reading give it the same number.
func textID(name []byte) int64 {
	h := uint64(14695981039346656037)
	for _, c := range name {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return -1<<62 - int64(h>>3)
}

// product is the product of an array of numbers: the blocks of a grid, the threads of a block.
func (s *scanner) product(to *int64, f field, i int) int {
	s.e.mark(f)
	b := s.b
	if b[i] != '[' {
		s.e.has &^= f
		return s.skip(i)
	}
	start, p := i, int64(1)
	for {
		v, next, ok := integer(b, space(b, i+1))
		if !ok || v < 0 || v > 1<<31 || p > 1<<31 {
			s.e.has &^= f
			return s.skip(start)
		}
		p *= v
		switch i = space(b, next); b[i] {
		case ',':
		case ']':
			*to = p
			return i + 1
		default:
			s.e.has &^= f
			return s.skip(start)
		}
	}
}

// ratio reads a fraction.
func (s *scanner) ratio(to *float32, f field, i int) int {
	s.e.mark(f)
	v, next, ok := ratio(s.b, i)
	if !ok {
		s.e.has &^= f
		return s.skip(i)
	}
	*to = v
	return next
}
