package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"perflint/rules"
	"perflint/rules/source"
)

// addPack names a folder of rules in the configuration file and leaves everything else in it as it is, comments too. It reports
// whether the file was changed: not when the folder is a pack already.
func addPack(conf *config, dir string) (bool, error) {
	if conf.path == "" {
		return false, errors.New("there is no configuration")
	}
	for _, p := range conf.Packs {
		if filepath.Clean(rules.Beside(p)) == filepath.Clean(dir) {
			return false, nil
		}
	}
	text, err := os.ReadFile(conf.path)
	if err != nil {
		return false, err
	}
	seen, err := seenFrom(conf.path, dir)
	if err != nil {
		return false, err
	}
	packs, err := conf.packsSeen()
	if err != nil {
		return false, err
	}
	packs = append(packs, seen)
	changed, ok := withPack(string(text), packs)
	if !ok {
		return false, fmt.Errorf("packs: [%s]", strings.Join(packs, ", "))
	}
	return true, replace(conf.path, []byte(changed))
}

// packsSeen is the packs that hold, as the configuration file itself would name them: those that it inherits too.
func (c *config) packsSeen() ([]string, error) {
	var out []string
	for _, p := range c.Packs {
		name := p.Value
		if name != rules.BuiltinPack && p.Path() != c.path {
			var err error
			if name, err = seenFrom(c.path, rules.Beside(p)); err != nil {
				return nil, err
			}
		}
		out = append(out, name)
	}
	return out, nil
}

// seenFrom is a path relative to a file.
func seenFrom(file, path string) (string, error) {
	from, err1 := filepath.Abs(filepath.Dir(file))
	to, err2 := filepath.Abs(path)
	if err := errors.Join(err1, err2); err != nil {
		return "", err
	}
	rel, err := filepath.Rel(from, to)
	if err != nil {
		return "", err
	}
	if rel = filepath.ToSlash(rel); !strings.HasPrefix(rel, "..") {
		rel = "./" + rel
	}
	return rel, nil
}

// withPack puts the last of packs into the text of a configuration in the way that the text is written. What comes out is read
// again before it is trusted: ok is false when none of the ways leads to exactly these packs.
func withPack(text string, packs []string) (changed string, ok bool) {
	docs, problems := source.Parse("", []byte(text))
	if problems.Failed() || len(docs) > 1 {
		return "", false
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	all := "packs: [" + strings.Join(packs, ", ") + "]"
	if len(docs) == 0 {
		changed = insert(lines, len(lines), "rules:", "  "+all)
	} else {
		changed = edit(lines, docs[0], all, packs[len(packs)-1])
	}
	docs, problems = source.Parse("", []byte(changed))
	if problems.Failed() || len(docs) != 1 {
		return "", false
	}
	list := docs[0].Get("rules").Get("packs")
	if list == nil || !slices.EqualFunc(list.Items, packs, func(n *source.Node, p string) bool { return n.Value == p }) {
		return "", false
	}
	return changed, true
}

// edit adds a pack to the list of a document, or the list of all packs where there is none.
func edit(lines []string, doc *source.Node, all, added string) string {
	section := doc.Get("rules")
	packs := section.Get("packs")
	switch {
	case section == nil:
		return insert(lines, len(lines), "", "rules:", "  "+all)
	case section.Kind == source.Null:
		i := slices.IndexFunc(doc.Fields, func(f source.Field) bool { return f.Value == section })
		return insert(lines, doc.Fields[i].Key.Pos().Line, "  "+all)
	case packs == nil && len(section.Fields) > 0:
		at := section.Fields[0].Key.Pos()
		return insert(lines, at.Line-1, strings.Repeat(" ", at.Col-1)+all)
	case packs == nil || packs.Kind != source.List || len(packs.Items) == 0:
		return ""
	}
	last := packs.Items[len(packs.Items)-1].Pos()
	line := []rune(lines[last.Line-1])
	if dash := string(line[:last.Col-1]); strings.TrimSpace(dash) == "-" {
		return insert(lines, last.Line, dash+added)
	}
	head, tail, _ := strings.Cut(string(line[last.Col-1:]), "]")
	lines[last.Line-1] = string(line[:last.Col-1]) + head + ", " + added + "]" + tail
	return strings.Join(lines, "\n") + "\n"
}

// insert puts lines behind the first n.
func insert(lines []string, n int, more ...string) string {
	return strings.Join(slices.Concat(lines[:n], more, lines[n:]), "\n") + "\n"
}
