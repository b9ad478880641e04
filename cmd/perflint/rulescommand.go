package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"perflint/report"
	"perflint/rules"
	"perflint/rules/source"
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
		RunE: func(*cobra.Command, []string) error {
			rs, err := c.loadRules(f, false)
			if err != nil {
				return err
			}
			return report.RuleList(c.out, rs.All(), format)
		},
	}
	oneOf(cmd, &format, "format", "f", "text", []string{"text", "json"}, "`format`")
	f.definePacks(cmd)
	return cmd
}

func (c *Command) rulesCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check [PATH...]",
		Short: "Say what is wrong with rule files; without a PATH, with the shipped ones",
		RunE: func(_ *cobra.Command, args []string) error {
			rs, _, problems, err := loadTests(args)
			if err != nil {
				return err
			}
			if len(problems) > 0 {
				c.print(mistakes(problems).Error())
			}
			if problems.Failed() {
				return exit(exitFailed)
			}
			fmt.Fprintf(c.out, "%s, no mistake\n", counted(len(mine(rs, args)), "rule"))
			return nil
		},
	}
}

// loadTests loads the shipped rules and the rules and tests at the paths; without a path, the tests of the shipped rules.
func loadTests(paths []string) (*rules.Ruleset, []rules.RuleTest, source.Diagnostics, error) {
	files, err := ruleFiles(paths)
	if err != nil {
		return nil, nil, nil, err
	}
	rs, problems := loadWithBuiltin(files)
	if len(paths) == 0 {
		files = builtinFiles()
	}
	tests, more := rs.LoadTests(files...)
	problems = append(problems, more...)
	problems.Sort()
	return rs, tests, problems, nil
}

func (c *Command) rulesTestCommand() *cobra.Command {
	var pattern string
	var verbose, requireTests bool
	var f reading
	cmd := &cobra.Command{
		Use:   "test [PATH...]",
		Short: "Run the tests of rules; without a PATH, of the shipped ones",
		RunE: func(cmd *cobra.Command, args []string) error {
			run, err := regexp.Compile(pattern)
			if err != nil {
				return fmt.Errorf("--run: %w", err)
			}
			rs, tests, problems, err := loadTests(args)
			switch {
			case err != nil:
				return err
			case problems.Failed():
				return mistakes(problems)
			}
			results := rs.RunTests(tests, rules.TestOptions{Run: run, Trace: func(path string) (rules.Input, error) {
				m := c.measureOne(cmd.Context(), input{path: path}, f)
				return rules.Input{Lanes: m.sets}, m.err
			}})
			return c.concludeTests(rs, tests, results, mine(rs, args), verbose, requireTests)
		},
	}
	cmd.Flags().StringVar(&pattern, "run", "", "run only the cases whose \"rule / name\" matches this `regexp`")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "print every case")
	cmd.Flags().BoolVar(&requireTests, "require-tests", false, "fail when a rule has no case that fires and one that passes")
	return cmd
}

func (c *Command) concludeTests(rs *rules.Ruleset, tests []rules.RuleTest, results []rules.TestResult, about []*rules.Rule, verbose, require bool) error {
	if len(results) == 0 {
		return errors.New("no test was run")
	}
	well := rules.WriteResults(c.out, results, verbose)
	for _, r := range rs.Untested(tests) {
		if slices.Contains(about, r) {
			fmt.Fprintf(c.out, "no case that fires and one that passes: %s (%s)\n", r.ID, r.File)
			well = well && !require
		}
	}
	if !well {
		return exit(exitFindings)
	}
	return nil
}

// mine is the rules that a command is about: those of the user's files, and without any the shipped ones.
func mine(rs *rules.Ruleset, paths []string) []*rules.Rule {
	return slices.DeleteFunc(rs.All(), func(r *rules.Rule) bool {
		return strings.HasPrefix(r.File, builtinFolder) != (len(paths) == 0)
	})
}
