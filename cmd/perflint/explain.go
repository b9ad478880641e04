package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"perflint/detectors/feature"
	"perflint/report"
	"perflint/rules"
)

type explainFlags struct {
	reading
	ruleFlags
	display
	traces []string
}

func (c *Command) explainCommand(cancel context.CancelCauseFunc) *cobra.Command {
	var f explainFlags
	cmd := &cobra.Command{
		Use:   "explain [flags] RULE",
		Short: "Say what a rule looks at, why it exists and what to do; with --trace, what it saw",
		Args:  exactly(1, "a RULE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := idleFlags(cmd, len(f.traces) > 0, "--trace"); err != nil {
				return err
			}
			conf, err := c.configure(cmd, f.configFlags)
			if err != nil {
				return err
			}
			defer stopAfter(f.timeout, cancel)()
			return c.explain(cmd.Context(), args[0], f, conf)
		},
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return c.ruleNames(cmd, f.configFlags), cobra.ShellCompDirectiveNoFileComp
		},
	}
	set := cmd.Flags()
	set.SortFlags = false
	oneOf(cmd, &f.format, "format", "f", "text", []string{"text", "markdown"}, "`format`")
	set.StringArrayVar(&f.traces, "trace", nil, "show what the rule saw in this `TRACE`, part by part; repeatable")
	f.definePacks(cmd)
	f.defineSet(cmd)
	f.defineText(cmd)
	f.reading.define(cmd)
	return cmd
}

// rulesShowCommand is explain under the name that users of other linters try.
func (c *Command) rulesShowCommand(cancel context.CancelCauseFunc) *cobra.Command {
	cmd := c.explainCommand(cancel)
	cmd.Use = strings.Replace(cmd.Use, "explain", "show", 1)
	cmd.Short = "The same as perflint explain"
	return cmd
}

// ruleNames completes a RULE; where the configuration has mistakes there is nothing to complete.
func (c *Command) ruleNames(cmd *cobra.Command, f configFlags) []string {
	conf, err := c.configure(cmd, f)
	if err != nil {
		return nil
	}
	rs, _, err := loadPacks(conf)
	if err != nil {
		return nil
	}
	var names []string
	for _, r := range rs.All() {
		names = append(names, r.ID+"\t"+r.Title)
	}
	return names
}

func (c *Command) explain(ctx context.Context, id string, f explainFlags, conf *config) error {
	j, err := c.judge(conf, f.skipBad, f.quiet)
	if err != nil {
		return err
	}
	rule, err := find(j.rules, id)
	if err != nil {
		return err
	}
	opt, err := c.look(f.display)
	if err != nil {
		return err
	}
	var saw bytes.Buffer
	var verdict error
	if len(f.traces) > 0 {
		if verdict, err = c.explainTraces(ctx, &saw, rule, j, f); err != nil {
			return err
		}
	}
	if err := report.Explain(c.out, j.config.Of(rule), f.format, opt); err != nil {
		return err
	}
	switch {
	case saw.Len() > 0 && f.format == "markdown":
		fmt.Fprintf(c.out, "\n## What it saw\n\n```text\n%s```\n", report.Harmless(saw.String()))
	case saw.Len() > 0:
		fmt.Fprintf(c.out, "\nWhat it saw\n\n%s", report.Harmless(saw.String()))
	}
	return verdict
}

// explainTraces shows for each lane what became of a rule and how each part of its condition came out. The verdict is the
// exit code when everything else went well.
func (c *Command) explainTraces(ctx context.Context, w io.Writer, rule *rules.Rule, j *judge, f explainFlags) (verdict, err error) {
	m, err := c.measure(ctx, f.traces, f.reading)
	if err != nil {
		return nil, err
	}
	sets := m.sets()
	for _, x := range j.rules.Explain(rule, m.input(), j.config) {
		where := "the job"
		if x.Lane >= 0 {
			where = m.laneName(sets[x.Lane].Lane)
		}
		fmt.Fprintf(w, "%s on %s\n", x.Status, where)
		if x.Reason != "" {
			fmt.Fprintf(w, "  %s\n", printable(x.Reason))
		}
		indent := "  "
		if x.Subject != "" {
			fmt.Fprintf(w, "  %s:\n", printable(x.Subject))
			indent = "    "
		}
		rules.WriteSteps(w, indent, x.Steps)
		for _, o := range x.Operands {
			fmt.Fprintf(w, "  %s: %s\n", o.Label, printable(feature.Format(o.Value, o.Unit)))
		}
	}
	return m.verdict(), nil
}
