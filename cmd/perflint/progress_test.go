package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestProgressLine(t *testing.T) {
	var screen bytes.Buffer
	p := &progress{w: &screen, quit: make(chan struct{})}
	p.expect(1, 200e6)
	p.begin("runs/train.json.gz")
	p.read(126e6)
	if got, want := p.text(1200*time.Millisecond), "reading train.json.gz  126 MB  63 %  1.2 s"; got != want {
		t.Errorf("one file: %q, want %q", got, want)
	}
	p.expect(3, 0)
	p.end()
	if got, want := p.text(2*time.Second), "reading trace 2 of 4  126 MB  63 %  2.0 s"; got != want {
		t.Errorf("several files: %q, want %q", got, want)
	}
}

func TestProgressLeavesNothingBehind(t *testing.T) {
	var screen bytes.Buffer
	p := &progress{w: &screen, quit: make(chan struct{})}
	p.clear()
	if screen.Len() != 0 {
		t.Errorf("cleared a line that was never drawn: %q", screen.String())
	}
	p.draw(time.Second)
	p.stop()
	p.draw(time.Second)
	if !strings.HasSuffix(screen.String(), "\r\x1b[K") {
		t.Errorf("the line stays: %q", screen.String())
	}
}

func TestNoProgressIsNoTrouble(t *testing.T) {
	var p *progress
	p.expect(1, 1)
	p.begin("x")
	p.read(1)
	p.end()
	p.clear()
	p.stop()
}
