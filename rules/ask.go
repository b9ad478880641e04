package rules

import (
	"errors"

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
	Steps   []Step // each operand
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
		out = append(out, a)
	}
	return out, nil
}
