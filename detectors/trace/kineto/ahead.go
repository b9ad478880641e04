package kineto

import "io"

// ahead reads from another reader on a goroutine of its own, a few buffers ahead of who reads from it: inflating takes a core
// as long as scanning does, and neither shall wait for the other.
type ahead struct {
	full chan filled
	free chan []byte
	quit chan struct{}
	now  filled
	text []byte // of now, what has not been read
}

// filled is what one buffer has got.
type filled struct {
	buf     []byte
	n       int
	err     error // what ended the reading behind it
	mistake any   // what the reader panicked with
}

const (
	aheadBuffers = 4
	aheadSize    = 256 << 10 // all of them fit the cache that cores share
)

func readAhead(src io.Reader) *ahead {
	a := &ahead{full: make(chan filled, aheadBuffers), free: make(chan []byte, aheadBuffers), quit: make(chan struct{})}
	for range aheadBuffers {
		a.free <- make([]byte, aheadSize)
	}
	go a.run(src)
	return a
}

func (a *ahead) run(src io.Reader) {
	defer close(a.full)
	for {
		select {
		case <-a.quit:
			return
		case buf := <-a.free:
			f := fill(src, buf)
			a.full <- f // there is room for all buffers
			if f.err != nil || f.mistake != nil {
				return
			}
		}
	}
}

func fill(src io.Reader, buf []byte) (f filled) {
	defer func() { f.mistake = recover() }()
	f.buf = buf
	for f.n < len(buf) && f.err == nil {
		var n int
		n, f.err = src.Read(buf[f.n:])
		f.n += n
	}
	return f
}

// Read panics where the other reader did.
func (a *ahead) Read(p []byte) (int, error) {
	for len(a.text) == 0 {
		if a.now.mistake != nil {
			panic(a.now.mistake)
		}
		if a.now.err != nil {
			return 0, a.now.err
		}
		if a.now.buf != nil {
			a.free <- a.now.buf
		}
		a.now = <-a.full
		a.text = a.now.buf[:a.now.n]
	}
	n := copy(p, a.text)
	a.text = a.text[n:]
	return n, nil
}

// stop returns when nothing is read any more.
func (a *ahead) stop() {
	close(a.quit)
	for range a.full {
	}
}
