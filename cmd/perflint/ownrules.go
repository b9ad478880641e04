package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"perflint/rules"
	"perflint/rules/source"
)

// ownRules is what a command about rule files is about, and what is wrong with it.
type ownRules struct {
	set      *rules.Ruleset // the shipped rules too: one's own may refer to them
	rules    []*rules.Rule
	tests    []rules.RuleTest
	problems source.Diagnostics
}

// owned loads the rules and tests at the paths, a configuration among them with its packs. Without a path they are those of the
// configuration that holds here, and where that names no pack of its own, the shipped ones.
func (c *Command) owned(cmd *cobra.Command, f configFlags, paths []string) (*ownRules, error) {
	own := &ownRules{}
	configs, paths := splitConfigs(paths)
	if len(configs)+len(paths) == 0 || f.path != "" {
		path, err := c.configPath(f)
		if err != nil {
			return nil, err
		}
		if path != "" {
			configs = append(configs, path)
		}
	}
	var settings []*rules.Settings
	for _, path := range configs {
		s, err := own.readConfig(path)
		if err != nil {
			return nil, err
		}
		settings = append(settings, s)
		for _, p := range s.Packs {
			if p.Value != rules.BuiltinPack {
				paths = append(paths, rules.Beside(p))
			}
		}
	}
	if err := own.load(paths); err != nil {
		return nil, err
	}
	for _, s := range settings {
		own.problems = append(own.problems, unknownFormats(s)...)
		own.problems = append(own.problems, own.set.AddBudgets(s)...)
		_, wrong := own.set.Configure(s)
		own.problems = append(own.problems, wrong...)
	}
	own.problems.Sort()
	return own, nil
}

// splitConfigs tells configurations from rule files by their names.
func splitConfigs(paths []string) (configs, others []string) {
	for _, p := range paths {
		if slices.Contains(rules.ConfigNames, filepath.Base(p)) {
			configs = append(configs, p)
		} else {
			others = append(others, p)
		}
	}
	return configs, others
}

func (own *ownRules) readConfig(path string) (*rules.Settings, error) {
	doc, problems, err := rules.ReadConfig(path)
	if err != nil {
		return nil, err
	}
	s, more := rules.ReadSettings(source.Merge(rules.DefaultConfig(), doc))
	own.problems = append(append(own.problems, problems...), more...)
	return s, nil
}

// load reads the rules at the paths, each once, and the shipped ones; without a path it is about those.
func (own *ownRules) load(paths []string) error {
	slices.SortStableFunc(paths, func(a, b string) int { return strings.Compare(filepath.Clean(a), filepath.Clean(b)) })
	paths = slices.CompactFunc(paths, func(a, b string) bool { return filepath.Clean(a) == filepath.Clean(b) })
	files, err := ruleFiles(paths)
	if err != nil {
		return err
	}
	var more source.Diagnostics
	own.set, more = loadWithBuiltin(files)
	own.problems = append(own.problems, more...)
	own.rules = slices.DeleteFunc(own.set.All(), func(r *rules.Rule) bool {
		return strings.HasPrefix(r.File, builtinFolder) != (len(paths) == 0)
	})
	if len(paths) == 0 {
		files = builtinFiles()
	}
	own.tests, more = own.set.LoadTests(files...)
	own.problems = append(own.problems, more...)
	return nil
}
