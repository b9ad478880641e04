package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"perflint/rules"
	"perflint/rules/source"
)

// configFlags say which configuration file holds.
type configFlags struct {
	path string
	none bool
}

func (f *configFlags) define(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&f.path, "config", "c", "", "configuration `FILE` (default: the nearest .perflint.yaml up to the repository's root)")
	cmd.Flags().BoolVar(&f.none, "no-config", false, "use no configuration file")
}

// config is what holds for a run: flags over the environment over the file over the defaults.
type config struct {
	*rules.Settings
	path   string       // of the file, empty without one
	merged *source.Node // all layers, each value with its place
}

// configure finds and reads the configuration. Its mistakes are an error of their own kind; what it says about rules is judged
// when they are loaded.
func (c *Command) configure(cmd *cobra.Command, f configFlags) (*config, error) {
	path, err := c.configPath(f)
	if err != nil {
		return nil, err
	}
	conf := &config{path: path, merged: rules.DefaultConfig()}
	var problems source.Diagnostics
	if path != "" {
		doc, found, err := rules.ReadConfig(path)
		if err != nil {
			return nil, err
		}
		problems = found
		conf.merged = source.Merge(conf.merged, doc)
	}
	if err := conf.lay(cmd.Flags()); err != nil {
		return nil, err
	}
	settings, more := rules.ReadSettings(conf.merged)
	conf.Settings = settings
	if problems = append(problems, more...); problems.Failed() {
		problems = append(problems, aboutRules(conf)...)
		problems.Sort()
		return nil, mistakes(problems)
	}
	return conf, nil
}

// aboutRules is what else is wrong with a configuration that has mistakes already, and with the rules that it names: they are
// all said at once.
func aboutRules(conf *config) source.Diagnostics {
	rs, problems, err := loadPacks(conf)
	if err != nil {
		return nil
	}
	problems = append(problems, unknownFormats(conf.Settings)...)
	problems = append(problems, rs.AddBudgets(conf.Settings)...)
	_, more := rs.Configure(conf.Settings)
	return append(problems, more...)
}

// configPath is the file that holds, empty for none.
func (c *Command) configPath(f configFlags) (string, error) {
	switch {
	case f.none && f.path != "":
		return "", errors.New("--config and --no-config exclude each other")
	case f.none:
		return "", nil
	case f.path != "":
		return f.path, nil
	case c.Env("PERFLINT_CONFIG") != "":
		return c.Env("PERFLINT_CONFIG"), nil
	}
	return nearestConfig()
}

// nearestConfig looks in the working directory and those above it, up to the one that holds .git.
func nearestConfig() (string, error) {
	for dir := "."; ; dir = filepath.Join(dir, "..") {
		var found []string
		for _, name := range rules.ConfigNames {
			path := filepath.Join(dir, name)
			if _, err := os.Stat(path); err == nil {
				found = append(found, path)
			} else if !errors.Is(err, fs.ErrNotExist) {
				return "", fmt.Errorf("config %w", err)
			}
		}
		switch {
		case len(found) > 1:
			return "", fmt.Errorf("%s and %s are both there; perflint takes one", found[0], found[1])
		case len(found) == 1:
			return found[0], nil
		}
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil || isRoot(dir) {
			return "", nil
		}
	}
}

func isRoot(dir string) bool {
	full, err := filepath.Abs(dir)
	return err != nil || full == filepath.Dir(full)
}

// layered are the flags that stand over a setting of the file.
var layered = []struct {
	flag string
	path []string
}{
	{"select", []string{"rules", "select"}}, {"ignore", []string{"rules", "ignore"}}, {"require", []string{"rules", "require"}},
	{"fail-on", []string{"fail_on"}}, {"show", []string{"show"}}, {"min-saving", []string{"min_saving"}},
	{"anchor", []string{"anchor"}}, {"baseline", []string{"baseline"}},
}

// lay puts the flags that were given over what the file says: they replace it, but for packs, which they add.
func (c *config) lay(flags *pflag.FlagSet) error {
	for _, l := range layered {
		f := flags.Lookup(l.flag)
		if f == nil || !f.Changed {
			continue
		}
		value := source.Given("--"+l.flag, f.Value.String())
		if list, ok := f.Value.(pflag.SliceValue); ok {
			value = given("--"+l.flag, list.GetSlice())
		}
		c.set(value, l.path...)
	}
	if added := given("--rules", each(flags, "rules")); len(added.Items) > 0 {
		if packs := c.merged.Get("rules").Get("packs"); packs != nil && packs.Kind == source.List {
			added.Items = slices.Concat(packs.Items, added.Items)
		}
		c.set(added, "rules", "packs")
	}
	for _, word := range each(flags, "set") {
		if err := c.override(word); err != nil {
			return err
		}
	}
	for _, word := range each(flags, "output") {
		format, path, ok := strings.Cut(word, "=")
		if !ok || path == "" {
			return fmt.Errorf("--output: %s is no FORMAT=PATH", word)
		}
		if old := c.merged.Get("outputs").Get(format); old != nil && old.Pos().Line == 0 {
			return fmt.Errorf("--output: %s is given twice", format)
		}
		c.set(source.Given("--output", path), "outputs", format)
	}
	return nil
}

func (c *config) set(value *source.Node, path ...string) {
	c.merged = source.Merge(c.merged, source.At(value, path...))
}

// packs names the rules that were judged, empty for the shipped ones alone.
func (c *config) packs() string {
	var names []string
	for _, p := range c.Packs {
		name := p.Value
		if name == rules.BuiltinPack {
			name += " " + version
		}
		names = append(names, name)
	}
	if len(names) == 1 && c.Packs[0].Value == rules.BuiltinPack {
		return ""
	}
	return strings.Join(names, " + ")
}

// anchor is what annotations point to where the trace names no source: as it was given, or as the workspace sees what a file
// says.
func (c *config) anchor(workspace string) string {
	if c.Anchor == nil || c.Anchor.Value == "" {
		return ""
	}
	path := rules.Beside(c.Anchor)
	if full, err := filepath.Abs(path); err == nil && c.Anchor.Pos().Line > 0 {
		if rel, err := filepath.Rel(workspace, full); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return path
}

// override reads RULE.PARAM=VALUE; RULE.severity sets the severity.
func (c *config) override(word string) error {
	name, value, ok := strings.Cut(word, "=")
	rule, param, dotted := strings.Cut(name, ".")
	if !ok || !dotted || rule == "" || param == "" {
		return fmt.Errorf("--set: %s is no RULE.PARAM=VALUE", word)
	}
	path := []string{"rules", "override", rule, "params", param}
	if param == "severity" {
		path = append(path[:3:3], param)
	}
	c.set(source.Given("--set", value), path...)
	return nil
}

// each is the values of a flag that may be repeated; none where the command does not have it.
func each(flags *pflag.FlagSet, name string) []string {
	if f := flags.Lookup(name); f != nil {
		return f.Value.(pflag.SliceValue).GetSlice()
	}
	return nil
}

func given(origin string, values []string) *source.Node {
	var items []*source.Node
	for _, v := range values {
		items = append(items, source.Given(origin, v))
	}
	return source.ListOf(origin, items...)
}
