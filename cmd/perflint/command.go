package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"perflint/report"
)

// The exit codes, and the whole list of them.
const (
	exitOK          = 0
	exitFindings    = 1   // a finding at or above --fail-on
	exitFailed      = 2   // could not run
	exitInterrupted = 130 // 128 + SIGINT, as shells count
	exitClosed      = 141 // 128 + SIGPIPE: nobody reads the output any more
)

// exit ends a run that has already said all it had to say.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// What ends a run from outside.
var (
	errInterrupted = errors.New("interrupted")
	errTimeout     = errors.New("--timeout")
)

// Command is one call of the program. Everything that it takes from the process is a field, so that a test can be the process.
type Command struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Env            func(name string) string
	Now            func() time.Time // nil: no day has come, and nothing expires

	out   *output
	debug bool // of --debug

	line atomic.Pointer[progress]

	mu   sync.Mutex
	temp []string // folders to remove at the end
}

// Main runs the program with its arguments, without its name, and returns the exit code. It returns as soon as the context
// is done, even where a library cannot be interrupted: the process is expected to end then.
func (c *Command) Main(ctx context.Context, args []string) int {
	c.out = &output{w: c.Stdout}
	defer c.removeTemp()
	inner, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	defer context.AfterFunc(ctx, func() { cancel(errInterrupted) })()
	done := make(chan error, 1)
	go func() { done <- c.run(inner, cancel, args) }()
	select {
	case err := <-done:
		return c.conclude(err)
	case <-inner.Done():
		return c.conclude(context.Cause(inner))
	}
}

func (c *Command) run(ctx context.Context, cancel context.CancelCauseFunc, args []string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = internalError(r)
		}
	}()
	root := c.root(cancel)
	root.SetArgs(args)
	err = root.ExecuteContext(ctx)
	if c.out.err != nil {
		err = fmt.Errorf("standard output: %w", c.out.err)
	}
	return err
}

// conclude says on stderr what went wrong, in one line where one will do, and chooses the exit code.
func (c *Command) conclude(err error) int {
	var said exit
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &said):
		return int(said)
	case errors.Is(err, syscall.EPIPE):
		return exitClosed
	}
	c.complain(err)
	if errors.Is(err, errInterrupted) {
		return exitInterrupted
	}
	return exitFailed
}

// today is the day as suppressions write it, empty without a clock.
func (c *Command) today() string {
	if c.Now == nil {
		return ""
	}
	return c.Now().Format(time.DateOnly)
}

// print writes a message to stderr.
func (c *Command) print(text string) {
	c.line.Load().clear()
	c.mu.Lock()
	defer c.mu.Unlock()
	fmt.Fprintln(c.Stderr, text)
}

// say prints a message, the program's name first.
func (c *Command) say(format string, args ...any) {
	c.print("perflint: " + fmt.Sprintf(format, args...))
}

// complain says what is wrong. Mistakes in files begin with their place, so that editors and CI find it.
func (c *Command) complain(err error) {
	var m mistakes
	if errors.As(err, &m) {
		c.print(m.Error())
		return
	}
	c.say("%s", printable(sentence(err)))
	var crash *crash
	if errors.As(err, &crash) && c.debug {
		c.print(string(crash.stack))
	}
}

// sentence is an error without the name of the system call that failed.
func sentence(err error) string {
	text := err.Error()
	var path *fs.PathError
	if errors.As(err, &path) {
		text = strings.Replace(text, path.Error(), path.Path+": "+path.Err.Error(), 1)
		text = strings.Replace(text, "standard output: "+path.Path+": ", "standard output: ", 1)
	}
	return strings.Replace(text, "no such file or directory", "no such file", 1)
}

// printable keeps what a file name or a file may hold from steering the terminal or the runner of CI.
func printable(text string) string {
	return report.Harmless(strings.Map(func(r rune) rune {
		if r != '\n' && (r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069) {
			return '·'
		}
		return r
	}, text))
}

// crash is a panic, caught.
type crash struct {
	value any
	stack []byte
}

func internalError(recovered any) error { return &crash{recovered, debug.Stack()} }

func (e *crash) Error() string {
	return fmt.Sprintf("internal error: %v (a mistake of perflint; --debug shows where)", e.value)
}

// output remembers the first error of the standard output, which fmt and cobra drop.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
	o.err = err
	return n, err
}

func (c *Command) tempDir() (string, error) {
	dir, err := os.MkdirTemp("", "perflint-")
	if err != nil {
		return "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.temp = append(c.temp, dir)
	return dir, nil
}

func (c *Command) removeTemp() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, dir := range c.temp {
		os.RemoveAll(dir)
	}
	c.temp = nil
}
