package nsys

import (
	"encoding/binary"
	"sort"
)

// finder finds rows of a table by their number.
type finder struct {
	p        *pages
	d        *decoder
	known    layouts
	root     uint32
	interior map[uint32][]byte
	leafAt   uint32 // page that leaf holds: names that are used together were often written together
	leaf     []byte
	spill    []byte
}

// newFinder returns nil where SQLite must look rows up.
func (db *database) newFinder(t *table, text string) *finder {
	if db.pages == nil {
		return nil
	}
	d := newDecoder(t, nil, text)
	if d == nil {
		return nil
	}
	return &finder{p: db.pages, d: d, root: t.root, interior: map[uint32][]byte{}, leaf: make([]byte, db.pages.size+padding)}
}

// text is the text of a row, nil where there is none. It is good until the next call.
func (f *finder) text(number int64) ([]byte, error) {
	page := f.root
	for range 20 {
		buf, err := f.read(page)
		if err != nil {
			return nil, err
		}
		head := headerAt(page)
		if buf[head] == leafPage {
			return f.search(buf, head, number)
		}
		if page, err = f.child(buf, head, number); err != nil {
			return nil, err
		}
	}
	return nil, errUnusual
}

func (f *finder) read(page uint32) ([]byte, error) {
	if buf, ok := f.interior[page]; ok {
		return buf, nil
	}
	if page == f.leafAt && page != 0 {
		return f.leaf, nil
	}
	f.leafAt = 0
	if err := f.p.read(f.leaf, page, 1); err != nil {
		return nil, err
	}
	if f.leaf[headerAt(page)] == interiorPage {
		f.interior[page] = append([]byte(nil), f.leaf...)
		return f.interior[page], nil
	}
	f.leafAt = page
	return f.leaf, nil
}

// child is the page below an interior page on which a row must be: that of the first cell whose key is not less.
func (f *finder) child(page []byte, head int, number int64) (uint32, error) {
	cells, err := f.p.cells(page, head, interiorPage)
	if err != nil {
		return 0, err
	}
	bad := false
	i := sort.Search(cells, func(i int) bool {
		at := cellAt(page, head+12, i)
		if at+4 > f.p.usable {
			bad = true
			return true
		}
		key, n := varint(page[at+4 : f.p.usable])
		bad = bad || n == 0
		return int64(key) >= number
	})
	switch {
	case bad:
		return 0, errUnusual
	case i == cells:
		return binary.BigEndian.Uint32(page[head+8:]), nil
	}
	return binary.BigEndian.Uint32(page[cellAt(page, head+12, i):]), nil
}

func (f *finder) search(page []byte, head int, number int64) ([]byte, error) {
	cells, err := f.p.cells(page, head, leafPage)
	if err != nil {
		return nil, err
	}
	var bad error
	i := sort.Search(cells, func(i int) bool {
		n, err := f.number(page, cellAt(page, head+8, i))
		if err != nil {
			bad = err
		}
		return n >= number
	})
	if bad != nil || i == cells {
		return nil, bad
	}
	var r record
	if !f.p.record(&r, page, cellAt(page, head+8, i), &f.spill) {
		return nil, errUnusual
	}
	if r.number != number {
		return nil, nil
	}
	text, ok := f.d.decode(&f.known, &r, nil)
	if !ok {
		return nil, errUnusual
	}
	return text, nil
}

// number is that of the row in a cell of a leaf.
func (f *finder) number(page []byte, at int) (int64, error) {
	if at > f.p.usable {
		return 0, errUnusual
	}
	_, n := varint(page[at:f.p.usable])
	v, m := varint(page[at+n : f.p.usable])
	if n == 0 || m == 0 {
		return 0, errUnusual
	}
	return int64(v), nil
}
