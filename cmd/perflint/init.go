package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"perflint/rules"
)

// firstConfig is what perflint init writes: what most users keep, and everything else as a comment.
//
//go:embed init.yaml
var firstConfig []byte

// configSchemaFile is what the first line of firstConfig names.
const configSchemaFile = ".perflint.schema.json"

// ownPack is the folder that a project's own rules go to unless it is told otherwise.
const ownPack = "perf-rules"

func (c *Command) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Write a commented .perflint.yaml",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			for _, name := range rules.ConfigNames {
				if _, err := os.Lstat(name); err == nil {
					return fmt.Errorf("%s exists already; perflint config prints what it sets", name)
				}
			}
			name := rules.ConfigNames[0]
			text, packs := firstConfig, ""
			if info, err := os.Stat(ownPack); err == nil && info.IsDir() {
				text = bytes.Replace(text, []byte("packs: [builtin]"), []byte("packs: [builtin, ./"+ownPack+"]"), 1)
				packs = ", with the rules of " + ownPack + ","
			}
			if err := create(name, text); err != nil {
				return err
			}
			if err := replace(configSchemaFile, schemas["config"]()); err != nil {
				return err
			}
			fmt.Fprintf(c.out, `wrote %s%s and, for editors, %s
next: perflint config           what holds, and where it is from
      perflint rules new ID     a first rule of your own
`, name, packs, configSchemaFile)
			return nil
		},
	}
}

// create writes a file that must not exist yet.
func create(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already", path)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}
