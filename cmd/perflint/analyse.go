package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
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
			defer stopAfter(f.timeout, cancel)()
			return c.analyse(cmd.Context(), args, f)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"json", "gz", "sqlite", "nsys-rep"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	f.define(cmd)
	return cmd
}

func (c *Command) analyse(ctx context.Context, args []string, f flags) error {
	files, err := inputs(args)
	if err != nil {
		return err
	}
	for _, in := range files {
		if _, err := c.read(ctx, in); err != nil {
			c.complain(err)
		}
	}
	return exit(exitFailed)
}
