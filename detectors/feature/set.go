package feature

import (
	"fmt"
	"math"
	"slices"

	"perflint/detectors/span"
)

// Lane is whose features a set holds: one GPU of one process of one trace.
type Lane struct {
	Trace   int    // index of the file in this run
	Process int64  // 0 unknown
	Rank    int    // -1 unknown
	GPU     int    // -1: a process without GPU work
	Name    string // of the GPU, may be empty
}

// Place points into a trace and, where the trace knows it, into source code.
type Place struct {
	Start, Dur     float64 // µs since the trace's first event
	Track          string  // "GPU 0 stream 7", "thread 4711"
	Op, Frame      string
	File, Function string
	Line           int // 0 unknown; Kineto gives the line where the function is defined
}

// Set is the measured features of one lane (or of the job). It refuses what its schema does not declare, a value of
// another type, NaN and infinities: those become missing and are kept as problems, which are errors of perflint.
type Set struct {
	Lane     Lane
	schema   *Schema
	values   map[string]any
	missing  map[string]string
	problems []string
}

// NewSet is an empty set of that schema.
func NewSet(schema *Schema, lane Lane) *Set {
	return &Set{Lane: lane, schema: schema, values: map[string]any{}, missing: map[string]string{}}
}

// Schema is what the set may hold.
func (s *Set) Schema() *Schema { return s.schema }

// Float sets a number.
func (s *Set) Float(name string, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		s.refuse(name, fmt.Sprintf("%s was set to %v", name, v))
		return
	}
	s.put(name, Float, v)
}

// Int sets a whole number.
func (s *Set) Int(name string, v int64) { s.put(name, Int, v) }

// Bool sets a yes or no.
func (s *Set) Bool(name string, v bool) { s.put(name, Bool, v) }

// Text sets words. What comes from the trace is kept as it is; escaping happens where it is printed.
func (s *Set) Text(name, v string) { s.put(name, Text, v) }

// List sets records, most important first; those beyond MaxRecords are dropped. Their intervals are packed as those of Spans are.
func (s *Set) List(name string, v []Record) {
	d := s.schema.byName[name]
	for _, r := range v {
		for field, value := range r {
			if f, ok := d.Field(field); !ok || !fits(f.Type, value) {
				s.refuse(name, fmt.Sprintf("%s has no field %s for a %T", name, field, value))
				return
			}
			r[field] = kept(value)
		}
	}
	s.put(name, List, v[:min(len(v), MaxRecords)])
}

// Missing says why a feature could not be measured. The reason is read by the user: it names the flag that would help.
func (s *Set) Missing(reason string, names ...string) {
	for _, name := range names {
		if _, ok := s.schema.byName[name]; !ok {
			s.problems = append(s.problems, "undeclared feature "+name)
			continue
		}
		delete(s.values, name)
		s.missing[name] = reason
	}
}

// Get is the value of a feature, if it was measured; see Record.SpansOf for the intervals in records.
func (s *Set) Get(name string) (any, bool) {
	v, ok := s.values[name]
	if p, packed := v.(span.Packed); packed {
		return p.Set(), ok
	}
	return v, ok
}

// Has reports whether a feature was measured.
func (s *Set) Has(name string) bool {
	_, ok := s.values[name]
	return ok
}

// Number is the value of a Float or Int feature as float64.
func (s *Set) Number(name string) (float64, bool) {
	switch v := s.values[name].(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	}
	return 0, false
}

// Reason tells why a feature is missing; empty when it was measured.
func (s *Set) Reason(name string) string {
	if _, ok := s.values[name]; ok {
		return ""
	}
	if r, ok := s.missing[name]; ok {
		return r
	}
	return "not measured"
}

// Settled reports whether a feature was either measured or marked missing.
func (s *Set) Settled(name string) bool {
	_, measured := s.values[name]
	_, missing := s.missing[name]
	return measured || missing
}

// Problems is what was refused, each an error of perflint.
func (s *Set) Problems() []string { return slices.Clone(s.problems) }

// Take adds what part, a set of the same schema, holds; of a feature that both have, part knows better.
func (s *Set) Take(part *Set) {
	for name, v := range part.values {
		delete(s.missing, name)
		s.values[name] = v
	}
	for name, reason := range part.missing {
		delete(s.values, name)
		s.missing[name] = reason
	}
	s.problems = append(s.problems, part.problems...)
}

func (s *Set) put(name string, t Type, v any) {
	d, ok := s.schema.byName[name]
	if !ok {
		s.problems = append(s.problems, "undeclared feature "+name)
		return
	}
	if d.Type != t {
		s.refuse(name, fmt.Sprintf("%s is %s, not %s", name, d.Type, t))
		return
	}
	delete(s.missing, name)
	s.values[name] = v
}

func (s *Set) refuse(name, problem string) {
	s.problems = append(s.problems, problem)
	delete(s.values, name)
	s.missing[name] = "internal error of perflint: " + problem
}

func fits(t Type, v any) bool {
	switch v := v.(type) {
	case float64:
		return t == Float && !math.IsNaN(v) && !math.IsInf(v, 0)
	case int64:
		return t == Int
	case bool:
		return t == Bool
	case string:
		return t == Text
	case span.Set, span.Packed:
		return t == Spans
	}
	return false
}
