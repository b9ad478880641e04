package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"perflint/detectors"
	"perflint/report"
)

func (c *Command) featuresCommand(cancel context.CancelCauseFunc) *cobra.Command {
	var f reading
	var format string
	var list bool
	cmd := &cobra.Command{
		Use:   "features [flags] [TRACE...]",
		Short: "Print every feature of a trace, or without one what there is to measure",
		RunE: func(cmd *cobra.Command, args []string) error {
			if list && len(args) > 0 {
				return errors.New("--list lists what there is to measure and takes no TRACE")
			}
			if err := idleFlags(cmd, len(args) > 0, "a TRACE"); err != nil {
				return err
			}
			defer stopAfter(f.timeout, cancel)()
			return c.features(cmd.Context(), args, f, format)
		},
		ValidArgsFunction: traceFiles,
	}
	oneOf(cmd, &format, "format", "f", "text", []string{"text", "json", "markdown"}, "`format` (markdown without a TRACE only)")
	cmd.Flags().BoolVar(&list, "list", false, "list what there is to measure, as without a TRACE")
	f.define(cmd)
	return cmd
}

// features stops at the third arrow: what rules will see.
func (c *Command) features(ctx context.Context, args []string, how reading, format string) error {
	if len(args) == 0 {
		return report.FeatureList(c.out, detectors.Schema(), format)
	}
	if format == "markdown" {
		return errors.New("--format: markdown describes features; the values of a trace are printed as text or json")
	}
	m, err := c.measure(ctx, args, how)
	if err != nil {
		return err
	}
	if err := report.Features(c.out, m.sets(), nil, format); err != nil {
		return err
	}
	return m.verdict()
}
