package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flags are those of the default command.
type flags struct {
	format, failOn, show, color, style string
	outputs                            []string
	width                              int
	sel, ignore, packs, set, require   []string
	window, label, anchor, minSaving   string
	pathMaps                           []string
	step, maxBytes                     int
	timeout                            time.Duration
	quiet, verbose                     bool
}

var levels = []string{"error", "warning", "info"}

func (f *flags) define(cmd *cobra.Command) {
	set := cmd.Flags()
	set.SortFlags = false
	f.oneOf(cmd, set, &f.failOn, "fail-on", "error", "level", append(levels, "never"), "the level of finding that makes the exit code 1")
	f.oneOf(cmd, set, &f.color, "color", "auto", "mode", []string{"auto", "always", "never"}, "colour the terminal report")
	set.DurationVar(&f.timeout, "timeout", 0, "give up after this `duration` (0: never)")
	set.BoolVarP(&f.quiet, "quiet", "q", false, "print nothing but errors on stderr")
	set.BoolVarP(&f.verbose, "verbose", "v", false, "say on stderr what was read and how long it took")
}

// oneOf defines a flag that takes one of a few words, and completes them.
func (f *flags) oneOf(cmd *cobra.Command, set *pflag.FlagSet, at *string, name, preset, what string, words []string, usage string) {
	*at = preset
	set.Var(choice{at, what, words}, name, usage)
	// The only error is a flag that does not exist or is completed twice.
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// stopAfter ends the run after a while, unless the function that it returns is called before; 0 is never.
func stopAfter(d time.Duration, cancel context.CancelCauseFunc) (stop func()) {
	if d <= 0 {
		return func() {}
	}
	timer := time.AfterFunc(d, func() { cancel(fmt.Errorf("stopped after %v: %w", d, errTimeout)) })
	return func() { timer.Stop() }
}
