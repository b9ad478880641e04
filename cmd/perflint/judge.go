package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"perflint/detectors"
	"perflint/detectors/feature"
	"perflint/rules"
	"perflint/rules/source"
)

// ruleFlags are those of the commands that need rules.
type ruleFlags struct {
	packs, sel, ignore, set, require []string
	skipBad                          bool
}

func (f *ruleFlags) define(cmd *cobra.Command) {
	set := cmd.Flags()
	set.StringSliceVarP(&f.sel, "select", "s", nil, "judge only these `rules`: ids, globs as comm-*, tag:NAME")
	set.StringSliceVarP(&f.ignore, "ignore", "i", nil, "leave these `rules` out: ids, globs, tag:NAME")
	set.StringArrayVar(&f.set, "set", nil, "override a parameter or the severity, as `RULE.PARAM=VALUE`; repeatable")
	f.definePacks(cmd)
	set.StringSliceVar(&f.require, "require", nil, "exit with 1 when one of these `rules` could not be judged")
}

func (f *ruleFlags) definePacks(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.packs, "rules", nil, "add the rules of a file or folder at `PATH`; repeatable")
	cmd.Flags().BoolVar(&f.skipBad, "skip-bad-rules", false, "go on without the rules that have mistakes in them")
}

// judge is the rules of a run, and what the user set about them.
type judge struct {
	rules  *rules.Ruleset
	config rules.Config
}

// mistakes is what is wrong with rule files. Each says where by itself.
type mistakes source.Diagnostics

func (m mistakes) Error() string { return strings.TrimSuffix(source.Diagnostics(m).String(), "\n") }

// judge loads the shipped rules and those that the flags add.
func (c *Command) judge(f ruleFlags, quiet bool) (*judge, error) {
	rs, err := c.loadRules(f, quiet)
	if err != nil {
		return nil, err
	}
	j := &judge{rs, rules.Config{Select: f.sel, Ignore: f.ignore}}
	for _, word := range f.set {
		o, err := override(word, rs)
		if err != nil {
			return nil, err
		}
		j.config.Overrides = append(j.config.Overrides, o)
	}
	for _, d := range rs.Check(j.config) {
		if d.File == "" {
			d.File = "--select and --ignore"
		}
		return nil, fmt.Errorf("%s", d)
	}
	for _, id := range f.require {
		if _, err := find(rs, id); err != nil {
			return nil, fmt.Errorf("--require: %w", err)
		}
	}
	return j, nil
}

func (c *Command) loadRules(f ruleFlags, quiet bool) (*rules.Ruleset, error) {
	files, err := ruleFiles(f.packs)
	if err != nil {
		return nil, err
	}
	rs, problems := loadWithBuiltin(files)
	if problems.Failed() && !f.skipBad {
		return nil, mistakes(problems)
	}
	if len(problems) > 0 && !quiet {
		c.print(mistakes(problems).Error())
	}
	return rs, nil
}

// ruleFiles reads the rule and test files at the paths.
func ruleFiles(paths []string) ([]rules.File, error) {
	var all []rules.File
	for _, path := range paths {
		files, err := rules.ReadPath(path)
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("rules %s: the folder holds no .yaml file", path)
		}
		all = append(all, files...)
	}
	return all, nil
}

// builtinFolder is where the shipped rules are, as messages name it.
const builtinFolder = "builtin:"

// loadWithBuiltin loads the shipped rules, then those of the files.
func loadWithBuiltin(files []rules.File) (*rules.Ruleset, source.Diagnostics) {
	return rules.Load(detectors.Schema(), append(builtinFiles(), files...)...)
}

func builtinFiles() []rules.File {
	files, err := rules.ReadFS(rules.Builtin(), ".")
	if err != nil {
		panic(err) // they are part of the program
	}
	for i := range files {
		files[i].Path = builtinFolder + files[i].Path
	}
	return files
}

// override reads RULE.PARAM=VALUE. RULE.severity sets the severity, unless the rule has a parameter of that name.
func override(word string, rs *rules.Ruleset) (rules.Override, error) {
	name, value, ok := strings.Cut(word, "=")
	rule, param, dotted := strings.Cut(name, ".")
	if !ok || !dotted || rule == "" || param == "" {
		return rules.Override{}, fmt.Errorf("--set: %s is no RULE.PARAM=VALUE", word)
	}
	o := rules.Override{Rule: rule, Param: param, Value: value}
	if param == "severity" {
		if r, ok := rs.Find(rule); !ok || !hasParam(r, param) {
			o.Param = ""
		}
	}
	return o, nil
}

func hasParam(r *rules.Rule, name string) bool {
	_, ok := r.Param(name)
	return ok
}

// find looks a rule up by its name, or says what was perhaps meant.
func find(rs *rules.Ruleset, id string) (*rules.Rule, error) {
	if r, ok := rs.Find(id); ok {
		return r, nil
	}
	near := rs.Suggest(id)
	for _, r := range rs.All() {
		if near == "" && len(id) > 2 && strings.Contains(r.ID, id) {
			near = r.ID
		}
	}
	if near != "" {
		return nil, fmt.Errorf("unknown rule %s, did you mean %s?", id, near)
	}
	return nil, fmt.Errorf("unknown rule %s (perflint rules list names them)", id)
}

func (j *judge) eval(sets []*feature.Set) []rules.Outcome {
	return j.rules.Eval(rules.Input{Lanes: sets}, j.config)
}
