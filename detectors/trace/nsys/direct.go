package nsys

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"perflint/detectors/parallel"
)

// chunkBytes is about how much is read and decoded at once: little enough to stay in the cache of a core.
const chunkBytes = 128 << 10

// maxWorkers is how many goroutines decode a table at most.
const maxWorkers = 8

// batch is rows of a table that follow each other.
type batch struct {
	rows, width int     // number of rows, and of integers in each
	least       int64   // the least of the first integers
	ints        []int64 // row after row
	texts       []byte
	spans       [][2]int // of each row's text in texts, the end -1 for NULL; empty where no text is wanted

	first, last int64 // numbers of the first and the last row
	err         error // what keeps the rows behind these from being read
	pages       []byte
	spill       []byte
}

// row is the integers of row i.
func (b *batch) row(i int) []int64 { return b.ints[i*b.width : (i+1)*b.width : (i+1)*b.width] }

// text is the text of row i, nil for NULL.
func (b *batch) text(i int) []byte {
	if len(b.spans) == 0 || b.spans[i][1] < 0 {
		return nil
	}
	from, to := b.spans[i][0], b.spans[i][1]
	return b.texts[from:to:to]
}

func (b *batch) reset() {
	b.rows, b.least, b.err = 0, 1<<63-1, nil
	b.ints, b.texts, b.spans = b.ints[:0], b.texts[:0], b.spans[:0]
	if b.texts == nil {
		b.texts = []byte{} // so that an empty text is no NULL
	}
}

func (b *batch) addText(text []byte) {
	from := len(b.texts)
	b.texts = append(b.texts, text...)
	if text == nil {
		b.spans = append(b.spans, [2]int{from, -1})
	} else {
		b.spans = append(b.spans, [2]int{from, len(b.texts)})
	}
}

// each gets the batches of a table, one at a time and in the order of the file. What it returns, if anything, is called by the
// same worker, while other workers go on with other batches. A batch is good until then.
type each func(worker int, b *batch) (rest func())

// scan calls each like database.scan, but for rows that it cannot be sure of: errUnusual says that SQLite must go on behind
// the row number last, the last one delivered.
func (p *pages) scan(t *table, columns []column, text string, each each) (rows, last int64, err error) {
	s := &scanner{p: p, d: newDecoder(t, columns, text), each: each, last: -1 << 63}
	if s.d == nil {
		return 0, s.last, errUnusual
	}
	if s.leaves, err = p.leaves(t.root); err != nil {
		return 0, s.last, err
	}
	s.run()
	return s.rows, s.last, s.err
}

// scanner decodes the leaf pages of a table, a chunk at a time, on all cores.
type scanner struct {
	p      *pages
	d      *decoder
	leaves []uint32
	each   each
	next   atomic.Int64 // chunk to be decoded
	stop   atomic.Bool  // decode no more

	turn       sync.Mutex // guards what is below
	moved      *sync.Cond
	at         int // chunk to be delivered
	rows, last int64
	err        error
	broken     bool // a worker panicked: the turn of its chunk never comes
}

func (s *scanner) run() {
	s.moved = sync.NewCond(&s.turn)
	var workers parallel.Group
	for w := 1; w < min(runtime.GOMAXPROCS(0), maxWorkers, s.chunks()); w++ {
		workers.Go(func() { s.work(w) })
	}
	s.work(0)
	workers.Wait()
}

func (s *scanner) per() int { return max(1, chunkBytes/s.p.size) }

func (s *scanner) chunks() int { return (len(s.leaves) + s.per() - 1) / s.per() }

func (s *scanner) work(worker int) {
	whole := false
	defer func() {
		if !whole {
			s.giveUp()
		}
	}()
	b, known := &batch{width: len(s.d.absent)}, &layouts{}
	for {
		k := int(s.next.Add(1)) - 1
		if k >= s.chunks() {
			whole = true
			return
		}
		if b.reset(); !s.stop.Load() {
			s.p.fill(b, s.d, known, s.leaves[k*s.per():min(len(s.leaves), (k+1)*s.per())])
		}
		if rest := s.deliver(worker, k, b); rest != nil {
			rest()
		}
	}
}

// giveUp lets the others go who wait for the turn of a chunk that will never have one.
func (s *scanner) giveUp() {
	s.turn.Lock()
	defer s.turn.Unlock()
	s.broken = true
	s.stop.Store(true)
	s.moved.Broadcast()
}

// deliver waits for the turn of chunk k.
func (s *scanner) deliver(worker, k int, b *batch) (rest func()) {
	s.turn.Lock()
	defer s.turn.Unlock()
	for s.at != k && !s.broken {
		s.moved.Wait()
	}
	if s.broken {
		return nil
	}
	if s.err == nil && b.rows > 0 {
		if s.rows > 0 && b.first <= s.last {
			b.err = errUnusual
		} else {
			s.rows, s.last = s.rows+int64(b.rows), b.last
			rest = s.each(worker, b)
		}
	}
	if s.err == nil && b.err != nil {
		s.err = b.err
		s.stop.Store(true)
	}
	s.at++
	s.moved.Broadcast()
	return rest
}

// fill reads and decodes leaf pages up to the first thing that is not as it should be.
func (p *pages) fill(b *batch, d *decoder, known *layouts, leaves []uint32) {
	if b.pages == nil {
		b.pages = make([]byte, max(chunkBytes, p.size)+padding)
	}
	for i := 0; i < len(leaves) && b.err == nil; {
		n := 1
		for i+n < len(leaves) && leaves[i+n] == leaves[i]+uint32(n) {
			n++
		}
		if b.err = p.read(b.pages, leaves[i], n); b.err != nil {
			return
		}
		for k := 0; k < n && b.err == nil; k++ {
			b.err = p.leaf(b, d, known, b.pages[k*p.size:(k+1)*p.size+padding], headerAt(leaves[i+k]))
		}
		i += n
	}
}

// leaf decodes the cells of one page.
func (p *pages) leaf(b *batch, d *decoder, known *layouts, page []byte, head int) error {
	cells, err := p.cells(page, head, leafPage)
	if err != nil {
		return err
	}
	b.ints = slices.Grow(b.ints, cells*b.width)
	var r record
	for i := range cells {
		if !p.record(&r, page, cellAt(page, head+8, i), &b.spill) || b.rows > 0 && r.number <= b.last {
			return errUnusual
		}
		n := len(b.ints)
		row := b.ints[n : n+b.width]
		text, ok := d.decode(known, &r, row)
		if !ok {
			return errUnusual
		}
		b.ints = b.ints[:n+b.width]
		b.least = min(b.least, row[0])
		if d.text {
			b.addText(text)
		}
		if b.rows++; b.rows == 1 {
			b.first = r.number
		}
		b.last = r.number
	}
	return nil
}
