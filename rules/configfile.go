package rules

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"perflint/detectors/feature"
	"perflint/rules/source"
)

// ConfigNames are what a configuration file may be called.
var ConfigNames = []string{".perflint.yaml", ".perflint.yml"}

// BuiltinPack is the name of the shipped rules in the list of packs.
const BuiltinPack = "builtin"

// maxExtends is how many files a configuration may rest on.
const maxExtends = 5

// Settings is a configuration: the defaults, what files say over them, and flags over those. Nodes know where they are from.
type Settings struct {
	Packs, Select, Ignore, Require []*source.Node
	Materiality                    Materiality
	FailOn, Show                   string
	MinFrac, MinUs                 float64      // a finding that saves less is hidden; one of them is 0
	Anchor, Baseline               *source.Node // nil: none
	Outputs                        []Output

	overrides []Override
	budgets   []budget
	suppress  []suppression
}

// Output is a report that is written to a file beside the one on the standard output.
type Output struct{ Format, Path *source.Node }

// defaults is the lowest layer of every configuration.
const defaults = `
rules: {packs: [builtin], select: [all], ignore: [], require: [], override: {}}
fail_on: error
show: info
min_saving: 0
materiality: {info: 1%, warning: 5%, error: 15%}
budget: {}
outputs: {}
suppress: []
`

// DefaultOrigin is the file that the defaults name as theirs.
const DefaultOrigin = "default"

// DefaultConfig is the lowest layer of every configuration.
func DefaultConfig() *source.Node {
	docs, _ := source.Parse(DefaultOrigin, []byte(defaults))
	return docs[0]
}

// ReadConfig reads a configuration file and, below it, those that it extends. Only what cannot be read at all is an error.
func ReadConfig(path string) (*source.Node, source.Diagnostics, error) {
	r := &reader{}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, fmt.Errorf("config %s: %w", path, withoutPath(err))
	}
	return readConfig(r, File{Path: path, Data: data}, 0), r.diags, nil
}

func readConfig(r *reader, f File, depth int) *source.Node {
	docs, problems := source.Parse(f.Path, f.Data)
	r.diags = append(r.diags, problems...)
	if len(docs) == 0 {
		return source.At(source.Given(f.Path, ""))
	}
	if len(docs) > 1 {
		r.report(docs[1], "wrong-type", "", "a configuration is one document")
	}
	doc := docs[0]
	base := doc.Get("extends")
	if base == nil || !base.Scalar() {
		return doc
	}
	path := Beside(base)
	data, err := os.ReadFile(path)
	switch {
	case !isYAML(path):
		r.report(base, "unreadable", "", "a configuration is called .yaml or .yml; got %s", path)
	case depth == maxExtends:
		r.report(base, "unreadable", "", "extends leads through more than %d files", maxExtends)
	case errors.Is(err, fs.ErrNotExist):
		r.report(base, "unreadable", "", "there is no file %s", path)
	case err != nil:
		r.report(base, "unreadable", "", "%s: %v", path, withoutPath(err))
	default:
		return source.Merge(readConfig(r, File{Path: path, Data: data}, depth+1), doc.Without("extends"))
	}
	return doc
}

// Beside is the path that a value means: relative to the file that it stands in, or as it is when it was given otherwise.
func Beside(n *source.Node) string {
	if n.Pos().Line == 0 || filepath.IsAbs(n.Value) {
		return n.Value
	}
	return filepath.Join(filepath.Dir(n.Path()), filepath.FromSlash(n.Value))
}

// ReadSettings reads a configuration whose layers have been merged.
func ReadSettings(merged *source.Node) (*Settings, source.Diagnostics) {
	r, s := &reader{}, &Settings{}
	decode(r, merged, configFields, s, "")
	r.diags.Sort()
	return s, r.diags
}

var configFields = []field[Settings]{
	{"version", "version of this format, always 1", shape{"const": 1}, false, func(r *reader, n *source.Node, _ *Settings) {
		if n.Value != "1" {
			r.report(n, "wrong-type", "", "version must be 1, got %s", shown(n))
		}
	}},
	{"extends", "another configuration file, over which this one is laid", textShape, false, func(r *reader, n *source.Node, _ *Settings) { text(r, n) }},
	{"rules", "which rules are judged, and how", mapShape(selectionFields), false, func(r *reader, n *source.Node, s *Settings) { decode(r, n, selectionFields, s, "") }},
	{"fail_on", "level of finding that makes the exit code 1", wordShape(failWords), false,
		func(r *reader, n *source.Node, s *Settings) { s.FailOn = failWords[word(r, n, "fail_on", failWords)] }},
	{"show", "lowest level that is shown; never changes the exit code", wordShape(levelWords), false,
		func(r *reader, n *source.Node, s *Settings) { s.Show = levelWords[word(r, n, "show", levelWords)] }},
	{"min_saving", "findings that save less are not shown: 1% or 500us", scalarShape, false, readMinSaving},
	{"materiality", "shares of the window from which a claim is a finding of that level", mapShape(materialityFields), false, readMateriality},
	{"budget", "what a feature may come to: its name to the largest value, or to max, min and severity", budgetsShape(), false, readBudgets},
	{"anchor", "FILE[:LINE] for annotations where the trace names no source", textShape, false, into(scalar, func(s *Settings) **source.Node { return &s.Anchor })},
	{"baseline", "an earlier JSON report: what is in it already is not reported again", textShape, false, into(scalar, func(s *Settings) **source.Node { return &s.Baseline })},
	{"outputs", "reports to write beside the standard output: format to path", shape{"type": "object", "additionalProperties": textShape}, false, readOutputs},
	{"suppress", "findings that are accepted, each with a reason", listShape(mapShape(suppressFields)), false, readSuppressions},
}

var failWords, levelWords = []string{"error", "warning", "info", "never"}, []string{"error", "warning", "info"}

var selectionFields = []field[Settings]{
	{"packs", "folders or files of rules, and builtin for the shipped ones", listShape(textShape), false, into(scalars, func(s *Settings) *[]*source.Node { return &s.Packs })},
	{"select", "judge only these: ids, globs such as comm-*, tag:NAME, all", listShape(textShape), false, into(scalars, func(s *Settings) *[]*source.Node { return &s.Select })},
	{"ignore", "leave these out: ids, globs, tag:NAME", listShape(textShape), false, into(scalars, func(s *Settings) *[]*source.Node { return &s.Ignore })},
	{"require", "ids of rules that must be judged: the exit code is 1 when one could not be", listShape(textShape), false,
		into(scalars, func(s *Settings) *[]*source.Node { return &s.Require })},
	{"override", "rule id to severity and params", shape{"type": "object", "additionalProperties": mapShape(overrideFields)}, false, readOverrides},
}

func scalar(r *reader, n *source.Node) *source.Node {
	text(r, n)
	return n
}

func scalars(r *reader, n *source.Node) []*source.Node {
	texts(r, n)
	return slices.DeleteFunc(slices.Clone(n.Items), func(i *source.Node) bool { return !i.Scalar() })
}

// overrideFields say what is set about one rule; its id is not among them.
var overrideFields = []field[overrideDraft]{
	{"severity", "auto, error, warning, info, or off", wordShape(overrideSeverities), false, into(raw, func(o *overrideDraft) **source.Node { return &o.severity })},
	{"params", "parameter to value", shape{"type": "object", "additionalProperties": scalarShape}, false, into(raw, func(o *overrideDraft) **source.Node { return &o.params })},
}

type overrideDraft struct{ severity, params *source.Node }

func readOverrides(r *reader, n *source.Node, s *Settings) {
	for _, f := range fields(r, n) {
		var d overrideDraft
		if f.Value.Scalar() {
			r.report(f.Value, "wrong-type", "write {severity: ...} or {params: ...}", "expected a map, got %s", f.Value.Kind)
			continue
		}
		decode(r, f.Value, overrideFields, &d, "")
		if d.severity != nil {
			s.overrides = append(s.overrides, Override{Rule: f.Key.Value, Value: text(r, d.severity), At: d.severity, rule: f.Key})
		}
		if d.params == nil {
			continue
		}
		for _, p := range fields(r, d.params) {
			s.overrides = append(s.overrides, Override{Rule: f.Key.Value, Param: p.Key.Value, Value: text(r, p.Value), At: p.Value, rule: f.Key, param: p.Key})
		}
	}
}

// fields are those of a map.
func fields(r *reader, n *source.Node) []source.Field {
	if n.Kind != source.Map {
		r.report(n, "wrong-type", "", "expected a map, got %s", n.Kind)
	}
	return n.Fields
}

func readMinSaving(r *reader, n *source.Node, s *Settings) {
	v, unit, ok := number(n.Value)
	switch {
	case !ok || v < 0 || unit == feature.NoUnit && v != 0 || unit != feature.NoUnit && unit != feature.Frac && unit != feature.Us:
		r.report(n, "wrong-type", "", "%s is neither a share such as 1%% nor a time such as 500us", shown(n))
	case unit == feature.Frac:
		s.MinFrac = v
	default:
		s.MinUs = v
	}
}

var materialityFields = []field[Materiality]{
	{"info", "from here on a claim is a finding", scalarShape, false, into(share, func(m *Materiality) *float64 { return &m.Info })},
	{"warning", "from here on it is a warning", scalarShape, false, into(share, func(m *Materiality) *float64 { return &m.Warning })},
	{"error", "from here on it is an error", scalarShape, false, into(share, func(m *Materiality) *float64 { return &m.Error })},
}

func share(r *reader, n *source.Node) float64 {
	v, ok := numberOf(n.Value, feature.Frac)
	if !ok || v < 0 || v > 1 {
		r.report(n, "wrong-type", "", "expected a share between 0 and 1, such as 5%%, got %s", shown(n))
	}
	return v
}

func readMateriality(r *reader, n *source.Node, s *Settings) {
	decode(r, n, materialityFields, &s.Materiality, "")
	if m := s.Materiality; m.Info > m.Warning || m.Warning > m.Error {
		r.report(n, "wrong-type", "", "the limits must grow from info to error")
	}
}

func readOutputs(r *reader, n *source.Node, s *Settings) {
	for _, f := range fields(r, n) {
		if text(r, f.Value) != "" {
			s.Outputs = append(s.Outputs, Output{f.Key, f.Value})
		}
	}
}
