package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"perflint/detectors"
	"perflint/report"
	"perflint/rules"
)

// schemas are the files that editors can complete and check. They are drafts of the version that YAML editors read.
var schemas = map[string]func() []byte{
	"rule":   func() []byte { return rules.RuleSchema(detectors.Schema()) },
	"test":   func() []byte { return rules.TestSchema(detectors.Schema()) },
	"config": func() []byte { return rules.ConfigSchema(detectors.Schema(), report.Formats()) },
	"pack":   rules.PackSchema,
	"report": report.JSONSchema,
}

func (c *Command) schemaCommand() *cobra.Command {
	names := slices.Sorted(maps.Keys(schemas))
	return &cobra.Command{
		Use:       "schema config|pack|report|rule|test",
		Short:     "Print the JSON schema of a kind of file, for editors",
		ValidArgs: names,
		Args:      exactly(1, "a kind of file"),
		RunE: func(_ *cobra.Command, args []string) error {
			schema, ok := schemas[args[0]]
			if !ok {
				return fmt.Errorf("unknown kind of file %s%s", args[0], hint(args[0], names))
			}
			c.out.Write(schema())
			return nil
		},
	}
}
