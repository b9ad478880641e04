package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/spf13/cobra"

	"perflint/detectors/timeline"
	"perflint/report"
	"perflint/rules"
)

func (c *Command) rulesCommand(cancel context.CancelCauseFunc) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rules COMMAND",
		Short: "List, check, test, write and document rules",
		Args:  cobra.ArbitraryArgs,
		RunE:  group,
	}
	cmd.AddCommand(c.rulesListCommand(), c.rulesShowCommand(cancel), c.rulesCheckCommand(), c.rulesTestCommand(), c.rulesNewCommand(), c.rulesDocsCommand())
	return cmd
}

func (c *Command) rulesListCommand() *cobra.Command {
	var f ruleFlags
	var format string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List all rules",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			conf, err := c.configure(cmd, f.configFlags)
			if err != nil {
				return err
			}
			j, err := c.judge(conf, f.skipBad, false)
			if err != nil {
				return err
			}
			return report.RuleList(c.out, j.rules.All(), format)
		},
	}
	oneOf(cmd, &format, "format", "f", "text", []string{"text", "json"}, "`format`")
	f.definePacks(cmd)
	return cmd
}

func (c *Command) rulesCheckCommand() *cobra.Command {
	var f configFlags
	var format string
	cmd := &cobra.Command{
		Use:   "check [PATH...]",
		Short: "Say what is wrong with rule files and configurations; without a PATH, with this project's",
		RunE: func(cmd *cobra.Command, args []string) error {
			own, err := c.owned(cmd, f, args)
			if err != nil {
				return err
			}
			return c.concludeCheck(own, format)
		},
	}
	oneOf(cmd, &format, "format", "f", "text", []string{"text", "json", "github"}, "`format` of the mistakes; other than text they go to the standard output")
	f.define(cmd)
	return cmd
}

func (c *Command) concludeCheck(own *ownRules, format string) error {
	if format != "text" {
		if err := report.Diagnostics(c.out, own.problems, format); err != nil {
			return err
		}
	} else if len(own.problems) > 0 {
		c.print(mistakes(own.problems).Error())
	}
	if own.problems.Failed() {
		return exit(exitFailed)
	}
	if format == "text" {
		fmt.Fprintf(c.out, "%s, no mistake\n", counted(len(own.rules), "rule"))
	}
	return nil
}

func (c *Command) rulesTestCommand() *cobra.Command {
	var pattern, junit string
	var verbose, requireTests bool
	var f configFlags
	cmd := &cobra.Command{
		Use:   "test [PATH...]",
		Short: "Run the tests of rules; without a PATH, of this project's",
		RunE: func(cmd *cobra.Command, args []string) error {
			run, err := regexp.Compile(pattern)
			if err != nil {
				return fmt.Errorf("--run: %w", err)
			}
			own, err := c.owned(cmd, f, args)
			switch {
			case err != nil:
				return err
			case own.problems.Failed():
				return mistakes(own.problems)
			}
			if junit != "" {
				if err := writable(junit); err != nil {
					return fmt.Errorf("--junit: %w", err)
				}
			}
			results := own.set.RunTests(own.tests, rules.TestOptions{Run: run, Trace: func(path string) (rules.Input, error) {
				return c.measureCase(cmd.Context(), path)
			}})
			if err := writeJUnit(junit, results); err != nil {
				return err
			}
			return c.concludeTests(own, results, verbose, requireTests)
		},
	}
	cmd.Flags().StringVar(&pattern, "run", "", "run only the cases whose \"rule / name\" matches this `regexp`")
	cmd.Flags().StringVar(&junit, "junit", "", "write the results as JUnit to this `FILE` too")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "print every case")
	cmd.Flags().BoolVar(&requireTests, "require-tests", false, "fail when a rule has no case that fires and one that passes")
	f.define(cmd)
	return cmd
}

// measureCase is what a rule sees of the trace of a case, as perflint measures it without flags.
func (c *Command) measureCase(ctx context.Context, path string) (rules.Input, error) {
	m := c.measureOne(ctx, input{path: path}, reading{Options: timeline.Options{Step: -1}})
	if m.err != nil {
		return rules.Input{}, errors.New(sentence(m.err))
	}
	return rules.Input{Lanes: m.sets, Traces: []string{path}}, nil
}

// writeJUnit writes results to a file, if one is named.
func writeJUnit(path string, results []rules.TestResult) error {
	if path == "" {
		return nil
	}
	var b bytes.Buffer
	if err := report.RuleTests(&b, results); err != nil {
		return err
	}
	return replace(path, b.Bytes())
}

func (c *Command) concludeTests(own *ownRules, results []rules.TestResult, verbose, require bool) error {
	if len(results) == 0 {
		return errors.New("no test was run")
	}
	well := rules.WriteResults(c.out, results, verbose)
	for _, r := range own.set.Untested(own.tests) {
		if slices.Contains(own.rules, r) {
			fmt.Fprintf(c.out, "no case that fires and one that passes: %s (%s)\n", r.ID, r.File)
			well = well && !require
		}
	}
	if !well {
		return exit(exitFindings)
	}
	return nil
}
