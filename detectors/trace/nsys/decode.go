package nsys

import "encoding/binary"

// decoder takes the wanted columns out of records.
type decoder struct {
	absent []int64 // by wanted column
	slots  []int   // by column of the record up to the last one wanted: index of the wanted column, or one of the below
	text   bool    // the text column is wanted
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
	d := &decoder{text: text != "", rowid: -1}
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
func (d *decoder) decode(known *layouts, r *record, row []int64) (text []byte, ok bool) {
	length, n := varint(r.buf[r.from:r.to])
	if n == 0 || length < uint64(n) || length > uint64(r.to-r.from) {
		return nil, false
	}
	body := r.from + int(length)
	l := known.of(d, r.buf[r.from+n:], int(length)-n)
	if l == nil || l.size > r.to-body {
		return nil, false
	}
	copy(row, l.values)
	buf := r.buf[body:]
	for _, in := range l.ints {
		row[in.slot] = int64(binary.BigEndian.Uint64(buf[in.at:])) >> in.shift
	}
	if l.numbered {
		row[d.rowid] = r.number
	}
	if l.text.to < 0 {
		return nil, true
	}
	return buf[l.text.from:l.text.to:l.text.to], true
}
