package main

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"perflint/report"
	"perflint/rules"
)

func (c *Command) analyseCommand(cancel context.CancelCauseFunc) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "perflint [flags] TRACE...",
		Short: "Say what slows a GPU job down",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			args = withoutVerb(args)
			if len(args) == 0 {
				return errors.New("no trace given: perflint TRACE... (perflint --help says more)")
			}
			if err := mistyped(cmd, args[0]); err != nil {
				return err
			}
			if err := f.environment(cmd, c.Env); err != nil {
				return err
			}
			conf, err := c.configure(cmd, f.configFlags)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("baseline-slack") && conf.baseline() == "" {
				return errors.New("--baseline-slack needs a baseline")
			}
			defer stopAfter(f.timeout, cancel)()
			return c.analyse(cmd.Context(), args, f, conf)
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
// flags and the configuration is found before the first trace is read.
func (c *Command) analyse(ctx context.Context, args []string, f flags, conf *config) error {
	faces, err := c.faces(f.display, conf)
	if err != nil {
		return err
	}
	if f.verbose {
		c.say("config %s, rules %s", cmp.Or(conf.path, "none"), cmp.Or(conf.packs(), rules.BuiltinPack+" "+version))
	}
	judge, err := c.judge(conf, f.skipBad, f.quiet)
	if err != nil {
		return err
	}
	old, err := c.oldReport(conf)
	if err != nil {
		return err
	}
	traces, err := c.measure(ctx, args, f.reading)
	if err != nil {
		return err
	}
	meta := report.Meta{Version: version, Traces: traces.described(), Label: f.label, Rules: conf.packs(), Config: filepath.ToSlash(conf.path)}
	r := report.New(meta, traces.sets(), nil, judge.eval(traces))
	if old != nil {
		r = r.Against(old, float64(f.slack))
	}
	if err := c.deliver(r, faces); err != nil {
		return err
	}
	c.nameUnjudged(r, judge.config.Require)
	if traces.failed {
		return exit(exitFailed)
	}
	return exit(r.ExitCode(conf.FailOn, judge.config.Require...))
}

// nameUnjudged says which required rules make the exit code 1.
func (c *Command) nameUnjudged(r *report.Report, required []string) {
	for _, id := range required {
		if why, judged := r.Judged(id); !judged {
			c.say("%s is required and could not be judged: %s", id, printable(why))
		}
	}
}
