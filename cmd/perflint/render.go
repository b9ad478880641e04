package main

import (
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"perflint/report"
	"perflint/rules"
)

func (c *Command) renderCommand() *cobra.Command {
	var f struct {
		display
		configFlags
	}
	cmd := &cobra.Command{
		Use:   "render [flags] REPORT.json",
		Short: "Show a saved JSON report in another format",
		Args:  exactly(1, "a saved report"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.environment(cmd, c.Env); err != nil {
				return err
			}
			conf, err := c.configure(cmd, f.configFlags)
			if err != nil {
				return err
			}
			// What the file writes is the business of the run that the report is from.
			conf.Outputs = slices.DeleteFunc(conf.Outputs, func(o rules.Output) bool { return o.Path.Pos().Line > 0 })
			faces, err := c.faces(f.display, conf)
			if err != nil {
				return err
			}
			r, err := c.savedReport(args[0])
			if err != nil {
				return err
			}
			return c.deliver(r, faces)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"json"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	cmd.Flags().SortFlags = false
	f.display.define(cmd)
	f.configFlags.define(cmd)
	return cmd
}

func (c *Command) savedReport(path string) (*report.Report, error) {
	var src io.Reader = c.Stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		src = f
	}
	r, err := report.Read(src)
	if err != nil {
		return nil, refusal{path, err.Error()}
	}
	return r, nil
}
