package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"perflint/detectors/trace"
	"perflint/detectors/trace/kineto"
	"perflint/detectors/trace/nsys"
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

// read opens one trace and reads it on so many cores, 0 for all. What it is, its first bytes say.
func (c *Command) read(ctx context.Context, path string, workers int) (*trace.Trace, error) {
	src, err := c.open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	switch is, why := sniff(path, src.head); {
	case is == jsonForm:
		return c.readKineto(path, src, workers)
	case is == sqliteForm && path == "-":
		return nil, refusal{path, "is an SQLite file; perflint reads it by its path only"}
	case is == sqliteForm:
		return c.readNsys(path, path)
	case is == nsysForm && path == "-":
		return nil, refusal{path, "is an Nsight Systems report; perflint reads it by its path only"}
	case is == nsysForm:
		exported, err := c.export(ctx, path)
		if err != nil {
			return nil, err
		}
		return c.readNsys(path, exported)
	default:
		return nil, refusal{path, why}
	}
}

func (c *Command) readKineto(path string, src io.Reader, workers int) (*trace.Trace, error) {
	t, err := kineto.Read(src, kineto.Options{Workers: workers})
	var no *kineto.NotTrace
	switch {
	case errors.As(err, &no):
		return nil, refusal{path, no.Why}
	case err != nil:
		return nil, fmt.Errorf("%s: %w", shown(path), err)
	}
	return t, nil
}

// readNsys reads an export; path is what the user calls it.
func (c *Command) readNsys(path, file string) (*trace.Trace, error) {
	t, err := nsys.Read(file, nsys.Options{Progress: c.line.Load().readRows})
	var no *nsys.Error
	if errors.As(err, &no) {
		return nil, refusal{path, no.Text}
	}
	return t, err
}

// opened is an open file that counts what is read of it, and ends with the context.
type opened struct {
	io.Reader
	io.Closer
	head []byte // its first bytes, which Reader gives again
}

func (c *Command) open(ctx context.Context, path string) (*opened, error) {
	s := &opened{Reader: c.Stdin, Closer: io.NopCloser(nil)}
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		s.Reader, s.Closer = f, f
	}
	s.Reader = &watched{s.Reader, ctx, c.line.Load()}
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
