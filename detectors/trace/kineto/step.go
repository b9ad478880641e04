package kineto

// step is what stands between two values of an object, as the file spells it: `, "name": `, or `\n  }` at the end. A file has
// few layouts, so the steps that followed are remembered, and one comparison tells that they do so again; any other is looked
// up.
type step struct {
	spelling   []byte
	head, mask uint64 // its first eight bytes
	tail       uint64 // its last eight bytes
	id         keyID
	ends       bool // the object
	next       [2]*step
}

// maxSteps bounds the steps that are remembered; who has more has no layout.
const maxSteps = 500

// stands tells whether the step stands at b[i].
func (k *step) stands(b []byte, i int) bool {
	if k == nil || word(b, i)&k.mask != k.head {
		return false
	}
	n := len(k.spelling)
	return n <= 8 || word(b, i+n-8) == k.tail &&
		(n <= 16 || string(b[i+8:i+n-8]) == string(k.spelling[8:n-8]))
}

// follows reads the step at i, behind the step last, whatever it is. It returns the index behind it, -1 when it is broken or
// incomplete.
func (s *scanner) follows(last *step, i int, at level) (*step, int) {
	fixes := s.e.fixes
	s.e.fixes = 0
	name, next := s.key(i, last == &s.first[at])
	plain := s.e.fixes == 0 && !s.loose
	s.e.fixes |= fixes
	if next < 0 {
		return nil, -1
	}
	spelling := s.b[i:next]
	if !plain || len(spelling) > padding {
		return s.other(name, at), next
	}
	k := s.steps[at][string(spelling)]
	if k == nil {
		if k = s.meet(name, spelling, at); k == nil {
			return s.other(name, at), next
		}
	}
	last.next = [2]*step{k, last.next[0]}
	return k, next
}

// key reads what separates two members, and the key. It returns the index of the value; the key is nil where the object ends.
func (s *scanner) key(i int, first bool) ([]byte, int) {
	b := s.b
	i = s.between(i, first)
	from := i + 1
	switch {
	case b[i] == '"':
		i = s.keyEnd(from)
	case b[i] == '}':
		return nil, i + 1
	case s.loose:
		from = i
		i = s.bareKey(i)
	default:
		return nil, s.fail(i)
	}
	if i < 0 {
		return nil, -1
	}
	name := b[from:i]
	if i = space(b, i+1); b[i] != ':' {
		return nil, s.fail(i)
	}
	return name, space(b, i+1)
}

// meet makes a step that will be remembered; nil when there are too many.
func (s *scanner) meet(name, spelling []byte, at level) *step {
	if len(s.steps[at]) >= maxSteps {
		return nil
	}
	k := &step{spelling: append([]byte(nil), spelling...), id: keyOf(name, at), ends: name == nil}
	var first [8]byte
	n := copy(first[:], spelling)
	k.head, k.mask = word(first[:], 0), ^uint64(0)>>(64-8*n)
	if len(spelling) > 8 {
		k.tail = word(spelling, len(spelling)-8)
	}
	if s.steps[at] == nil {
		s.steps[at] = map[string]*step{}
	}
	s.steps[at][string(spelling)] = k
	return k
}

// other is a step that is not remembered.
func (s *scanner) other(name []byte, at level) *step {
	k := &s.spare[at]
	*k = step{id: keyOf(name, at), ends: name == nil}
	return k
}

func keyOf(name []byte, at level) keyID {
	if plain, ok := unescapedKey(name); ok {
		name = plain
	}
	return keyIDs[at][string(name)]
}
