package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"

	"github.com/spf13/cobra"

	"perflint/detectors"
	"perflint/detectors/feature"
	"perflint/report"
)

func (c *Command) featuresCommand(cancel context.CancelCauseFunc) *cobra.Command {
	var f reading
	var format string
	var list bool
	var patterns []string
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
			part, err := matching(detectors.Schema(), patterns)
			if err != nil {
				return err
			}
			defer stopAfter(f.timeout, cancel)()
			return c.features(cmd.Context(), args, f, format, part)
		},
		ValidArgsFunction: traceFiles,
	}
	oneOf(cmd, &format, "format", "f", "text", []string{"text", "json", "markdown"}, "`format` (markdown without a TRACE only)")
	cmd.Flags().BoolVar(&list, "list", false, "list what there is to measure, as without a TRACE")
	cmd.Flags().StringSliceVarP(&patterns, "match", "m", nil, "only these `features`: names, globs as comm.*_us, namespaces")
	f.define(cmd)
	return cmd
}

// features stops at the third arrow: what rules will see.
func (c *Command) features(ctx context.Context, args []string, how reading, format string, part *feature.Schema) error {
	if len(args) == 0 {
		return report.FeatureList(c.out, part, format)
	}
	if format == "markdown" {
		return errors.New("--format: markdown describes features; the values of a trace are printed as text or json")
	}
	m, err := c.measure(ctx, args, how)
	if err != nil {
		return err
	}
	sets := m.sets()
	for i, s := range sets {
		sets[i] = s.Only(part)
	}
	if err := report.Features(c.out, sets, nil, format); err != nil {
		return err
	}
	return m.verdict()
}

// matching is the part of the schema that patterns name; without any, all of it.
func matching(schema *feature.Schema, patterns []string) (*feature.Schema, error) {
	for _, p := range patterns {
		if !slices.ContainsFunc(schema.Names(), func(name string) bool { return namesFeature(p, name) }) {
			return nil, fmt.Errorf("--match: no feature matches %s%s", p, didYouMean(p, schema.Names()))
		}
	}
	return schema.Only(func(name string) bool {
		return len(patterns) == 0 || slices.ContainsFunc(patterns, func(p string) bool { return namesFeature(p, name) })
	}), nil
}

func namesFeature(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return err == nil && ok || pattern == feature.Namespace(name)
}
