// Package detectors measures features of a timeline. A detector is one file: a registration and a function.
package detectors

import (
	"fmt"
	"slices"
	"strings"

	"perflint/detectors/feature"
	"perflint/detectors/timeline"
)

// Detector is how one family of features is measured.
type Detector struct {
	Name     string // also the namespace of most of its features
	Doc      string
	Features []feature.Decl
	Needs    Needs
	Detect   func(*timeline.Lane, *feature.Set) error
}

// Needs is what a lane must have; else all features of the detector are missing, with the reason.
type Needs uint8

// What a detector may need.
const (
	GPUWork Needs = 1 << iota // GPU activities, and a window that takes time
)

var registry []Detector

func register(d Detector) Detector {
	registry = append(registry, d)
	return d
}

// All is every detector, sorted by name.
func All() []Detector {
	out := slices.Clone(registry)
	slices.SortFunc(out, func(a, b Detector) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Schema is the features of all detectors.
func Schema() *feature.Schema {
	var decls []feature.Decl
	for _, d := range All() {
		decls = append(decls, d.Features...)
	}
	s, err := feature.NewSchema(decls...)
	if err != nil {
		panic(err) // a mistake of a registration, met by every test
	}
	return s
}

// Run measures all features of a lane. A detector that fails leaves its features missing; the others go on.
func Run(lane *timeline.Lane, schema *feature.Schema) *feature.Set {
	set := feature.NewSet(schema, lane.ID)
	for _, d := range All() {
		if reason := unmet(d.Needs, lane); reason != "" {
			set.Missing(reason, names(d)...)
			continue
		}
		if err := detect(d, lane, set); err != nil {
			set.Missing(fmt.Sprintf("detector %s failed: %v", d.Name, err), names(d)...)
		}
	}
	return set
}

func detect(d Detector, lane *timeline.Lane, set *feature.Set) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error: %v", r)
		}
	}()
	return d.Detect(lane, set)
}

func unmet(n Needs, lane *timeline.Lane) string {
	if n&GPUWork == 0 {
		return ""
	}
	return lane.Absence()
}

func names(d Detector) []string {
	var out []string
	for _, f := range d.Features {
		out = append(out, f.Name)
	}
	return out
}
