package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"perflint/report"
)

func (c *Command) analyseCommand(cancel context.CancelCauseFunc) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "perflint [flags] TRACE...",
		Short: "Say what slows a GPU job down",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("no trace given: perflint TRACE... (perflint --help says more)")
			}
			if err := mistyped(cmd, args[0]); err != nil {
				return err
			}
			if err := f.environment(cmd, c.Env); err != nil {
				return err
			}
			defer stopAfter(f.timeout, cancel)()
			return c.analyse(cmd.Context(), args, f)
		},
		ValidArgsFunction: traceFiles,
	}
	f.define(cmd)
	return cmd
}

// traceFiles completes a TRACE.
func traceFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"json", "gz", "sqlite", "nsys-rep"}, cobra.ShellCompDirectiveFilterFileExt
}

// analyse is the whole way: files → traces → lanes → features → outcomes → report → exit code. What can be wrong with the
// flags is found before the first trace is read.
func (c *Command) analyse(ctx context.Context, args []string, f flags) error {
	faces, err := c.faces(f.display)
	if err != nil {
		return err
	}
	judge, err := c.judge(f.ruleFlags, f.quiet)
	if err != nil {
		return err
	}
	traces, err := c.measure(ctx, args, f.reading)
	if err != nil {
		return err
	}
	sets := traces.sets()
	r := report.New(report.Meta{Version: version, Traces: traces.described(), Label: f.label}, sets, nil, judge.eval(sets))
	if err := c.deliver(r, faces); err != nil {
		return err
	}
	if traces.failed {
		return exit(exitFailed)
	}
	return exit(r.ExitCode(f.failOn, f.require...))
}
