package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"
)

func call(t *testing.T, c *Command, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	if c.Stdin == nil {
		c.Stdin = strings.NewReader("")
	}
	if c.Stdout == nil {
		c.Stdout = &out
	}
	if c.Env == nil {
		c.Env = func(string) string { return "" }
	}
	c.Stderr = &errs
	code = c.Main(t.Context(), args)
	return code, out.String(), errs.String()
}

func TestPanicIsOneLineAndCodeTwo(t *testing.T) {
	c := &Command{Env: func(string) string { panic("boom") }}
	code, _, stderr := call(t, c, "x.json")
	if want := "perflint: internal error: boom (a mistake of perflint; --debug shows where)\n"; code != 2 || stderr != want {
		t.Errorf("code %d, %q; want 2, %q", code, stderr, want)
	}
	c = &Command{Env: c.Env}
	if _, _, stderr = call(t, c, "x.json", "--debug"); !strings.Contains(stderr, "command_test.go") {
		t.Errorf("--debug does not say where: %q", stderr)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestFailingOutput(t *testing.T) {
	code, _, stderr := call(t, &Command{Stdout: failing{syscall.EPIPE}}, "version")
	if code != exitClosed || stderr != "" {
		t.Errorf("closed pipe: code %d, %q; want %d and nothing said", code, stderr, exitClosed)
	}
	code, _, stderr = call(t, &Command{Stdout: failing{syscall.ENOSPC}}, "--help")
	if want := "perflint: standard output: no space left on device\n"; code != exitFailed || stderr != want {
		t.Errorf("full disk: code %d, %q; want 2, %q", code, stderr, want)
	}
}

func TestInterruptedBeforeItBegan(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var errs bytes.Buffer
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	c := &Command{Stdin: r, Stdout: &bytes.Buffer{}, Stderr: &errs, Env: func(string) string { return "" }}
	if code := c.Main(ctx, []string{"-"}); code != exitInterrupted || errs.String() != "perflint: interrupted\n" {
		t.Errorf("code %d, %q", code, errs.String())
	}
}

func TestSentence(t *testing.T) {
	missing := &fs.PathError{Op: "open", Path: "a.json", Err: syscall.ENOENT}
	tests := []struct {
		err  error
		want string
	}{
		{missing, "a.json: no such file"},
		{fmt.Errorf("--output: %w", missing), "--output: a.json: no such file"},
		{errors.New("plain"), "plain"},
	}
	for _, tt := range tests {
		if got := sentence(tt.err); got != tt.want {
			t.Errorf("%v: got %q, want %q", tt.err, got, tt.want)
		}
	}
}

func TestPrintableTakesTheTerminalOutOfFileNames(t *testing.T) {
	if got, want := printable("a\x1b[31m\u202eb\tc\nd\n ::error::e ##[f]"), "a·[31m·b·c\nd\n ·::error::e ##·[f]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTemporaryFoldersAreRemoved(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	c := &Command{}
	dir, err := c.tempDir()
	if err != nil {
		t.Fatal(err)
	}
	c.removeTemp()
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is still there", dir)
	}
}

func TestColored(t *testing.T) {
	tests := []struct {
		flag string
		env  map[string]string
		want bool
	}{
		{"auto", nil, false},
		{"always", map[string]string{"NO_COLOR": "1"}, true},
		{"never", map[string]string{"FORCE_COLOR": "1"}, false},
		{"auto", map[string]string{"FORCE_COLOR": "1"}, true},
		{"auto", map[string]string{"FORCE_COLOR": "0"}, false},
		{"auto", map[string]string{"CLICOLOR_FORCE": "1", "TERM": "dumb"}, true},
		{"auto", map[string]string{"FORCE_COLOR": "1", "NO_COLOR": "1"}, false},
	}
	for _, tt := range tests {
		c := &Command{Stdout: &bytes.Buffer{}, Env: func(name string) string { return tt.env[name] }}
		if got := c.colored(tt.flag); got != tt.want {
			t.Errorf("--color %s with %v: %v, want %v", tt.flag, tt.env, got, tt.want)
		}
	}
}
