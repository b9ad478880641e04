// Command perflint is a linter for GPU traces: it says what slows a job down, how much of each step that costs, why it
// thinks so and what to change.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"
)

func main() { os.Exit(run()) }

func run() int {
	debug.SetGCPercent(400) // collections would take a quarter of the time that a small trace takes, for a few megabytes
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A write to a closed pipe shall be an error here and not the end of the process: temporary files must go first.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	c := &Command{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Env: os.Getenv, Now: time.Now}
	return c.Main(ctx, os.Args[1:])
}
