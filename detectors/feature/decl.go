// Package feature is the contract between detectors and rules: names, types, units and measured values.
//
// A feature that could not be measured is missing with a reason that its reader can act on; it is never zero instead.
package feature

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Type of a feature's value.
type Type uint8

// The types, with the Go type of a value in brackets.
const (
	Float Type = iota // number (float64)
	Int               // whole number (int64)
	Bool              // yes or no (bool)
	Text              // words (string)
	Spans             // a set of intervals of the window (span.Set)
	List              // records ([]Record), at most MaxRecords
)

var typeNames = [...]string{"number", "integer", "bool", "text", "intervals", "list"}

func (t Type) String() string { return typeNames[t] }

// Unit of a number. It decides how the number is printed.
type Unit string

// The units.
const (
	NoUnit Unit = ""
	Frac   Unit = "frac"  // a share in [0,1], printed as a percentage
	Ratio  Unit = "ratio" // a quotient
	Us     Unit = "us"    // microseconds
	Bytes  Unit = "bytes"
	Count  Unit = "count"
	Gbps   Unit = "gbps" // 1e9 bytes a second
)

// Decl is what a feature is, before any trace is read.
type Decl struct {
	Name   string
	Type   Type
	Unit   Unit
	Doc    string // one sentence
	Fields []Decl // of a List's records
	Words  bool   // of a Text: perflint's own, in Markdown, with nothing of the trace in them
}

// MaxRecords is the longest list a feature may hold: the bound that keeps rules of strangers from running long.
const MaxRecords = 100

// Record is one entry of a List: field name to value, typed as the List's Fields say. A field that is not known is absent.
type Record map[string]any

// Schema is all features that exist, by name.
type Schema struct {
	byName map[string]Decl
	names  []string // sorted
}

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$`)

// NewSchema collects declarations; two of one name, or a name that is not namespace.feature, are an error.
func NewSchema(decls ...Decl) (*Schema, error) {
	s := &Schema{byName: make(map[string]Decl, len(decls))}
	for _, d := range decls {
		if !nameForm.MatchString(d.Name) {
			return nil, fmt.Errorf("feature %q is not named namespace.feature", d.Name)
		}
		if _, twice := s.byName[d.Name]; twice {
			return nil, fmt.Errorf("feature %s is declared twice", d.Name)
		}
		s.byName[d.Name] = d
		s.names = append(s.names, d.Name)
	}
	slices.Sort(s.names)
	return s, nil
}

// Lookup finds a declaration.
func (s *Schema) Lookup(name string) (Decl, bool) {
	d, ok := s.byName[name]
	return d, ok
}

// Names is all feature names, sorted.
func (s *Schema) Names() []string { return s.names }

// Field finds the declaration of a record's field.
func (d Decl) Field(name string) (Decl, bool) {
	for _, f := range d.Fields {
		if f.Name == name {
			return f, true
		}
	}
	return Decl{}, false
}

// Namespace is the part of a feature name before the dot.
func Namespace(name string) string {
	ns, _, _ := strings.Cut(name, ".")
	return ns
}
