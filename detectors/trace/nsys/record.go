package nsys

import "encoding/binary"

// varint reads a number of SQLite's variable length; n is 0 where b ends within it.
func varint(b []byte) (v uint64, n int) {
	for i := 0; i < 8; i++ {
		if i >= len(b) {
			return 0, 0
		}
		v = v<<7 | uint64(b[i]&0x7F)
		if b[i] < 0x80 {
			return v, i + 1
		}
	}
	if len(b) < 9 {
		return 0, 0
	}
	return v<<8 | uint64(b[8]), 9
}

// intBytes is the length of integers by their type in a record; loaded eight bytes at a time, intShift is what is too much.
var (
	intBytes = [12]int{0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0}
	intShift = [7]uint{0, 56, 48, 40, 32, 16, 0}
)

// decoder takes the wanted columns out of records.
type decoder struct {
	absent []int64 // by wanted column
	slots  []int   // by column of the record up to the last one wanted: index of the wanted column, or one of the below
	rowid  int     // wanted column that is the row's number, -1 none
}

const (
	slotNone = -1
	slotText = -2
)

// newDecoder returns nil where the table's records are not all there is to its rows.
func newDecoder(t *table, columns []column, text string) *decoder {
	if !t.plain {
		return nil
	}
	d := &decoder{rowid: -1}
	place := func(name string, slot int) bool {
		i := t.index(name)
		if i < 0 {
			return true
		}
		if t.defaults[i] {
			return false
		}
		for len(d.slots) <= i {
			d.slots = append(d.slots, slotNone)
		}
		if d.slots[i] != slotNone {
			return false
		}
		d.slots[i] = slot
		return true
	}
	for slot, c := range columns {
		d.absent = append(d.absent, c.absent)
		if !place(c.name, slot) {
			return nil
		}
		if t.rowid != "" && t.index(c.name) == t.index(t.rowid) {
			d.rowid = slot
		}
	}
	if text != "" && !place(text, slotText) {
		return nil
	}
	return d
}

// decode fills row from the record buf[at:end]. padding bytes must follow end. text is a part of buf, nil for NULL; ok is
// false for what only SQLite itself converts as SQLite does.
func (d *decoder) decode(buf []byte, at, end int, rowid int64, row []int64) (text []byte, ok bool) {
	copy(row, d.absent)
	if d.rowid >= 0 {
		row[d.rowid] = rowid
	}
	length, n := varint(buf[at:end])
	if n == 0 || length < uint64(n) || length > uint64(end-at) {
		return nil, false
	}
	body := at + int(length)
	head := buf[at+n : body]
	for _, slot := range d.slots {
		if len(head) == 0 {
			break // columns that were added to the table later
		}
		kind := uint64(head[0])
		if kind < 0x80 {
			head = head[1:]
		} else {
			if kind, n = varint(head); n == 0 {
				return nil, false
			}
			head = head[n:]
		}
		if kind < 12 {
			size := intBytes[kind]
			if size > end-body {
				return nil, false
			}
			if slot != slotNone && kind != 0 {
				switch {
				case slot == slotText || kind == 7 || kind > 9:
					return nil, false
				case kind >= 8:
					row[slot] = int64(kind - 8)
				default:
					row[slot] = int64(binary.BigEndian.Uint64(buf[body:])) >> intShift[kind]
				}
			}
			body += size
			continue
		}
		size := (kind - 12) / 2
		if size > uint64(end-body) || slot >= 0 {
			return nil, false
		}
		if slot == slotText {
			text = buf[body : body+int(size) : body+int(size)]
		}
		body += int(size)
	}
	return text, true
}
