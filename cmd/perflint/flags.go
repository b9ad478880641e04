package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"perflint/detectors/span"
	"perflint/detectors/timeline"
	"perflint/report"
)

// flags are those of the default command.
type flags struct {
	reading
	ruleFlags
	display
	label string
	slack share // of --baseline-slack
}

var levels = []string{"error", "warning", "info"}

func (f *flags) define(cmd *cobra.Command) {
	set := cmd.Flags()
	set.SortFlags = false
	f.display.define(cmd)
	f.ruleFlags.define(cmd)
	defineVerdict(cmd)
	f.slack = report.DefaultSlack
	set.Var(&f.slack, "baseline-slack", "how much more a finding of the baseline may claim, as a `share` of its claim")
	set.StringVar(&f.label, "label", "", "`name` of the trace in fingerprints (default: rank and GPU)")
	f.reading.define(cmd)
}

// defineVerdict adds what decides the exit code.
func defineVerdict(cmd *cobra.Command) {
	oneOf(cmd, new(string), "fail-on", "", "error", append(levels[:3:3], "never"), "`level` of finding that makes the exit code 1")
	cmd.Flags().String("baseline", "", "report only what is new or clearly worse than in this earlier JSON report, a `FILE`")
}

// reading decides what is measured of which traces: the flags of all commands that read some.
type reading struct {
	timeline.Options
	timeout        time.Duration
	quiet, verbose bool
	workers        int // cores for the reading of one trace, 0: all
}

func (f *reading) define(cmd *cobra.Command) {
	set := cmd.Flags()
	set.SortFlags = false
	set.Var((*windowFlag)(f), "window", "`part` of the trace to look at: auto (the steady steps), gpu (all GPU work), or a range since its start as 1.5s..2s")
	f.Step = -1
	set.Var((*stepFlag)(&f.Step), "step", "look at the step of this `number` alone")
	set.DurationVar(&f.timeout, "timeout", 0, "give up after this `duration`")
	set.BoolVarP(&f.quiet, "quiet", "q", false, "print nothing but errors on stderr")
	set.BoolVarP(&f.verbose, "verbose", "v", false, "say on stderr what was read and how long it took")
}

// idleFlags refuses flags about traces when none is read: a flag that does nothing is a mistake that nobody notices.
func idleFlags(cmd *cobra.Command, reads bool, needed string) error {
	for _, name := range []string{"window", "step", "timeout", "quiet", "verbose"} {
		if cmd.Flags().Changed(name) && !reads {
			return fmt.Errorf("--%s needs %s", name, needed)
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

// stepFlag is --step: the number of a step, -1 for all.
type stepFlag int

func (s *stepFlag) Type() string { return "number" }

func (s *stepFlag) String() string {
	if s == nil || *s < 0 {
		return ""
	}
	return strconv.Itoa(int(*s))
}

func (s *stepFlag) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return fmt.Errorf("%s is no number of a step", text)
	}
	*s = stepFlag(n)
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

// share is a flag that takes 10% or 0.1.
type share float64

func (s *share) Type() string { return "SHARE" }

func (s *share) String() string { return strconv.FormatFloat(float64(*s)*100, 'g', 6, 64) + "%" }

func (s *share) Set(text string) error {
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(v >= 0) {
		return fmt.Errorf("%s is no share as 10%% or 0.1", text)
	}
	if percent {
		v /= 100
	}
	*s = share(v)
	return nil
}
