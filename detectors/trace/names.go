package trace

import "hash/maphash"

// Text is an interned string of a trace. The zero Text is the empty string.
type Text uint32

// Names holds each distinct string of a trace once.
type Names struct {
	texts []string
	slots []slot // open addressing; length a power of two
}

// slot is a place of the hash table. With the hash, strings that differ are told apart without a look at them.
type slot struct {
	hash uint32
	text uint32 // the Text that stands here plus one, 0 free
}

// seed is that of all tables, so that what is known of a string in one holds in another.
var seed = maphash.MakeSeed()

func short(hash uint64) uint32 { return uint32(hash ^ hash>>32) }

// NewNames holds only the empty string.
func NewNames() *Names {
	n := &Names{}
	n.Intern("")
	return n
}

// String is the string that t stands for.
func (n *Names) String(t Text) string { return n.texts[t] }

// Len is the number of distinct strings; every Text is below it.
func (n *Names) Len() int { return len(n.texts) }

// Intern returns the Text of s, adding it when it is new.
func (n *Names) Intern(s string) Text { return n.intern(s, short(maphash.String(seed, s))) }

func (n *Names) intern(s string, hash uint32) Text {
	n.room()
	mask := uint32(len(n.slots) - 1)
	at := hash & mask
	for ; n.slots[at].text != 0; at = (at + 1) & mask {
		if k := n.slots[at]; k.hash == hash && n.texts[k.text-1] == s {
			return Text(k.text - 1)
		}
	}
	return n.insert(hash, at, s)
}

// InternBytes is Intern without a copy for strings that are known already.
func (n *Names) InternBytes(b []byte) Text {
	n.room()
	hash := short(maphash.Bytes(seed, b))
	mask := uint32(len(n.slots) - 1)
	at := hash & mask
	for ; n.slots[at].text != 0; at = (at + 1) & mask {
		if k := n.slots[at]; k.hash == hash && n.texts[k.text-1] == string(b) {
			return Text(k.text - 1)
		}
	}
	return n.insert(hash, at, string(b))
}

// insert adds a string of that hash at a place that is free.
func (n *Names) insert(hash, at uint32, s string) Text {
	n.texts = append(n.texts, s)
	n.slots[at] = slot{hash, uint32(len(n.texts))}
	return Text(len(n.texts) - 1)
}

// room makes sure that half of the slots are free.
func (n *Names) room() {
	if len(n.texts)*2 < len(n.slots) {
		return
	}
	old := n.slots
	n.slots = make([]slot, max(1<<10, 2*len(old)))
	for _, k := range old {
		if k.text != 0 {
			n.settle(k)
		}
	}
}

// settle finds a place for a slot.
func (n *Names) settle(k slot) {
	mask := uint32(len(n.slots) - 1)
	at := k.hash & mask
	for n.slots[at].text != 0 {
		at = (at + 1) & mask
	}
	n.slots[at] = k
}

// adopt adds the strings of other, and returns what they are called here, by what they are called there.
func (n *Names) adopt(other *Names) []Text {
	now := make([]Text, other.Len())
	for _, k := range other.slots {
		if k.text != 0 {
			now[k.text-1] = n.intern(other.texts[k.text-1], k.hash)
		}
	}
	return now
}

// picked holds the texts that have those numbers, numbered anew in that order.
func (n *Names) picked(order []Text) *Names {
	hashes := make([]uint32, n.Len())
	for _, k := range n.slots {
		if k.text != 0 {
			hashes[k.text-1] = k.hash
		}
	}
	p := &Names{texts: make([]string, len(order))}
	size := 1 << 10
	for size <= 2*len(order) {
		size *= 2
	}
	p.slots = make([]slot, size)
	for i, t := range order {
		p.texts[i] = n.texts[t]
		p.settle(slot{hashes[t], uint32(i) + 1})
	}
	return p
}
