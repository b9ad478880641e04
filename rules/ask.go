package rules

import (
	"errors"
	"maps"
	"slices"

	"github.com/expr-lang/expr/parser"

	"perflint/detectors/feature"
	"perflint/rules/source"
)

// Answer is the value of an expression on one lane.
type Answer struct {
	Lane    int // index in the input
	Value   any // nil when it could not be judged
	Unit    feature.Unit
	Reason  string // why it could not
	Missing []string
	Steps   []Step       // each operand
	Entries [][]Evidence // of a list: the fields of each of its records, but for empty texts and zeros, or a value; else nil
}

// Ask evaluates one expression on every lane. Its mistakes are diagnostics of a file that is called expression.
func Ask(schema *feature.Schema, expression string, in Input) ([]Answer, source.Diagnostics) {
	l, r := newLanguage(schema), &reader{}
	e := l.expression(r, source.Inline("expression", expression), anything)
	if e == nil {
		return nil, r.diags
	}
	var out []Answer
	for i, lane := range in.Lanes {
		s := newScene(lane, in.Job, i)
		s.bind(e.names.features(), nil)
		a := Answer{Lane: i, Unit: e.unit, Steps: l.inspect(expression, s)}
		v, err := e.run(s)
		var why *abstention
		if errors.As(err, &why) {
			a.Reason, a.Missing = why.reason, why.missing
		}
		a.Value = v
		a.Entries = entriesOf(v, l.listed(expression))
		out = append(out, a)
	}
	return out, nil
}

// listed is the list feature that an expression gives records of, nil when there is none.
func (l language) listed(expression string) *feature.Decl {
	tree, err := parser.ParseWithConfig(expression, l.base)
	if err != nil {
		return nil
	}
	return (&walker{language: l, names: &names{}}).list(tree.Node)
}

// entriesOf is nil for what is no list. The fields of a record come in the order of their declaration, where that is known.
func entriesOf(v any, of *feature.Decl) [][]Evidence {
	list, ok := v.([]any)
	if !ok {
		return nil
	}
	out := make([][]Evidence, 0, len(list))
	for _, item := range list {
		record, ok := item.(map[string]any)
		if !ok {
			out = append(out, []Evidence{{Value: item}})
			continue
		}
		var fields []Evidence
		for _, d := range fieldsOf(record, of) {
			switch value := record[d.Name]; value {
			case nil, "", 0.0, int64(0):
			default:
				fields = append(fields, Evidence{Label: d.Name, Value: value, Unit: d.Unit})
			}
		}
		out = append(out, fields)
	}
	return out
}

func fieldsOf(record map[string]any, of *feature.Decl) []feature.Decl {
	if of != nil {
		return of.Fields
	}
	var out []feature.Decl
	for _, name := range slices.Sorted(maps.Keys(record)) {
		out = append(out, feature.Decl{Name: name, Unit: suffixUnit(name)})
	}
	return out
}
