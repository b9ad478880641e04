package nsys

import (
	"encoding/binary"
	"errors"
	"os"
)

// errUnusual means that a table is to be read by SQLite itself: it is stored in a way that the page reader does not know, or
// is damaged.
var errUnusual = errors.New("not a plain table")

// padding behind a page lets numbers be loaded eight bytes at a time.
const padding = 8

// pages reads the pages of a database file (https://sqlite.org/fileformat2.html). The big tables of an export are plain
// b-trees of small records, which need no more than this; SQLite's virtual machine takes six times as long for them.
type pages struct {
	f      *os.File
	size   int    // of a page in bytes
	usable int    // of it for content
	count  uint32 // whole pages in the file
}

// openPages returns nil where the file is not one for the page reader.
func openPages(path string, size int64) *pages {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	head := make([]byte, 100)
	if _, err := f.ReadAt(head, 0); err != nil {
		f.Close()
		return nil
	}
	p := &pages{f: f, size: pageSize(head)}
	p.usable = p.size - int(head[20])
	const utf8 = 1
	encoding := binary.BigEndian.Uint32(head[56:])
	if p.size < 512 || p.size > 1<<16 || p.size&(p.size-1) != 0 || p.usable < 480 || encoding != utf8 || head[19] > 2 {
		f.Close()
		return nil
	}
	p.count = uint32(min(size/int64(p.size), 1<<32-2))
	return p
}

func pageSize(head []byte) int {
	if n := int(binary.BigEndian.Uint16(head[16:])); n != 1 {
		return n
	}
	return 1 << 16
}

// read reads n pages from page on into buf.
func (p *pages) read(buf []byte, page uint32, n int) error {
	if page == 0 || uint64(page)+uint64(n)-1 > uint64(p.count) {
		return errUnusual
	}
	_, err := p.f.ReadAt(buf[:n*p.size], int64(page-1)*int64(p.size))
	if err != nil {
		return errUnusual
	}
	return nil
}

// The kinds of page of a table's tree.
const (
	interiorPage byte = 5
	leafPage     byte = 13
)

// leaves lists the leaf pages of a table in the order of its rows.
func (p *pages) leaves(root uint32) ([]uint32, error) {
	var list []uint32
	seen := uint32(0)
	var walk func(page uint32, depth int) error
	walk = func(page uint32, depth int) error {
		// SQLite's own trees are no deeper than 20 pages, and no page is in a tree twice.
		if seen++; depth > 20 || seen > p.count {
			return errUnusual
		}
		buf := make([]byte, p.size)
		if err := p.read(buf, page, 1); err != nil {
			return err
		}
		head := buf[headerAt(page):]
		switch head[0] {
		case leafPage:
			list = append(list, page)
			return nil
		case interiorPage:
		default:
			return errUnusual
		}
		children, err := p.children(buf, page)
		if err != nil {
			return err
		}
		if leaf, err := p.isLeaf(children[0]); err != nil {
			return err
		} else if leaf { // all children of a page are of one kind: spare a look at each
			if seen += uint32(len(children)); seen > p.count {
				return errUnusual
			}
			list = append(list, children...)
			return nil
		}
		for _, child := range children {
			if err := walk(child, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	if root == 0 || root > p.count {
		return nil, errUnusual
	}
	return list, walk(root, 0)
}

func (p *pages) isLeaf(page uint32) (bool, error) {
	var kind [1]byte
	if page < 2 || page > p.count {
		return false, errUnusual
	}
	if _, err := p.f.ReadAt(kind[:], int64(page-1)*int64(p.size)); err != nil {
		return false, errUnusual
	}
	return kind[0] == leafPage, nil
}

// children lists what an interior page points to.
func (p *pages) children(buf []byte, page uint32) ([]uint32, error) {
	head := headerAt(page)
	cells, err := p.cells(buf, head, interiorPage)
	if err != nil {
		return nil, err
	}
	children := make([]uint32, 0, cells+1)
	for i := range cells {
		at := cellAt(buf, head+12, i)
		if at+4 > p.usable {
			return nil, errUnusual
		}
		children = append(children, binary.BigEndian.Uint32(buf[at:]))
	}
	return append(children, binary.BigEndian.Uint32(buf[head+8:])), nil
}

// cells is the number of cells of a page, which must be of that kind.
func (p *pages) cells(page []byte, head int, kind byte) (int, error) {
	cells := int(binary.BigEndian.Uint16(page[head+3:]))
	pointers := head + 8
	if kind == interiorPage {
		pointers += 4 // the last child
	}
	if page[head] != kind || pointers+2*cells > p.usable {
		return 0, errUnusual
	}
	return cells, nil
}

// cellAt is where a cell starts, by the list of pointers to cells.
func cellAt(page []byte, pointers, i int) int {
	return int(binary.BigEndian.Uint16(page[pointers+2*i:]))
}

// headerAt is where the header of a page starts: the first page begins with that of the file.
func headerAt(page uint32) int {
	if page == 1 {
		return 100
	}
	return 0
}
