package trace

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// wideIDs gives correlation ids codes of four bytes. Ids are counted up from one, so that nearly all are their own code; those
// that four bytes do not hold are kept, in the order of their codes: -2, -3, …
type wideIDs struct {
	ids   []int64
	codes map[int64]int32
}

// code is that of an id, -1 for none.
func (w *wideIDs) code(id int64) int32 {
	if code, ok := narrowCode(id); ok {
		return code
	}
	code, ok := w.codes[id]
	if !ok {
		if w.codes == nil {
			w.codes = map[int64]int32{}
		}
		code = int32(-2 - len(w.ids))
		w.ids = append(w.ids, id)
		w.codes[id] = code
	}
	return code
}

// narrowCode is the code of an id that four bytes hold.
func narrowCode(id int64) (code int32, ok bool) { return int32(max(id, -1)), id <= math.MaxInt32 }

// corrPage is the number of codes that a page of a corrTable stands for. Programs leave out calls and tools cut stretches of
// time: ids lie close together, with gaps.
const corrPage = 1 << 8

// corrTable is the calls of one process by correlation id: pages for the stretches of ids in use, and where these are few and
// far between a hash table with open addressing.
type corrTable struct {
	low, high int32
	count     int
	pages     []int32 // by (code - low) / corrPage: where the page starts in calls. The first in calls is empty
	calls     []int32 // index of the first call plus one, by page or by hash
	keys      []int32 // of the hash table
	times     uint32  // of the hash: odd, and not for a file to know
	shift     int
}

// widen notes calls that are to come, by their codes.
func (c *corrTable) widen(codes []int32) {
	for _, code := range codes {
		if code == -1 {
			continue
		}
		if c.count++; c.count == 1 {
			c.low, c.high = code, code
		}
		c.low, c.high = min(c.low, code), max(c.high, code)
	}
}

// plan makes the list of pages, unless codes are so far apart that it would be longer than the list of calls.
func (c *corrTable) plan() {
	if n := (int64(c.high)-int64(c.low))/corrPage + 1; n <= int64(c.count)+64 {
		c.pages = make([]int32, n)
	}
}

// mark notes which pages are in use.
func (c *corrTable) mark(codes []int32) {
	if c.pages == nil {
		return
	}
	for _, code := range codes {
		if code != -1 {
			c.pages[uint32(code-c.low)/corrPage] = 1
		}
	}
}

// allocate makes the pages that are in use, or a hash table where that takes less.
func (c *corrTable) allocate() {
	used := 0
	for _, in := range c.pages {
		used += int(in)
	}
	if c.pages == nil || used > 64 && used*corrPage > 8*c.count {
		n := bits.Len(uint(2*c.count - 1))
		c.pages, c.calls, c.keys = nil, make([]int32, 1<<n), make([]int32, 1<<n)
		c.times, c.shift = rand.Uint32()|1, 32-n
		return
	}
	at := int32(0)
	for k, in := range c.pages {
		if in != 0 {
			at += corrPage
			c.pages[k] = at
		}
	}
	c.calls = make([]int32, at+corrPage)
}

// put adds calls, the first of which has the index from. The first call of a code is kept.
func (c *corrTable) put(codes []int32, from int) {
	for i, code := range codes {
		if code == -1 {
			continue
		}
		if at := c.slot(code); c.calls[at] == 0 {
			c.calls[at] = int32(from + i + 1)
			if c.keys != nil {
				c.keys[at] = code
			}
		}
	}
}

// slot is where a code between low and high is, or would be, in calls.
func (c *corrTable) slot(code int32) uint32 {
	if c.keys != nil {
		return c.probe(code)
	}
	i := uint32(code - c.low)
	return uint32(c.pages[i/corrPage]) + i%corrPage
}

func (c *corrTable) probe(code int32) uint32 {
	at := uint32(code) * c.times >> c.shift
	for c.calls[at] != 0 && c.keys[at] != code {
		at = (at + 1) & uint32(len(c.calls)-1)
	}
	return at
}

// get returns -1 where no call has the code.
func (c *corrTable) get(code int32) int32 {
	if c == nil || code < c.low || code > c.high {
		return -1
	}
	return c.calls[c.slot(code)] - 1
}

// callIndex finds the call that starts first of those with a correlation id: a driver call inside its runtime call shares
// it. In Kineto an id is unique in the file and GPU events do not name their process; in Nsight it is unique only inside
// one process.
type callIndex struct {
	whole  bool // ids are unique in the file
	tables map[int64]*corrTable
}

// of is the table of a process, nil where that has no calls.
func (x *callIndex) of(process int64) *corrTable {
	if x.whole {
		process = 0
	}
	return x.tables[process]
}

func (x *callIndex) add(process int64) *corrTable {
	t := x.of(process)
	if t == nil {
		t = &corrTable{}
		if x.whole {
			process = 0
		}
		x.tables[process] = t
	}
	return t
}

// find returns -1 where there is no such call.
func (x *callIndex) find(process int64, code int32) int32 { return x.of(process).get(code) }

// indexCalls makes the index of calls that have those codes.
func (b *Builder) indexCalls(c *Calls, codes []int32) *callIndex {
	x := &callIndex{whole: b.Format == "kineto", tables: map[int64]*corrTable{}}
	byThread := make([]*corrTable, len(b.threads))
	for i, thread := range b.threads {
		byThread[i] = x.add(thread.PID)
	}
	stretches(c.Thread, byThread, func(t *corrTable, from, to int) { t.widen(codes[from:to]) })
	for _, t := range x.tables {
		t.plan()
	}
	stretches(c.Thread, byThread, func(t *corrTable, from, to int) { t.mark(codes[from:to]) })
	for _, t := range x.tables {
		t.allocate()
	}
	stretches(c.Thread, byThread, func(t *corrTable, from, to int) { t.put(codes[from:to], from) })
	return x
}

// stretches calls each for the rows from:to that have one table.
func stretches(threads []int32, byThread []*corrTable, each func(t *corrTable, from, to int)) {
	for from := 0; from < len(threads); {
		t, to := byThread[threads[from]], from+1
		for to < len(threads) && byThread[threads[to]] == t {
			to++
		}
		each(t, from, to)
		from = to
	}
}
