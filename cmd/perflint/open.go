package main

import (
	"context"
	"io"
	"os"
	"strings"

	"perflint/detectors/trace"
)

// refusal is the sentence for a file that is no trace.
type refusal struct{ path, why string }

func (r refusal) Error() string {
	if strings.HasPrefix(r.why, "is ") || strings.HasPrefix(r.why, "holds ") {
		return shown(r.path) + " " + r.why
	}
	return shown(r.path) + ": " + r.why
}

// shown is how a path is named in messages.
func shown(path string) string {
	if path == "-" {
		return "standard input"
	}
	return path
}

// read opens one trace. What it is, its first bytes say.
func (c *Command) read(ctx context.Context, in input) (*trace.Trace, error) {
	src, err := c.source(ctx, in.path)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	is, why := sniff(in.path, src.head)
	switch is {
	case nsysForm:
		if _, err = c.export(ctx, in.path); err != nil {
			return nil, err
		}
	case jsonForm, sqliteForm:
	default:
		return nil, refusal{in.path, why}
	}
	return nil, refusal{in.path, "its reader is not part of this build"}
}

// source is an open file that counts what is read of it, and ends with the context.
type source struct {
	io.Reader
	io.Closer
	head []byte // its first bytes, which Reader gives again
}

func (c *Command) source(ctx context.Context, path string) (*source, error) {
	s := &source{Reader: c.Stdin, Closer: io.NopCloser(nil)}
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		s.Reader, s.Closer = f, f
	}
	s.Reader = &watched{s.Reader, ctx, c.line}
	head := make([]byte, headSize)
	n, err := io.ReadFull(s.Reader, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		s.Close()
		return nil, err
	}
	s.head = head[:n]
	s.Reader = io.MultiReader(strings.NewReader(string(s.head)), s.Reader)
	return s, nil
}

// watched counts what is read, for the progress line, and fails once the context is done.
type watched struct {
	io.Reader
	ctx  context.Context
	line *progress
}

func (w *watched) Read(p []byte) (int, error) {
	if err := context.Cause(w.ctx); err != nil {
		return 0, err
	}
	n, err := w.Reader.Read(p)
	w.line.read(n)
	return n, err
}
