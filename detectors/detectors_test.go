package detectors

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"perflint/detectors/feature"
	"perflint/detectors/timeline"
)

// A detector that fails leaves its features missing, the others go on.
func TestADetectorThatFails(t *testing.T) {
	s := draw()
	s.launch("a", 0, 1, 7, 10, 20)
	lane := timeline.Lanes(s.Build(), timeline.Options{Step: -1})[0]
	set := feature.NewSet(Schema(), lane.ID)
	for want, f := range map[string]func(*timeline.Lane, *feature.Set) error{
		"":                      func(*timeline.Lane, *feature.Set) error { return nil },
		"too much":              func(*timeline.Lane, *feature.Set) error { return errors.New("too much") },
		"internal error: sorry": func(*timeline.Lane, *feature.Set) error { panic("sorry") },
	} {
		err := detect(Detector{Detect: f}, lane, set)
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestDetectorsAreInOrderAndDocumented(t *testing.T) {
	all := All()
	if !slices.IsSortedFunc(all, func(a, b Detector) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("not sorted by name")
	}
	var check func(where string, decls []feature.Decl)
	check = func(where string, decls []feature.Decl) {
		for _, d := range decls {
			if d.Doc == "" || strings.HasSuffix(d.Doc, ".") {
				t.Errorf("%s%s: %q", where, d.Name, d.Doc)
			}
			if strings.HasSuffix(d.Name, "_us") != (d.Unit == feature.Us) || strings.HasSuffix(d.Name, "_bytes") && d.Unit != feature.Bytes {
				t.Errorf("%s%s is in %q", where, d.Name, d.Unit)
			}
			check(d.Name+".", d.Fields)
		}
	}
	for _, d := range all {
		if d.Doc == "" || len(d.Features) == 0 || d.Detect == nil {
			t.Errorf("detector %s says nothing", d.Name)
		}
		check("", d.Features)
	}
}

func TestSideBySideDoesEverythingOnce(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		times := make([]atomic.Int32, n)
		sideBySide(n, func(i int) { times[i].Add(1) })
		for i := range times {
			if got := times[i].Load(); got != 1 {
				t.Errorf("%d of %d was done %d times", i, n, got)
			}
		}
	}
}
