package rules

import (
	"path/filepath"
	"slices"

	"perflint/rules/source"
)

// pack is what a pack.yaml says of the rules in its folder and below.
type pack struct {
	name, version string
	ceiling       Severity // no finding of the pack rises higher
	tags          []string // of all its rules
	requires      *source.Node
	unfit         bool // needs another perflint: its rules are not read
}

var packFields = []field[pack]{
	{"name", "what the pack is called; its rules may be selected as NAME/ID", textShape, true, readPackName},
	{"version", "version of the pack", textShape, false, into(text, func(p *pack) *string { return &p.version })},
	{"requires", "versions of the rule language that the pack is for, such as >=0.1", textShape, false,
		into(raw, func(p *pack) **source.Node { return &p.requires })},
	{"severity", "highest severity of any finding of the pack", wordShape(ceilingWords), false, func(r *reader, n *source.Node, p *pack) {
		p.ceiling = Error - Severity(word(r, n, "severity", ceilingWords))
	}},
	{"tags", "tags of all rules of the pack", listShape(textShape), false, into(texts, func(p *pack) *[]string { return &p.tags })},
}

var ceilingWords = []string{"error", "warning", "info"}

func readPackName(r *reader, n *source.Node, p *pack) {
	p.name = text(r, n)
	if !idForm.MatchString(p.name) {
		r.report(n, "bad-id", "", "the name of a pack is lower-case words joined by hyphens; got %s", shown(n))
	}
}

// isPack tells the description of a pack from a rule by its name.
func (f File) isPack() bool {
	base := filepath.Base(f.Path)
	return base == "pack.yaml" || base == "pack.yml"
}

// packs are the descriptions among files, by their folder.
type packs map[string]*pack

func readPacks(r *reader, files []File) packs {
	out := packs{}
	for _, f := range files {
		if !f.isPack() {
			continue
		}
		docs, problems := source.Parse(f.Path, f.Data)
		r.diags = append(r.diags, problems...)
		for _, doc := range docs {
			p := &pack{ceiling: Error}
			if p.unfit = newer(r, doc.Get("requires")); !p.unfit {
				decode(r, doc, packFields, p, "name")
			}
			out[filepath.Dir(f.Path)] = p
		}
	}
	return out
}

// of is the description that holds for a file: that of its folder, or of the nearest one above; nil when there is none.
func (ps packs) of(path string) *pack {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if p, ok := ps[dir]; ok {
			return p
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// join makes a rule one of the pack.
func (p *pack) join(rule *Rule) {
	if p == nil {
		return
	}
	rule.Pack, rule.Ceiling = p.name, p.ceiling
	for _, t := range p.tags {
		if !slices.Contains(rule.Tags, t) {
			rule.Tags = append(rule.Tags, t)
		}
	}
}
