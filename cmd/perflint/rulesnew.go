package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"perflint/rules"
)

func (c *Command) rulesNewCommand() *cobra.Command {
	var f configFlags
	var dir string
	cmd := &cobra.Command{
		Use:   "new [flags] ID",
		Short: "Write a first rule and its test, to be changed",
		Args:  exactly(1, "an ID, such as loader-too-slow"),
		RunE: func(cmd *cobra.Command, args []string) error {
			conf, err := c.configure(cmd, f)
			if err != nil {
				return err
			}
			return c.newRule(conf, args[0], filepath.Clean(dir))
		},
	}
	cmd.Flags().StringVar(&dir, "dir", ownPack, "`folder` of rules to write it to")
	f.define(cmd)
	return cmd
}

func (c *Command) newRule(conf *config, id, dir string) error {
	if !rules.ValidID(id) {
		return fmt.Errorf("%s is no id: lower-case words joined by hyphens, at most 64 characters", id)
	}
	rs, _, err := loadPacks(conf)
	if err != nil {
		return err
	}
	if other, taken := rs.Find(id); taken {
		return fmt.Errorf("there is a rule %s already (%s); choose another id", id, other.File)
	}
	if err := os.MkdirAll(filepath.Join(dir, ".schema"), 0o755); err != nil {
		return err
	}
	rule, test := filepath.Join(dir, id+".yaml"), filepath.Join(dir, id+".test.yaml")
	if _, err := os.Lstat(test); err == nil {
		return fmt.Errorf("%s exists already", test)
	}
	for _, f := range []struct {
		path string
		data []byte
		make func(string, []byte) error
	}{
		{rule, rules.Scaffold(id), create},
		{test, rules.ScaffoldTest(id), create},
		{filepath.Join(dir, ".schema", "rule.json"), schemas["rule"](), replace},
		{filepath.Join(dir, ".schema", "test.json"), schemas["test"](), replace},
	} {
		if err := f.make(f.path, f.data); err != nil {
			return err
		}
	}
	fmt.Fprintf(c.out, "wrote %s and %s\n", rule, test)
	c.enrol(conf, dir)
	return nil
}

// enrol adds the folder to the packs of the configuration, if there is one, and says what to do next.
func (c *Command) enrol(conf *config, dir string) {
	judge := "perflint TRACE"
	switch added, err := addPack(conf, dir); {
	case added:
		fmt.Fprintf(c.out, "added %s to the packs of %s\n", dir, conf.path)
	case err != nil && conf.path != "":
		fmt.Fprintf(c.out, "add %s to rules.packs of %s by hand: %v\n", dir, conf.path, err)
	case err != nil:
		judge = "perflint --rules " + dir + " TRACE"
	}
	next := [][2]string{
		{"perflint features TRACE", "what a rule can see"},
		{"perflint rules test " + dir, "whether it does what its test says"},
		{judge, "judge it"},
	}
	if conf.path == "" {
		next = append(next, [2]string{"perflint init", "write a .perflint.yaml, whose rules.packs names the folder for everybody"})
	}
	width := 0
	for _, n := range next {
		width = max(width, len(n[0]))
	}
	head := "next:"
	for _, n := range next {
		fmt.Fprintf(c.out, "%s %s%s   %s\n", head, n[0], strings.Repeat(" ", width-len(n[0])), n[1])
		head = "     "
	}
}
