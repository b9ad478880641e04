package kineto

import (
	"bytes"
	"io"
)

// window is the part of the file that is in memory: buf[pos:n] has not been read yet, and zero bytes follow.
type window struct {
	src  io.Reader
	size int // how much is read at a time
	buf  []byte
	pos  int
	n    int
	base int64 // where buf starts in the text of the file
	line int   // line breaks before buf
	eof  bool
	err  error // what ended the reading, if not the end of the file
}

// windowSize is read at a time: two of them fit the cache of a core.
const windowSize = 1 << 19

// newWindow holds nothing yet.
func newWindow(src io.Reader, size int) *window {
	return &window{src: src, size: size, buf: make([]byte, padding)}
}

// fill drops what was read and reads on; what has not been read keeps its place at the front. It grows when all of it is
// still needed. False at the end of the file.
func (w *window) fill() bool {
	if w.eof {
		return false
	}
	if w.pos > 0 {
		w.line += bytes.Count(w.buf[:w.pos], []byte{'\n'})
		w.base += int64(w.pos)
		w.n = copy(w.buf, w.buf[w.pos:w.n])
		w.pos = 0
	}
	if room := len(w.buf) - padding; w.n >= room/2 {
		bigger := make([]byte, max(w.size, 2*room)+padding)
		copy(bigger, w.buf[:w.n])
		w.buf = bigger
	}
	room := len(w.buf) - padding
	for w.n < room && !w.eof {
		k, err := w.src.Read(w.buf[w.n:room])
		w.n += k
		if err != nil {
			if w.eof = true; err != io.EOF {
				w.err = err
			}
		}
	}
	clear(w.buf[w.n : w.n+padding])
	return true
}

// push drops what was read and appends text.
func (w *window) push(text []byte) {
	left := w.n - w.pos
	to := w.buf
	if need := left + len(text) + padding; len(to) < need {
		to = make([]byte, 2*need)
	}
	copy(to, w.buf[w.pos:w.n])
	w.buf, w.base, w.pos = to, w.base+int64(w.pos), 0
	w.n = left + copy(w.buf[left:], text)
	clear(w.buf[w.n : w.n+padding])
}

// space moves to the next byte that is no white space, and is false at the end of the file.
func (w *window) space() bool {
	for {
		if w.pos = space(w.buf, w.pos); w.pos < w.n {
			return true
		}
		w.pos = w.n
		if !w.fill() {
			return false
		}
	}
}

// here is the place of the next byte.
func (w *window) here() int64 { return w.base + int64(w.pos) }

// lineHere is the line of the next byte, from 1.
func (w *window) lineHere() int { return w.line + bytes.Count(w.buf[:w.pos], []byte{'\n'}) + 1 }
