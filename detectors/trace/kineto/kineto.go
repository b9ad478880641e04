// Package kineto reads the Chrome traces that PyTorch's profiler writes.
//
// No library is used for the events: they are most of the file, many files of the field are not quite JSON, and of a file
// that was cut all whole events count. What stands beside them, a few kilobytes, goes through encoding/json.
package kineto

import (
	"cmp"
	"fmt"
	"io"
	"runtime"

	"perflint/detectors/trace"
)

// Options of Read; the zero value is good.
type Options struct {
	Progress func(bytesRead int64) // told how much of src was read, as src counts; may be called from another goroutine
	Workers  int                   // how many cores scan, 0: all

	window int // bytes read at a time, 0: windowSize
}

// Read reads a whole trace, plain or gzip, as its first bytes tell. A file that is no Kineto trace is a *NotTrace, which is
// an ErrNotTrace; what is wrong with a trace, from NaN to a missing tail, is in the notes of the result.
func Read(src io.Reader, opt Options) (*trace.Trace, error) {
	text, zip, err := openText(&counted{Reader: src, progress: opt.Progress})
	if err != nil {
		return nil, fmt.Errorf("read trace: %w", err)
	}
	d := &document{w: newWindow(text, cmp.Or(opt.window, windowSize)), root: trace.NewBuilder("kineto"), keys: map[string]bool{},
		packed: zip != nil, workers: opt.Workers}
	if d.workers <= 0 {
		d.workers = runtime.GOMAXPROCS(0)
	}
	d.s = newScanner(d.root)
	err = d.walk()
	if d.w.err != nil {
		return nil, fmt.Errorf("read trace: %w", d.w.err)
	}
	if err == nil {
		err = d.refusal()
	}
	if err != nil {
		return nil, err
	}
	d.finish(zip)
	return d.root.Build(), nil
}

// events reads the list of events that starts at the window's position.
func (d *document) events() {
	if d.w.eof || d.workers == 1 {
		d.inSequence()
	} else {
		d.inParallel(d.workers)
	}
}

// inSequence reads the events on one core.
func (d *document) inSequence() {
	w, s := d.w, d.s
	s.comma, s.lost = true, false
	for {
		s.b, s.end, s.base, s.final = w.buf, w.n, w.base, w.eof
		var st state
		if w.pos, st = s.run(w.pos); st == ended {
			w.pos++
			break
		}
		if w.eof {
			d.cutHere("in the middle of its events")
			break
		}
		w.fill()
	}
	d.total.add(&s.tally)
	s.tally = tally{}
}
