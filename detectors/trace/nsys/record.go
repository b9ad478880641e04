package nsys

import "encoding/binary"

// varint reads a number of SQLite's variable length; n is 0 where b ends within it.
func varint(b []byte) (v uint64, n int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	return longVarint(b)
}

func longVarint(b []byte) (v uint64, n int) {
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

// record reads the cell of a leaf page at that offset into r; what goes on on pages of its own is put together in spill. It
// returns false for a cell that is not as it should be.
func (p *pages) record(r *record, page []byte, at int, spill *[]byte) bool {
	if at > p.usable {
		return false
	}
	size, n := varint(page[at:p.usable])
	number, m := varint(page[at+n : p.usable])
	if n == 0 || m == 0 {
		return false
	}
	r.number, r.buf, r.from = int64(number), page, at+n+m
	if size > uint64(p.usable-35) {
		if !p.overflow(spill, page, r.from, size) {
			return false
		}
		r.buf, r.from = *spill, 0
		r.to = int(size)
		return true
	}
	r.to = r.from + int(size)
	return r.to <= p.usable
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
