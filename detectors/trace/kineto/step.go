package kineto

// step is what stands between two values of an object, as the file spells it: `, "name": `, or `\n  }` at the end. A file has
// few layouts, so the steps that followed are remembered, and one comparison tells that they do so again; any other is looked
// up.
type step struct {
	size       int
	head, mask uint64 // its first eight bytes
	tail       uint64 // its last eight bytes
	middle     string // those between
	id         keyID
	ends       bool // the object
	next       [2]*step
}

// never is a step that stands nowhere.
var never = &step{head: 1}

// maxSteps bounds the steps that are remembered; who has more has no layout.
const maxSteps = 500

// behind is the index behind the step where it stands at b[i], else 0.
func (k *step) behind(b []byte, i int) int {
	if word(b, i)&k.mask != k.head {
		return 0
	}
	next := i + k.size
	if k.size > 8 && (word(b, next-8) != k.tail || k.size > 16 && string(b[i+8:next-8]) != k.middle) {
		return 0
	}
	return next
}

// follows reads the step at i, behind the step last, whatever it is. It returns the index behind it, -1 when it is broken or
// incomplete.
//
//go:noinline
func (s *scanner) follows(last *step, i int, at level) (*step, int) {
	fixes := s.e.fixes
	s.e.fixes = 0
	name, next := s.key(i, last == &s.first[at] || last == &s.loosely[at])
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
	k := &step{size: len(spelling), id: keyOf(name, at), ends: name == nil, next: [2]*step{never, never}}
	var first [8]byte
	n := copy(first[:], spelling)
	k.head, k.mask = word(first[:], 0), ^uint64(0)>>(64-8*n)
	if k.size > 8 {
		k.tail = word(spelling, k.size-8)
	}
	if k.size > 16 {
		k.middle = string(spelling[8 : k.size-8])
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
	*k = step{id: keyOf(name, at), ends: name == nil, next: [2]*step{never, never}}
	return k
}

func keyOf(name []byte, at level) keyID {
	if plain, ok := unescapedKey(name); ok {
		name = plain
	}
	return keyIDs[at][string(name)]
}
