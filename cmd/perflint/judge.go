package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"perflint/detectors"
	"perflint/rules"
	"perflint/rules/source"
)

// ruleFlags are those of the commands that need rules.
type ruleFlags struct {
	configFlags
	skipBad bool
}

// define adds what decides which rules are judged. Most values are read from the configuration that they are laid over.
func (f *ruleFlags) define(cmd *cobra.Command) {
	set := cmd.Flags()
	set.StringSliceP("select", "s", nil, "judge only these `rules`: ids, globs as comm-*, tag:NAME")
	set.StringSliceP("ignore", "i", nil, "leave these `rules` out: ids, globs, tag:NAME")
	f.defineSet(cmd)
	f.definePacks(cmd)
	set.StringSlice("require", nil, "exit with 1 when one of these `rules` could not be judged")
}

func (f *ruleFlags) defineSet(cmd *cobra.Command) {
	cmd.Flags().StringArray("set", nil, "override a parameter or the severity, as `RULE.PARAM=VALUE`; repeatable")
}

func (f *ruleFlags) definePacks(cmd *cobra.Command) {
	cmd.Flags().StringArray("rules", nil, "add the rules of a file or folder at `PATH`; repeatable")
	cmd.Flags().BoolVar(&f.skipBad, "skip-bad-rules", false, "go on without the rules that have mistakes in them")
	f.configFlags.define(cmd)
}

// judge is the rules of a run, and what the user set about them.
type judge struct {
	rules  *rules.Ruleset
	config rules.Config
}

// mistakes is what is wrong with rule files and configurations. Each says where by itself.
type mistakes source.Diagnostics

func (m mistakes) Error() string {
	named := slices.Clone(source.Diagnostics(m))
	for i, d := range named {
		if strings.HasPrefix(d.File, "--") { // a flag, which says less by itself than a file does
			named[i].File = "perflint: " + d.File
		}
	}
	return strings.TrimSuffix(named.String(), "\n")
}

// judge loads the rules of the configuration and applies to them what it says.
func (c *Command) judge(conf *config, skipBad, quiet bool) (*judge, error) {
	rs, problems, err := loadPacks(conf)
	if err != nil {
		return nil, err
	}
	wrong := rs.AddBudgets(conf.Settings)
	cfg, more := rs.Configure(conf.Settings)
	wrong = append(wrong, more...)
	fatal := wrong.Failed() || problems.Failed() && !skipBad
	problems = append(problems, wrong...)
	problems.Sort()
	if fatal {
		return nil, mistakes(problems)
	}
	if len(problems) > 0 && !quiet {
		c.print(mistakes(problems).Error())
	}
	cfg.Today = c.today()
	return &judge{rs, cfg}, nil
}

// loadPacks loads the rules of all packs, each once.
func loadPacks(conf *config) (*rules.Ruleset, source.Diagnostics, error) {
	var files []rules.File
	seen := map[string]bool{}
	for _, p := range conf.Packs {
		if p.Value == rules.BuiltinPack {
			files = append(files, builtinFiles()...)
			continue
		}
		path := rules.Beside(p)
		if seen[filepath.Clean(path)] {
			continue
		}
		seen[filepath.Clean(path)] = true
		more, err := ruleFiles([]string{path})
		if err != nil {
			return nil, nil, from(p, err)
		}
		files = append(files, more...)
	}
	rs, problems := rules.Load(detectors.Schema(), files...)
	return rs, problems, nil
}

// from says of an error which line of a configuration leads to it; what a flag says needs no such help.
func from(n *source.Node, err error) error {
	if n.Pos().Line == 0 {
		return err
	}
	return mistakes{n.Diag("unreadable", sentence(err), "")}
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

func (j *judge) eval(m *measurements) []rules.Outcome {
	return j.rules.Eval(m.input(), j.config)
}
