package nsys

import (
	"bytes"
	"encoding/binary"
)

// layout is what the head of a record says: the types of its columns, and with that where they are. Rows of a table have few
// different heads.
type layout struct {
	known    bool
	head     []byte
	size     int     // of the columns up to the last one wanted, in bytes
	values   []int64 // of the wanted columns that take no room in the record, or are not in it
	ints     []intAt
	numbered bool                   // a wanted column is the row's number
	text     struct{ from, to int } // to is -1 for NULL
}

// maxRecord is the most bytes of a record that are worth a layout.
const maxRecord = 1<<30 - 1

// intAt is a wanted integer: that many bytes behind the head are eight, which are to be shifted right.
type intAt struct {
	at, slot int32
	shift    uint8
}

// intBytes is the length of integers by their type in a record; loaded eight bytes at a time, intShift is what is too much.
var (
	intBytes = [12]int{0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0}
	intShift = [7]uint{0, 56, 48, 40, 32, 16, 0}
)

// read works out the layout for a head; it returns false for types that only SQLite itself converts as SQLite does.
func (l *layout) read(d *decoder, head []byte) bool {
	l.size, l.values, l.ints, l.numbered, l.text.to = 0, append(l.values[:0], d.absent...), l.ints[:0], d.rowid >= 0, -1
	for _, slot := range d.slots {
		if len(head) == 0 {
			break // columns that were added to the table later
		}
		kind, n := varint(head)
		if n == 0 {
			return false
		}
		head = head[n:]
		if kind >= 12 {
			size := (kind - 12) / 2
			if slot >= 0 || size > maxRecord {
				return false
			}
			if slot == slotText {
				l.text.from, l.text.to = l.size, l.size+int(size)
			}
			l.size += int(size)
		} else {
			if slot != slotNone && kind != 0 && !l.readInt(d, slot, kind) {
				return false
			}
			l.size += intBytes[kind]
		}
		if l.size > maxRecord {
			return false
		}
	}
	return true
}

func (l *layout) readInt(d *decoder, slot int, kind uint64) bool {
	switch {
	case slot == slotText || kind == 7 || kind > 9:
		return false
	case kind >= 8:
		l.values[slot] = int64(kind - 8)
	default:
		l.ints = append(l.ints, intAt{int32(l.size), int32(slot), uint8(intShift[kind])})
	}
	if slot == d.rowid {
		l.numbered = false
	}
	return true
}

// layouts remembers the layouts of the records read last, by a hash of their heads.
type layouts [1 << layoutBits]layout

const layoutBits = 9

// of returns nil for a record that is for SQLite to read. head may go on behind its size bytes.
func (known *layouts) of(d *decoder, head []byte, size int) *layout {
	hash := uint64(size)
	for i := 0; i < size; i += 8 {
		word := binary.BigEndian.Uint64(head[i:])
		if rest := size - i; rest < 8 {
			word >>= 64 - 8*rest
		}
		hash = (hash ^ word) * 0x9E3779B97F4A7C15
		hash ^= hash >> 32
	}
	l := &known[hash*0x9E3779B97F4A7C15>>(64-layoutBits)]
	if l.known && bytes.Equal(l.head, head[:size]) {
		return l
	}
	l.head = append(l.head[:0], head[:size]...)
	if l.known = l.read(d, l.head); !l.known {
		return nil
	}
	return l
}
