package nsys

import (
	"runtime"
	"slices"
)

// chunkBytes is about how much is read and decoded at once: little enough to stay in the cache of a core.
const chunkBytes = 128 << 10

// batch is the rows of some leaf pages that follow each other.
type batch struct {
	rows        int
	first, last int64   // numbers of the first and the last row
	ints        []int64 // row after row
	texts       []byte  // one after the other
	ends        []int   // of each row's text in texts, -1 for NULL; empty where no text is wanted
	err         error   // what keeps the rows behind these from being read

	pages, spill []byte
}

// scan calls each like database.scan, but for rows that it cannot be sure of: errUnusual says that SQLite must go on behind
// the row number last, the last one delivered.
func (p *pages) scan(t *table, columns []column, text string, each func(ints []int64, text []byte)) (rows, last int64, err error) {
	last = -1 << 63
	d := newDecoder(t, columns, text)
	if d == nil {
		return 0, last, errUnusual
	}
	leaves, err := p.leaves(t.root)
	if err != nil {
		return 0, last, err
	}
	next, stop := p.decodeAll(d, leaves)
	defer stop()
	for {
		b := next()
		if b == nil {
			return rows, last, nil
		}
		if b.rows > 0 {
			if rows > 0 && b.first <= last {
				return rows, last, errUnusual
			}
			b.deliver(len(columns), each)
			rows, last = rows+int64(b.rows), b.last
		}
		if b.err != nil {
			return rows, last, b.err
		}
	}
}

func (b *batch) deliver(columns int, each func([]int64, []byte)) {
	from := 0
	for i := range b.rows {
		var text []byte
		if len(b.ends) > 0 && b.ends[i] >= 0 {
			text, from = b.texts[from:b.ends[i]:b.ends[i]], b.ends[i]
		}
		each(b.ints[i*columns:(i+1)*columns:(i+1)*columns], text)
	}
}

// decodeAll decodes the leaves, on other cores where there are any. next returns the batches in their order, nil behind the
// last; a batch is good until the call after the next. stop ends the work.
func (p *pages) decodeAll(d *decoder, leaves []uint32) (next func() *batch, stop func()) {
	per := max(1, chunkBytes/p.size)
	chunks := (len(leaves) + per - 1) / per
	fill := func(b *batch, known *layouts, k int) { p.fill(b, d, known, leaves[k*per:min(len(leaves), (k+1)*per)]) }

	workers := min(runtime.GOMAXPROCS(0)-1, 3, chunks)
	if workers < 1 {
		b, known, k := &batch{}, &layouts{}, 0
		return func() *batch {
			if k == chunks {
				return nil
			}
			k++
			fill(b, known, k-1)
			return b
		}, func() {}
	}

	const ahead = 3 // batches of a worker: being filled, waiting, being read
	full, free := make([]chan *batch, workers), make([]chan *batch, workers)
	done := make(chan struct{})
	for w := range workers {
		full[w], free[w] = make(chan *batch, ahead), make(chan *batch, ahead)
		for range ahead {
			free[w] <- &batch{}
		}
		go func() {
			known := &layouts{}
			for k := w; k < chunks; k += workers {
				select {
				case b := <-free[w]:
					fill(b, known, k)
					full[w] <- b
				case <-done:
					return
				}
			}
		}()
	}
	k := -1
	var current *batch
	return func() *batch {
		if current != nil {
			free[k%workers] <- current
			current = nil
		}
		if k++; k < chunks {
			current = <-full[k%workers]
		}
		return current
	}, func() { close(done) }
}

// fill reads and decodes leaf pages up to the first thing that is not as it should be.
func (p *pages) fill(b *batch, d *decoder, known *layouts, leaves []uint32) {
	b.rows, b.err, b.ints, b.texts, b.ends = 0, nil, b.ints[:0], b.texts[:0], b.ends[:0]
	if b.pages == nil {
		b.pages = make([]byte, max(chunkBytes, p.size)+padding)
		b.texts = []byte{} // so that an empty text is no NULL
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
	width := len(d.absent)
	b.ints = slices.Grow(b.ints, cells*width)
	var r record
	for i := range cells {
		if !p.record(&r, page, cellAt(page, head+8, i), &b.spill) || b.rows > 0 && r.number <= b.last {
			return errUnusual
		}
		n := len(b.ints)
		text, ok := d.decode(known, &r, b.ints[n:n+width])
		if !ok {
			return errUnusual
		}
		b.ints = b.ints[:n+width]
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

func (b *batch) addText(text []byte) {
	if text == nil {
		b.ends = append(b.ends, -1)
		return
	}
	b.texts = append(b.texts, text...)
	b.ends = append(b.ends, len(b.texts))
}
