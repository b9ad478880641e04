package kineto

import (
	"bytes"
	"io"

	"perflint/detectors/trace"
)

// result is what scanning a block gave.
type result struct {
	part  trace.Part
	tally tally
	stop  int   // where scanning ended
	state state // why
	clean bool  // all was read without dropping anything, up to the end of the block or of the list
	lines int   // line breaks in the block
}

// inParallel reads the events on several cores. Blocks are scanned in any order; in the order of the file each is then
// proved to start where the one before ended, and joined. A block that does not end with an event was cut inside of one, or
// something in it is broken: from there on the text is read again in sequence, until a block starts where an event does.
func (d *document) inParallel(workers int) {
	j := &joiner{document: d, line: d.w.lineHere() - 1}
	if d.packed {
		j.f = inflateAhead(d.w, workers)
	} else {
		j.f = takeTurns(d.w, workers)
	}
	j.run()
	d.root.Join(j.parts)
}

// takeTurns lets the scanners read a plain file themselves: who fills a block scans it while its core has it in the cache, and
// no core waits while text can be read. While one block waits for those before it, its scanner goes on with the other.
func takeTurns(w *window, workers int) *feeder {
	const each = 2
	f := newFeeder(w, each*workers)
	for range workers {
		go func() {
			var b *block
			defer func() { f.catch(recover(), b) }()
			s, free := newScanner(trace.NewBuilder("kineto")), newBlocks(each)
			for b = <-free; f.take(b); b = <-free {
				s.scan(b)
			}
		}()
	}
	return f
}

// inflateAhead gives one core to the inflating of a packed file, which takes longer than all the rest: it must never wait.
// Blocks go from core to core, so that they are larger.
func inflateAhead(w *window, workers int) *feeder {
	blocks := 2*workers + 2
	f := newFeeder(w, blocks)
	f.size *= 2
	filled := make(chan *block, blocks)
	go func() {
		defer close(filled)
		var b *block
		defer func() { f.catch(recover(), b) }()
		free := newBlocks(blocks)
		for b = <-free; f.take(b); b = <-free {
			filled <- b
		}
	}()
	for range max(1, workers-1) {
		go func() {
			var b *block
			defer func() { f.catch(recover(), b) }()
			s := newScanner(trace.NewBuilder("kineto"))
			for b = range filled {
				s.scan(b)
			}
		}()
	}
	return f
}

func (s *scanner) scan(b *block) {
	b.result = s.block(b)
	b.done <- struct{}{}
}

// block scans one block whose events seem to start at its start.
func (s *scanner) block(b *block) result {
	s.b, s.end, s.base, s.final, s.lost, s.comma = b.buf, b.n, b.base, false, false, true
	s.tally = tally{}
	var r result
	r.stop, r.state = s.run(0)
	r.tally, r.part = s.tally, s.out.Part()
	r.clean = b.cut && s.tally.broken == 0 && !s.lost && (r.state == ended || r.stop == b.n)
	r.lines = bytes.Count(b.buf[:b.n], []byte{'\n'})
	return r
}

// joiner puts the blocks together in the order of the file.
type joiner struct {
	*document
	f     *feeder
	parts []trace.Part
	line  int  // line breaks up to the end of the newest block
	over  bool // the list of events has ended
}

// next waits for the block that follows, scanned; nil at the end of the file.
func (j *joiner) next() *block {
	b, ok := <-j.f.ordered
	if !ok {
		j.f.check()
		return nil
	}
	<-b.done
	j.f.check()
	j.line += b.lines
	return b
}

func (j *joiner) run() {
	for b := j.next(); b != nil; {
		if !b.clean {
			b = j.reread(b)
			continue
		}
		j.parts = append(j.parts, b.part)
		j.total.add(&b.tally)
		if b.state == ended {
			j.resume(b.buf[b.stop+1:b.n], b.base+int64(b.stop)+1)
		}
		b.home <- b
		if j.over {
			return
		}
		b = j.next()
	}
	if !j.over {
		j.resume(nil, j.f.next)
		j.cutHere("in the middle of its events")
	}
}

// reread reads on from the start of b with the document's own scanner, and returns the block whose start is proved to
// be the start of an event thereby; nil when the list of events, or the file, ended before.
func (j *joiner) reread(b *block) *block {
	s, w := j.s, newWindow(nil, 0)
	w.base = b.base
	s.comma, s.lost, s.final = true, false, false
	defer func() {
		j.parts = append(j.parts, s.out.Part())
		j.total.add(&s.tally)
		s.tally = tally{}
	}()
	for {
		if b != nil {
			w.push(b.buf[:b.n])
			b.home <- b
		}
		var st state
		s.b, s.end, s.base = w.buf, w.n, w.base
		if w.pos, st = s.run(w.pos); st == ended {
			j.resume(w.buf[w.pos+1:w.n], w.here()+1)
			return nil
		}
		if s.final {
			return nil
		}
		if b = j.next(); b == nil {
			s.final = true
		} else if b.clean && w.pos == w.n && s.comma && !s.lost {
			return b
		}
	}
}

// resume lets the document read on behind the list of events: what is left of the block, and all that was read ahead.
func (j *joiner) resume(rest []byte, base int64) {
	line := j.line - bytes.Count(rest, []byte{'\n'})
	readers := []io.Reader{bytes.NewReader(bytes.Clone(rest))}
	j.f.stop()
	for b := j.next(); b != nil; b = j.next() {
		readers = append(readers, bytes.NewReader(b.buf[:b.n]))
		b.home <- b // nothing is written into it any more
	}
	readers = append(readers, bytes.NewReader(j.f.carry))
	if !j.w.eof {
		readers = append(readers, j.w.src)
	}
	w := newWindow(io.MultiReader(readers...), j.w.size)
	w.base, w.line, w.err = base, line, j.w.err
	*j.w, j.over = *w, true
}
