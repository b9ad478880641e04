package trace

import "hash/maphash"

// Text is an interned string of a trace. The zero Text is the empty string.
type Text uint32

// Names holds each distinct string of a trace once.
type Names struct {
	texts []string
	slots []uint32 // open addressing: index into texts plus one, 0 free; length a power of two
	seed  maphash.Seed
}

// NewNames holds only the empty string.
func NewNames() *Names {
	n := &Names{slots: make([]uint32, 1<<10), seed: maphash.MakeSeed()}
	n.Intern("")
	return n
}

// String is the string that t stands for.
func (n *Names) String(t Text) string { return n.texts[t] }

// Len is the number of distinct strings; every Text is below it.
func (n *Names) Len() int { return len(n.texts) }

// Intern returns the Text of s, adding it when it is new.
func (n *Names) Intern(s string) Text {
	at, ok := n.find(maphash.String(n.seed, s), func(have string) bool { return have == s })
	if !ok {
		return n.insert(at, s)
	}
	return Text(n.slots[at] - 1)
}

// InternBytes is Intern without a copy for strings that are known already.
func (n *Names) InternBytes(b []byte) Text {
	at, ok := n.find(maphash.Bytes(n.seed, b), func(have string) bool { return have == string(b) })
	if !ok {
		return n.insert(at, string(b))
	}
	return Text(n.slots[at] - 1)
}

func (n *Names) find(hash uint64, same func(string) bool) (slot int, found bool) {
	mask := uint64(len(n.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		i := n.slots[at]
		if i == 0 {
			return int(at), false
		}
		if same(n.texts[i-1]) {
			return int(at), true
		}
	}
}

func (n *Names) insert(slot int, s string) Text {
	n.texts = append(n.texts, s)
	n.slots[slot] = uint32(len(n.texts))
	if len(n.texts)*2 > len(n.slots) {
		n.rehash(2 * len(n.slots))
	}
	return Text(len(n.texts) - 1)
}

// rehash makes that many slots, a power of two.
func (n *Names) rehash(slots int) {
	n.slots = make([]uint32, slots)
	mask := uint64(slots - 1)
	for i, s := range n.texts {
		at := maphash.String(n.seed, s) & mask
		for n.slots[at] != 0 {
			at = (at + 1) & mask
		}
		n.slots[at] = uint32(i + 1)
	}
}

// picked holds the texts that have those numbers, numbered anew in that order.
func (n *Names) picked(order []Text) *Names {
	p := &Names{texts: make([]string, len(order)), seed: n.seed}
	for i, t := range order {
		p.texts[i] = n.texts[t]
	}
	slots := 1 << 10
	for slots < 2*len(order) {
		slots *= 2
	}
	p.rehash(slots)
	return p
}
