package rules

import (
	"errors"
	"fmt"

	"github.com/expr-lang/expr/vm"

	"perflint/detectors/feature"
	"perflint/detectors/span"
)

// scene is what an expression is run on: the features of a lane and of the job, parameters, and in a foreach a record.
type scene struct {
	lane  *feature.Set // may be nil
	job   *feature.Set // may be nil
	index int          // of lane in the input
	env   map[string]any
	it    feature.Record
}

func newScene(lane, job *feature.Set, index int) *scene {
	return &scene{lane: lane, job: job, index: index, env: map[string]any{}}
}

// set is the one of the two that has the feature.
func (s *scene) set(name string) *feature.Set {
	if feature.Namespace(name) == "job" {
		return s.job
	}
	return s.lane
}

func (s *scene) get(name string) (any, bool) {
	if set := s.set(name); set != nil {
		return set.Get(name)
	}
	return nil, false
}

func (s *scene) spans(name string) (span.Set, bool) {
	v, ok := s.get(name)
	set, isSpans := v.(span.Set)
	return set, ok && isSpans
}

// reason tells why a feature is missing.
func (s *scene) reason(name string) string {
	set := s.set(name)
	switch {
	case set != nil:
		return set.Reason(name)
	case feature.Namespace(name) == "job":
		return "this is one trace of one process; give the traces of all ranks"
	}
	return "there is no lane"
}

// window is the length of W in µs, 0 when it is not known.
func (s *scene) window() float64 {
	if s.lane == nil {
		return 0
	}
	w, _ := s.lane.Number("gpu.window_us")
	return w
}

// bind makes the features that are named, and the parameters, visible to expressions.
func (s *scene) bind(features []string, params map[string]any) {
	s.env["params"] = params
	for _, name := range features {
		ns := feature.Namespace(name)
		space, ok := s.env[ns].(map[string]any)
		if !ok {
			space = map[string]any{} // also when nothing in it is measured: expr cannot look into nothing
			s.env[ns] = space
		}
		key := name[len(ns)+1:]
		if _, done := space[key]; done {
			continue
		}
		v, _ := s.get(name)
		if records, ok := v.([]feature.Record); ok {
			v = s.list(name, records)
		}
		space[key] = v
	}
}

// list is records as expr takes them: []any of map[string]any, anything else crashes its compiler (1.17.8).
func (s *scene) list(name string, records []feature.Record) []any {
	d, _ := s.set(name).Schema().Lookup(name)
	out := make([]any, len(records))
	for i, r := range records {
		out[i] = visibleFields(d, r)
	}
	return out
}

// visibleFields leaves out intervals. A text that is not known is empty; any other field that is not known is nil, and reading
// it is an error.
func visibleFields(d feature.Decl, r feature.Record) map[string]any {
	m := make(map[string]any, len(d.Fields))
	for _, f := range d.Fields {
		switch v, ok := r[f.Name]; {
		case f.Type == feature.Spans:
		case ok:
			m[f.Name] = v
		case f.Type == feature.Text:
			m[f.Name] = ""
		default:
			m[f.Name] = nil
		}
	}
	return m
}

// each makes a record visible as it.
func (s *scene) each(d feature.Decl, r feature.Record) {
	s.it = r
	s.env["it"] = visibleFields(d, r)
}

// abstention is why an expression could not be judged.
type abstention struct {
	reason  string
	missing []string
}

func (a *abstention) Error() string { return a.reason }

// run evaluates. The error is an *abstention.
func (e *expression) run(s *scene) (any, error) {
	if missing := s.missing(e.names.needs()); missing != nil {
		return nil, missing
	}
	v, err := vm.Run(e.program, s.env)
	if err == nil {
		return v, nil
	}
	var unknown unknownValue
	switch {
	case errors.Is(err, errDivision):
		return nil, &abstention{reason: fmt.Sprintf("division by zero in %s", e.line())}
	case errors.As(err, &unknown):
		if why := s.known(unknown.name); why != nil {
			return nil, why
		}
		return nil, &abstention{reason: unknown.Error() + " for every record"}
	}
	message, _, _ := location(err, 0)
	return nil, &abstention{reason: fmt.Sprintf("%s in %s", message, e.line())}
}

// known is the abstention for a name that may be a feature's.
func (s *scene) known(name string) *abstention {
	if set := s.set(name); set != nil {
		if _, declared := set.Schema().Lookup(name); declared {
			return s.missing([]string{name})
		}
	}
	return nil
}

// missing is the abstention for the features of a list that were not measured, nil when all were. The reason is the first one's.
func (s *scene) missing(names []string) *abstention {
	var a *abstention
	for _, name := range names {
		if set := s.set(name); set != nil && set.Has(name) {
			continue
		}
		if a == nil {
			a = &abstention{reason: s.reason(name)}
		}
		a.missing = append(a.missing, name)
	}
	return a
}

// holds evaluates a condition; a nil expression gives otherwise.
func (e *expression) holds(s *scene, otherwise bool) (bool, error) {
	if e == nil {
		return otherwise, nil
	}
	v, err := e.run(s)
	if err != nil {
		return false, err
	}
	b, ok := v.(bool)
	if !ok {
		return false, &abstention{reason: fmt.Sprintf("%s is neither true nor false", e.line())}
	}
	return b, nil
}

// number evaluates to a number; a nil expression gives otherwise.
func (e *expression) number(s *scene, otherwise float64) (float64, error) {
	if e == nil {
		return otherwise, nil
	}
	v, err := e.run(s)
	if err != nil {
		return 0, err
	}
	n, ok := float(v)
	if !ok {
		return 0, &abstention{reason: fmt.Sprintf("%s is no number", e.line())}
	}
	return n, nil
}
