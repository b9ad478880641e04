package kineto

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"
)

func TestReadingAheadGivesTheSameBytes(t *testing.T) {
	text := make([]byte, 3*aheadSize+17)
	for i := range text {
		text[i] = byte(rand.Uint32())
	}
	broken := errors.New("broken")
	for _, n := range []int{0, 1, aheadSize - 1, aheadSize, aheadSize + 1, len(text)} {
		for _, end := range []error{nil, broken} {
			src := io.Reader(bytes.NewReader(text[:n]))
			if end != nil {
				src = io.MultiReader(src, iotest.ErrReader(end))
			}
			for _, how := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.HalfReader, iotest.DataErrReader} {
				a := readAhead(how(src))
				got, err := io.ReadAll(a)
				if !bytes.Equal(got, text[:n]) || err != end {
					t.Errorf("%d bytes, then %v: got %d, then %v", n, end, len(got), err)
				}
				if _, err := a.Read(make([]byte, 1)); end == nil && err != io.EOF || end != nil && err != end {
					t.Errorf("behind the end: %v", err)
				}
				a.stop()
				src = io.MultiReader(bytes.NewReader(text[:n]), iotest.ErrReader(end))
				if end == nil {
					src = bytes.NewReader(text[:n])
				}
			}
		}
	}
}

func TestReadingAheadCanBeStopped(t *testing.T) {
	a := readAhead(endless{})
	if n, err := a.Read(make([]byte, 100)); n != 100 || err != nil {
		t.Errorf("got %d, %v", n, err)
	}
	a.stop()
}

// endless never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) { clear(p); return len(p), nil }
