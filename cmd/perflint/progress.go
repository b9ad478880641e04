package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// When the line appears, and how often it is drawn.
const (
	progressDelay = 400 * time.Millisecond
	progressEvery = 100 * time.Millisecond
)

// progress is the line on a terminal that shows how far the reading has come. A nil progress shows nothing.
type progress struct {
	w           io.Writer
	start       time.Time
	bytes, size atomic.Int64 // read, of all files together
	rows        atomic.Int64 // of databases
	files, done atomic.Int64
	quit        chan struct{}

	mu    sync.Mutex
	name  string // of the file begun last
	drawn bool
	over  bool
}

func startProgress(w io.Writer) *progress {
	p := &progress{w: w, start: time.Now(), quit: make(chan struct{})}
	go p.run()
	return p
}

func (p *progress) run() {
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		select {
		case <-p.quit:
			return
		case now := <-tick.C:
			if spent := now.Sub(p.start); spent >= progressDelay {
				p.draw(spent)
			}
		}
	}
}

func (p *progress) draw(spent time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.over {
		fmt.Fprint(p.w, "\r\x1b[K", p.text(spent))
		p.drawn = true
	}
}

// text is "reading train.json.gz  412 MB  63 %  1.2 s".
func (p *progress) text(spent time.Duration) string {
	what := p.name
	if n := p.files.Load(); n > 1 {
		what = fmt.Sprintf("trace %d of %d", min(p.done.Load()+1, n), n)
	}
	line := "reading " + what
	bytes, size, rows := p.bytes.Load(), p.size.Load(), p.rows.Load()
	switch {
	case rows > 0: // how many there will be is not known
		line += fmt.Sprintf("  %.1f million rows", float64(rows)/1e6)
	case size > 0:
		line += fmt.Sprintf("  %d MB  %d %%", bytes/1e6, min(100, 100*bytes/size))
	default:
		line += fmt.Sprintf("  %d MB", bytes/1e6)
	}
	return line + fmt.Sprintf("  %.1f s", spent.Seconds())
}

// expect adds files to what is to be read; size is their bytes, 0 when unknown.
func (p *progress) expect(files int, size int64) {
	if p != nil {
		p.files.Add(int64(files))
		p.size.Add(size)
	}
}

func (p *progress) begin(path string) {
	if p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.name = printable(filepath.Base(path))
	}
}

func (p *progress) read(n int) {
	if p != nil {
		p.bytes.Add(int64(n))
	}
}

// readRows takes the number of rows read so far, of one database.
func (p *progress) readRows(n int64) {
	if p != nil {
		p.rows.Store(n)
	}
}

func (p *progress) end() {
	if p != nil {
		p.done.Add(1)
	}
}

// clear takes the line away, so that something else can be printed.
func (p *progress) clear() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.drawn = false
	}
}

// stop ends the drawing for good.
func (p *progress) stop() {
	if p != nil {
		close(p.quit)
		p.mu.Lock()
		p.over = true
		p.mu.Unlock()
		p.clear()
	}
}

// totalSize is the bytes of all files together; 0 when one of them does not tell.
func totalSize(files []input) int64 {
	var total int64
	for _, in := range files {
		info, err := os.Stat(in.path)
		if err != nil || !info.Mode().IsRegular() {
			return 0
		}
		total += info.Size()
	}
	return total
}
