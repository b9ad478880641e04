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

// record is buf[from:to], followed by padding, and the number of its row.
type record struct {
	number   int64
	buf      []byte
	from, to int
}

// record reads the cell of a leaf page at that offset; what goes on on pages of its own is put together in spill.
func (p *pages) record(page []byte, at int, spill *[]byte) (record, error) {
	if at > p.usable {
		return record{}, errUnusual
	}
	size, n := varint(page[at:p.usable])
	number, m := varint(page[at+n : p.usable])
	if n == 0 || m == 0 {
		return record{}, errUnusual
	}
	r := record{number: int64(number), buf: page, from: at + n + m}
	if size > uint64(p.usable-35) {
		if !p.overflow(spill, page, r.from, size) {
			return record{}, errUnusual
		}
		r.buf, r.from = *spill, 0
	}
	if r.to = r.from + int(size); r.to+padding > len(r.buf) || size <= uint64(p.usable-35) && r.to > p.usable {
		return record{}, errUnusual
	}
	return r, nil
}

// overflow puts a record of which only the first part is on its page into spill.
func (p *pages) overflow(spill *[]byte, page []byte, from int, size uint64) bool {
	if size > uint64(p.count)*uint64(p.usable) {
		return false
	}
	least := (p.usable-12)*32/255 - 23
	local := least + (int(size)-least)%(p.usable-4)
	if local > p.usable-35 {
		local = least
	}
	if from+local+4 > p.usable {
		return false
	}
	whole := append((*spill)[:0], page[from:from+local]...)
	next := binary.BigEndian.Uint32(page[from+local:])
	buf := make([]byte, p.size)
	for len(whole) < int(size) {
		if p.read(buf, next, 1) != nil {
			return false
		}
		next = binary.BigEndian.Uint32(buf)
		whole = append(whole, buf[4:min(p.usable, 4+int(size)-len(whole))]...)
	}
	*spill = append(whole, make([]byte, padding)...)
	return true
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

// decode fills row from a record. text is a part of it, nil for NULL; ok is false for what only SQLite itself converts as
// SQLite does.
func (d *decoder) decode(r record, row []int64) (text []byte, ok bool) {
	buf, at, end := r.buf, r.from, r.to
	copy(row, d.absent)
	if d.rowid >= 0 {
		row[d.rowid] = r.number
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
