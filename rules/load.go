package rules

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"perflint/detectors/feature"
	"perflint/detectors/parallel"
	"perflint/rules/source"
)

// File is a rule file, a test file or a pack.yaml, read but not parsed.
type File struct {
	Path string // as diagnostics name it
	Data []byte

	root string // what ReadPath was given, empty otherwise
}

// IsTest tells a file of rule tests from a file of rules by its name.
func (f File) IsTest() bool {
	return strings.HasSuffix(f.Path, ".test.yaml") || strings.HasSuffix(f.Path, ".test.yml")
}

// ReadPath reads one file, or all YAML files of a pack: a folder with those below it, hidden ones aside, in the order of
// their names.
func ReadPath(name string) ([]File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("rules %s: %w", name, withoutPath(err))
	}
	if !info.IsDir() && !isYAML(name) { // what is in other files is none of a rule's business, and would be quoted
		return nil, fmt.Errorf("rules %s: a file of rules is called .yaml or .yml", name)
	}
	if !info.IsDir() {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("rules %s: %w", name, withoutPath(err))
		}
		return []File{{name, data, name}}, nil
	}
	files, err := ReadFS(os.DirFS(name), ".")
	if err != nil {
		return nil, fmt.Errorf("rules %s: %w", name, err)
	}
	for i := range files {
		files[i].Path = filepath.Join(name, filepath.FromSlash(files[i].Path))
		files[i].root = name
	}
	return files, nil
}

// ReadFS is ReadPath in a file system; Builtin is one.
func ReadFS(fsys fs.FS, root string) ([]File, error) {
	var files []File
	err := fs.WalkDir(fsys, root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != root && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir() || !isYAML(name):
			return nil
		}
		data, err := fs.ReadFile(fsys, name)
		files = append(files, File{Path: name, Data: data})
		return err
	})
	return files, err
}

func isYAML(name string) bool { return path.Ext(name) == ".yaml" || path.Ext(name) == ".yml" }

// withoutPath is the reason alone: the caller names the path as the user gave it.
func withoutPath(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// Load reads the rules of all files, test files aside. Every problem of every file is reported; the rules that could be read
// are usable whatever became of the others. Of two rules with one id the later one must say that it replaces the other.
func Load(schema *feature.Schema, files ...File) (*Ruleset, source.Diagnostics) {
	l := newLanguage(schema)
	rs := &Ruleset{schema: schema}
	r := &reader{}
	packs := readPacks(r, files)
	read := readFiles(l, files, packs)
	for _, f := range read {
		r.diags = append(r.diags, f.diags...)
		rs.broken = append(rs.broken, f.broken...)
		for i, rule := range f.rules {
			r.diags = append(r.diags, rs.add(rule, f.docs[i])...)
		}
	}
	r.diags = append(r.diags, rs.unresolved(read)...)
	r.diags = append(r.diags, crowded(files, read)...)
	rs.sort()
	r.diags.Sort()
	return rs, r.diags
}

// readFile is what a file of rules gave: rules without mistakes, with their documents.
type readFile struct {
	rules []*Rule
	docs  []*source.Node
	diags source.Diagnostics

	broken []string // ids of the others
}

// readFiles reads files side by side: compiling their expressions is most of what a run costs on a small trace.
func readFiles(l language, files []File, packs packs) []readFile {
	out := make([]readFile, len(files))
	var wg parallel.Group
	for i, f := range files {
		p := packs.of(f.Path)
		if f.IsTest() || f.isPack() || p != nil && p.unfit {
			continue
		}
		wg.Go(func() { out[i] = f.read(l, p) })
	}
	wg.Wait()
	return out
}

// read reads the rules of a file. A document with a mistake gives none.
func (f File) read(l language, p *pack) readFile {
	docs, diags := source.Parse(f.Path, f.Data)
	out := readFile{diags: diags}
	bad := diags.Failed()
	for _, doc := range docs {
		rule, mistakes := readRule(l, doc)
		p.join(rule)
		if bad || mistakes.Failed() {
			out.broken = append(out.broken, rule.ID)
		} else {
			out.rules, out.docs = append(out.rules, rule), append(out.docs, doc)
		}
		out.diags = append(out.diags, mistakes...)
	}
	return out
}

// crowded warns of packs with so many rules that nobody can tell them apart.
func crowded(files []File, read []readFile) source.Diagnostics {
	count := map[string]int{}
	for i, f := range read {
		count[cmp.Or(files[i].root, files[i].Path)] += len(f.rules) + len(f.broken)
	}
	var diags source.Diagnostics
	for _, pack := range slices.Sorted(maps.Keys(count)) {
		if n := count[pack]; n > manyRules {
			message := fmt.Sprintf("the pack holds %d rules; more than %d are hard to keep apart", n, manyRules)
			diags = append(diags, source.Diagnostic{Pos: source.Pos{File: pack}, Code: "too-long", Message: message, Warning: true})
		}
	}
	return diags
}
