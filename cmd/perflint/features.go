package main

import (
	"bytes"
	"context"

	"github.com/spf13/cobra"

	"perflint/detectors"
	"perflint/report"
)

func (c *Command) featuresCommand(cancel context.CancelCauseFunc) *cobra.Command {
	var f flags
	var list bool
	cmd := &cobra.Command{
		Use:   "features [flags] [TRACE...]",
		Short: "Print every feature of a trace, or without one what there is to measure",
		RunE: func(cmd *cobra.Command, args []string) error {
			defer stopAfter(f.timeout, cancel)()
			return c.features(cmd.Context(), args, f, list || len(args) == 0)
		},
		ValidArgsFunction: traceFiles,
	}
	oneOf(cmd, &f.format, "format", "f", "text", []string{"text", "json", "markdown"}, "`format` (markdown without a TRACE only)")
	cmd.Flags().BoolVar(&list, "list", false, "list what there is to measure, as without a TRACE")
	f.defineReading(cmd)
	return cmd
}

// features stops at the third arrow: what rules will see.
func (c *Command) features(ctx context.Context, args []string, f flags, list bool) error {
	var b bytes.Buffer
	if list {
		if err := report.FeatureList(&b, detectors.Schema(), f.format); err != nil {
			return err
		}
		c.out.Write(b.Bytes())
		return nil
	}
	m, err := c.measure(ctx, args, f.reading)
	if err != nil {
		return err
	}
	if err := report.Features(&b, m.sets(), nil, f.format); err != nil {
		return err
	}
	c.out.Write(b.Bytes())
	if m.failed {
		return exit(exitFailed)
	}
	return nil
}
