package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"perflint/rules/source"
)

const (
	analyseGroup = "analyse"
	rulesGroup   = "rules"
	setupGroup   = "setup"
)

const longHelp = `perflint reads GPU traces of PyTorch (Kineto JSON, plain or gzip) and Nsight Systems (SQLite export), measures them,
judges rules on what it measured and says what slows the job down, what that costs, why it thinks so and what to change.

A TRACE is a file, a folder, a pattern, or - for a JSON trace on standard input.

Exit codes: 0 no finding at or above --fail-on, 1 a finding, 2 could not run, 130 interrupted.`

func (c *Command) root(cancel context.CancelCauseFunc) *cobra.Command {
	root := c.analyseCommand(cancel)
	root.Long = longHelp
	root.SilenceUsage, root.SilenceErrors = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetIn(c.Stdin)
	root.SetOut(c.out)
	root.SetErr(c.Stderr)
	root.SetFlagErrorFunc(flagError)
	root.SetUsageTemplate(usageTemplate)
	root.SetHelpCommand(c.helpCommand())
	root.AddGroup(
		&cobra.Group{ID: analyseGroup, Title: "Analyse:"},
		&cobra.Group{ID: rulesGroup, Title: "Rules:"},
		&cobra.Group{ID: setupGroup, Title: "Setup:"},
	)
	root.SetHelpCommandGroupID(setupGroup)
	add(root, analyseGroup, c.featuresCommand(cancel), c.evalCommand(cancel), c.renderCommand())
	add(root, rulesGroup, c.explainCommand(cancel), c.rulesCommand(cancel))
	add(root, setupGroup, c.initCommand(), c.configCommand(), c.schemaCommand(), c.completionCommand(), c.versionCommand())
	root.Version = version
	root.SetVersionTemplate("perflint {{.Version}}\n")
	root.PersistentFlags().BoolVar(&c.debug, "debug", false, "show where an internal error happened")
	return root
}

func add(root *cobra.Command, group string, commands ...*cobra.Command) {
	for _, cmd := range commands {
		cmd.GroupID = group
		root.AddCommand(cmd)
	}
}

// helpCommand replaces cobra's, which answers an unknown topic with the usage and exit code 0.
func (c *Command) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Print the help of a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			topic, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return fmt.Errorf("no help for %s%s", args[0], didYouMean(args[0], commandNames(cmd.Root())))
			}
			return topic.Help()
		},
	}
}

func commandNames(root *cobra.Command) []string {
	var names []string
	for _, cmd := range root.Commands() {
		names = append(names, cmd.Name())
	}
	return names
}

// withoutVerb leaves out the verb that other linters have and this one does not need: perflint check TRACE.
func withoutVerb(args []string) []string {
	if len(args) > 0 && args[0] == "check" {
		if _, err := os.Lstat(args[0]); errors.Is(err, os.ErrNotExist) {
			return args[1:]
		}
	}
	return args
}

// mistyped explains a first argument that is neither a file nor a command but nearly one. The root command takes files, so
// cobra cannot tell.
func mistyped(cmd *cobra.Command, arg string) error {
	if _, err := os.Lstat(arg); !errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if name := source.Suggest(arg, commandNames(cmd.Root())); name != "" {
		return fmt.Errorf("%s is neither a file nor a command, did you mean perflint %s?", arg, name)
	}
	return nil
}
