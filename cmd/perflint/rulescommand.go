package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/spf13/cobra"

	"perflint/report"
	"perflint/rules"
)

func (c *Command) rulesCommand(cancel context.CancelCauseFunc) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rules COMMAND",
		Short: "List, check and test rules",
		Args:  cobra.ArbitraryArgs,
		RunE:  group,
	}
	cmd.AddCommand(c.rulesListCommand(), c.rulesShowCommand(cancel), c.rulesCheckCommand(), c.rulesTestCommand())
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
	cmd := &cobra.Command{
		Use:   "check [PATH...]",
		Short: "Say what is wrong with rule files and configurations; without a PATH, with this project's",
		RunE: func(cmd *cobra.Command, args []string) error {
			own, err := c.owned(cmd, f, args)
			if err != nil {
				return err
			}
			if len(own.problems) > 0 {
				c.print(mistakes(own.problems).Error())
			}
			if own.problems.Failed() {
				return exit(exitFailed)
			}
			fmt.Fprintf(c.out, "%s, no mistake\n", counted(len(own.rules), "rule"))
			return nil
		},
	}
	f.define(cmd)
	return cmd
}

func (c *Command) rulesTestCommand() *cobra.Command {
	var pattern string
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
			results := own.set.RunTests(own.tests, rules.TestOptions{Run: run, Trace: func(path string) (rules.Input, error) {
				m := c.measureOne(cmd.Context(), input{path: path}, reading{})
				return rules.Input{Lanes: m.sets, Traces: []string{path}}, m.err
			}})
			return c.concludeTests(own, results, verbose, requireTests)
		},
	}
	cmd.Flags().StringVar(&pattern, "run", "", "run only the cases whose \"rule / name\" matches this `regexp`")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "print every case")
	cmd.Flags().BoolVar(&requireTests, "require-tests", false, "fail when a rule has no case that fires and one that passes")
	f.define(cmd)
	return cmd
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
