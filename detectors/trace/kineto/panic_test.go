package kineto

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// mistaken panics once so many bytes have been read.
type mistaken struct {
	io.Reader
	left int
}

func (m *mistaken) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	if m.left -= n; m.left < 0 {
		panic("a mistake")
	}
	return n, err
}

// A mistake of ours on whatever goroutine reaches who reads: nobody waits for ever, and the process goes on.
func TestAMistakeOfAScannerReachesTheReader(t *testing.T) {
	text := `{"traceEvents": [` + strings.Repeat(`{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1},`+"\n", 200_000) + `]}`
	for _, workers := range []int{1, 2, 5} {
		for _, after := range []int{1 << 20, 5 << 20, 12 << 20} {
			func() {
				defer func() {
					if r := recover(); r != "a mistake" {
						t.Errorf("%d workers, after %d: got %v", workers, after, r)
					}
				}()
				_, err := Read(iotest.DataErrReader(&mistaken{bytes.NewReader([]byte(text)), after}), Options{Workers: workers})
				t.Errorf("%d workers, after %d: read, %v", workers, after, err)
			}()
		}
	}
}
