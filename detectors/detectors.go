// Package detectors measures features of a timeline. A detector is one file: a registration and a function.
package detectors

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"perflint/detectors/feature"
	"perflint/detectors/parallel"
	"perflint/detectors/timeline"
)

// Detector is how one family of features is measured.
type Detector struct {
	Name     string // also the namespace of most of its features
	Doc      string
	Features []feature.Decl
	Needs    Needs
	Long     bool // it walks over all activities, calls or gaps several times, so it starts before the short ones
	Detect   func(*timeline.Lane, *feature.Set) error
}

// Needs is what a lane must have; else all features of the detector are missing, with the reason.
type Needs uint8

// What a detector may need.
const (
	GPUWork Needs = 1 << iota // GPU activities, and a window that takes time
	Results                   // the features of the others: it runs once they are measured, on the set that holds them
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

// Run measures all features of a lane, its detectors side by side on as many cores as Go may use. A detector that fails leaves
// its features missing; the others go on. What is measured does not depend on who is done first.
func Run(lane *timeline.Lane, schema *feature.Schema) *feature.Set {
	var alone, after []Detector
	for _, d := range All() {
		if d.Needs&Results != 0 {
			after = append(after, d)
		} else {
			alone = append(alone, d)
		}
	}
	slices.SortStableFunc(alone, func(a, b Detector) int { return order(b.Long, a.Long) })
	parts := make([]*feature.Set, len(alone))
	sideBySide(len(alone), func(i int) {
		parts[i] = feature.NewSet(schema, lane.ID)
		measure(alone[i], lane, parts[i])
	})
	set := feature.NewSet(schema, lane.ID)
	for _, part := range parts {
		set.Take(part)
	}
	for _, d := range after {
		measure(d, lane, set)
	}
	return set
}

// sideBySide calls do with every number below n, on as many goroutines as there are cores.
func sideBySide(n int, do func(i int)) {
	var next atomic.Int64
	var all parallel.Group
	for range min(n, runtime.GOMAXPROCS(0)) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	all.Wait()
}

func measure(d Detector, lane *timeline.Lane, set *feature.Set) {
	if reason := unmet(d.Needs, lane); reason != "" {
		set.Missing(reason, names(d)...)
		return
	}
	if err := detect(d, lane, set); err != nil {
		set.Missing(fmt.Sprintf("detector %s failed: %v", d.Name, err), names(d)...)
	}
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
