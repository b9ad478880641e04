package kineto

import (
	"bytes"
	"io"
	"sync"
)

// block is a stretch of the list of events, cut where an event seems to start.
type block struct {
	buf  []byte // text and padding
	n    int
	base int64 // where it stands in the file
	cut  bool  // it ends where an event seems to start, or with the file
	result
	done chan struct{} // receives once the block has been scanned
	home chan *block   // takes it back once it has been joined
}

// newBlocks are n blocks to fill. Their number bounds how far any part of the reading is ahead of another.
func newBlocks(n int) chan *block {
	free := make(chan *block, n)
	for range n {
		free <- &block{done: make(chan struct{}, 1), home: free}
	}
	return free
}

// feeder cuts what is left of the list of events into blocks.
type feeder struct {
	sync.Mutex
	w       *window     // what comes first
	size    int         // of a block
	carry   []byte      // text behind the last cut
	next    int64       // where the next block starts in the file
	ordered chan *block // the blocks that were filled, in the order of the file
	over    bool        // nothing is read any more
	caught  any         // what a goroutine panicked with
}

// newFeeder feeds blocks of which there are at most so many.
func newFeeder(w *window, blocks int) *feeder {
	f := &feeder{w: w, size: w.size, next: w.here(), ordered: make(chan *block, blocks)}
	f.carry = append(f.carry, w.buf[w.pos:w.n]...)
	return f
}

// take fills a block with what follows in the file; false when nothing is left.
func (f *feeder) take(b *block) bool {
	f.Lock()
	defer f.Unlock()
	if f.over {
		return false
	}
	if f.fill(b); b.n > 0 {
		f.ordered <- b
	}
	if f.w.eof && len(f.carry) == 0 {
		f.end()
	}
	return b.n > 0
}

// stop ends the reading.
func (f *feeder) stop() {
	f.Lock()
	defer f.Unlock()
	if !f.over {
		f.end()
	}
}

// catch keeps what a goroutine panicked with, if it did, for those who can be told, and lets go who waits for its block.
func (f *feeder) catch(mistake any, b *block) {
	if mistake == nil {
		return
	}
	f.Lock()
	defer f.Unlock()
	f.caught = mistake
	if !f.over {
		f.end()
	}
	b.done <- struct{}{}
}

// check panics where a goroutine has.
func (f *feeder) check() {
	f.Lock()
	defer f.Unlock()
	if f.caught != nil {
		panic(f.caught)
	}
}

func (f *feeder) end() {
	f.over = true
	close(f.ordered)
}

// fill reads a block up to the last place in it where an event seems to start. What follows begins the next one.
func (f *feeder) fill(b *block) {
	b.base, b.n = f.next, 0
	size := f.size
	if len(f.carry) > size/2 {
		size = 2 * len(f.carry)
	}
	if len(b.buf) < size+padding {
		b.buf = make([]byte, size+padding)
	}
	b.n = copy(b.buf, f.carry)
	f.carry = f.carry[:0]
	for b.n < size && !f.w.eof {
		k, err := f.w.src.Read(b.buf[b.n:size])
		b.n += k
		if err != nil {
			if f.w.eof = true; err != io.EOF {
				f.w.err = err
			}
		}
	}
	if b.cut = f.w.eof; !b.cut {
		if at := lastCut(b.buf, b.n); at > 0 {
			f.carry = append(f.carry, b.buf[at:b.n]...)
			b.n, b.cut = at, true
		}
	}
	clear(b.buf[b.n : b.n+padding])
	f.next += int64(b.n)
}

// lastCut is the last place where an event seems to start: a brace behind a brace and a comma, and a key of events in it,
// which cannot lie inside a string of valid JSON. That an event starts there is proved when the text before it has been
// read. 0 when there is none near the end.
func lastCut(b []byte, end int) int {
	for at := end; at > end/2; {
		at = bytes.LastIndexByte(b[:at], '{')
		if at < 0 {
			return 0
		}
		before := at - 1
		for before >= 0 && (b[before] == ' ' || b[before] == '\n' || b[before] == '\r' || b[before] == '\t') {
			before--
		}
		if before < 1 || b[before] != ',' || !startsEvent(b, at, end) {
			continue
		}
		for before--; before >= 0 && (b[before] == ' ' || b[before] == '\n' || b[before] == '\r' || b[before] == '\t'); {
			before--
		}
		if before >= 0 && b[before] == '}' {
			return at
		}
	}
	return 0
}
