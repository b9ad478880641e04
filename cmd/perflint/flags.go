package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perflint/detectors/span"
	"perflint/report"
)

// flags are those of the commands that read traces.
type flags struct {
	reading
	ruleFlags
	format, failOn, show, color, style string
	outputs, pathMaps                  []string
	width, maxBytes                    int
	label, anchor, minSaving           string
	timeout                            time.Duration
}

var levels = []string{"error", "warning", "info"}

func (f *flags) define(cmd *cobra.Command) {
	set := cmd.Flags()
	set.SortFlags = false
	oneOf(cmd, &f.format, "format", "f", "auto", append([]string{"auto"}, report.Formats()...), "`format` of the standard output; auto is text on a terminal, else markdown")
	set.StringArrayVarP(&f.outputs, "output", "o", nil, "write another format to a file, as `FORMAT=PATH`; repeatable")
	oneOf(cmd, &f.failOn, "fail-on", "", "error", append(levels[:3:3], "never"), "`level` of finding that makes the exit code 1")
	oneOf(cmd, &f.show, "show", "", "info", levels, "lowest `level` that is shown")
	set.StringVar(&f.minSaving, "min-saving", "", "hide findings that save less than this `share or time`: 1%, 500us")
	f.ruleFlags.define(cmd)
	set.StringVar(&f.label, "label", "", "`name` of the trace in fingerprints (default: rank and GPU)")
	set.StringVar(&f.anchor, "anchor", "", "`FILE[:LINE]` for annotations where the trace names no source")
	set.StringArrayVar(&f.pathMaps, "path-map", nil, "paths of the trace as paths of the repository, as `FROM=TO`; repeatable")
	set.IntVar(&f.maxBytes, "max-bytes", 0, "cut markdown at the end of a finding before this `size` in bytes")
	oneOf(cmd, &f.color, "color", "", "auto", []string{"auto", "always", "never"}, "`when` to colour the text format")
	oneOf(cmd, &f.style, "style", "", "dark", []string{"dark", "light", "plain"}, "`colours` of the text format")
	set.IntVar(&f.width, "width", 0, "`columns` of the text format (default: the terminal's)")
	f.defineReading(cmd)
}

// defineReading defines the flags of all commands that read traces.
func (f *flags) defineReading(cmd *cobra.Command) {
	set := cmd.Flags()
	set.SortFlags = false
	set.Var((*windowFlag)(&f.reading), "window", "`part` of the trace to look at: auto (the steady steps), gpu (all GPU work), or a range since its start as 1.5s..2s")
	set.IntVar(&f.Step, "step", -1, "look at the step of this `number` alone")
	set.Lookup("step").DefValue = "0" // the flag library's word for: do not mention it
	set.DurationVar(&f.timeout, "timeout", 0, "give up after this `duration`")
	set.BoolVarP(&f.quiet, "quiet", "q", false, "print nothing but errors on stderr")
	set.BoolVarP(&f.verbose, "verbose", "v", false, "say on stderr what was read and how long it took")
}

// environment gives flags that were not given the values of their variables.
func (f *flags) environment(cmd *cobra.Command, env func(string) string) error {
	for name, variable := range map[string]string{"format": "PERFLINT_FORMAT", "style": "PERFLINT_STYLE"} {
		if value := env(variable); value != "" && !cmd.Flags().Changed(name) {
			if err := cmd.Flags().Set(name, value); err != nil {
				return fmt.Errorf("%s: %w", variable, flagError(cmd, err))
			}
		}
	}
	return nil
}

// oneOf defines a flag that takes one of a few words, lists them in its help and completes them.
func oneOf(cmd *cobra.Command, at *string, name, short, preset string, words []string, usage string) {
	*at = preset
	cmd.Flags().VarP(choice{at, words}, name, short, usage+": "+either(words))
	// The only errors are a flag that does not exist and one that is completed twice.
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// windowFlag is --window.
type windowFlag reading

func (w *windowFlag) Type() string { return "WINDOW" }

func (w *windowFlag) String() string {
	if w == nil || w.Window == "" {
		return "auto"
	}
	return w.Window
}

func (w *windowFlag) Set(text string) error {
	from, to, isRange := strings.Cut(text, "..")
	if !isRange {
		if text != "auto" && text != "gpu" {
			return fmt.Errorf("%s is neither auto, gpu nor a range as 1.5s..2s", text)
		}
		w.Window, w.Range = text, span.Span{}
		return nil
	}
	a, err := duration(from)
	if err != nil {
		return err
	}
	b, err := duration(to)
	if err != nil {
		return err
	}
	if a < 0 || b <= a {
		return fmt.Errorf("%s is empty: the end must be after the start", text)
	}
	w.Window, w.Range = "auto", span.Span{Start: span.Time(a), End: span.Time(b)}
	return nil
}

// duration reads a time with its unit: ns, us, ms, s. Zero needs none.
func duration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(strings.ReplaceAll(strings.TrimSpace(text), " ", ""))
	if err == nil {
		return d, nil
	}
	if _, bare := strconv.ParseFloat(text, 64); bare == nil {
		return 0, fmt.Errorf("%s has no unit: write %sus, %sms or %ss", text, text, text, text)
	}
	return 0, fmt.Errorf("%s is no time: write 500us, 12ms or 1.5s", text)
}

// stopAfter ends the run after a while, unless the function that it returns is called before; 0 is never.
func stopAfter(d time.Duration, cancel context.CancelCauseFunc) (stop func()) {
	if d <= 0 {
		return func() {}
	}
	timer := time.AfterFunc(d, func() { cancel(fmt.Errorf("stopped after %v (%w)", d, errTimeout)) })
	return func() { timer.Stop() }
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
