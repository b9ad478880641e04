package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"perflint/report"
	"perflint/rules"
)

func (c *Command) rulesDocsCommand() *cobra.Command {
	var f ruleFlags
	var dir string
	cmd := &cobra.Command{
		Use:   "docs [flags]",
		Short: "Print the reference of all rules as Markdown; with --dir, write a page for each",
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
			var list []*rules.Rule
			for _, r := range j.rules.All() {
				list = append(list, j.config.Of(r))
			}
			if dir == "" {
				return report.RuleBook(c.out, list)
			}
			return c.writeDocs(list, dir)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "`folder` to write a README.md and a page for each rule to")
	f.defineSet(cmd)
	f.definePacks(cmd)
	return cmd
}

func (c *Command) writeDocs(list []*rules.Rule, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, r := range list {
		if err := replace(filepath.Join(dir, r.ID+".md"), []byte(report.RulePage(r))); err != nil {
			return err
		}
	}
	index := report.RuleIndex(list, func(r *rules.Rule) string { return r.ID + ".md" })
	if err := replace(filepath.Join(dir, "README.md"), []byte(index)); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "wrote %s to %s\n", counted(len(list)+1, "page"), dir)
	return nil
}
