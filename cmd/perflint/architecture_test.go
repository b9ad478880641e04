package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// house is the import table: every package of ours, and which of ours it may import. A package that is not in it fails the
// test: a new room is a decision, not an accident. A trailing slash stands for the package and all below it.
var house = map[string][]string{
	"detectors/span":         {},
	"detectors/parallel":     {},
	"detectors/trace":        {"detectors/span", "detectors/parallel"},
	"detectors/trace/kineto": {"detectors/span", "detectors/parallel", "detectors/trace"},
	"detectors/trace/nsys":   {"detectors/span", "detectors/parallel", "detectors/trace"},
	"detectors/trace/chrome": {"detectors/span", "detectors/trace"},
	"detectors/feature":      {"detectors/span"},
	"detectors/timeline":     {"detectors/span", "detectors/parallel", "detectors/trace", "detectors/feature"},
	"detectors":              {"detectors/span", "detectors/parallel", "detectors/trace", "detectors/feature", "detectors/timeline"},
	"rules/source":           {},
	"rules":                  {"rules/source", "detectors/feature", "detectors/span", "detectors/parallel"},
	"report":                 {"rules", "rules/source", "detectors/feature", "detectors/span"},
	"fixtures/":              {"detectors/", "rules/", "report"},
	"cmd/perflint":           {"detectors/", "rules/", "report"},
}

// tenants is the one package that imports a third-party module. The fixtures' generator writes SQLite too.
var tenants = map[string][]string{
	"github.com/expr-lang/expr":       {"rules"},
	"gopkg.in/yaml.v3":                {"rules/source"},
	"github.com/charmbracelet/":       {"report"},
	"github.com/muesli/termenv":       {"report"},
	"github.com/yuin/goldmark":        {"report"},
	"github.com/spf13/":               {"cmd/perflint"},
	"golang.org/x/term":               {"cmd/perflint"},
	"zombiezen.com/go/sqlite":         {"detectors/trace/nsys", "fixtures/"},
	"github.com/klauspost/compress":   {"detectors/trace/kineto"},
	"github.com/rogpeppe/go-internal": {"cmd/perflint"},
	"perflint/detectors/trace/chrome": {"cmd/perflint", "fixtures/"},
	"perflint/detectors/trace/kineto": {"cmd/perflint", "fixtures/"},
	"perflint/detectors/trace/nsys":   {"cmd/perflint", "fixtures/"},
	"os/signal":                       {"cmd/perflint"},
	"database/sql":                    {},
	"log":                             {},
	"log/slog":                        {},
	"unsafe":                          {},
	"perflint/cmd/":                   {},
	"perflint/fixtures/":              {"fixtures/"},
}

type goPackage struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

func (p goPackage) name() string { return strings.TrimPrefix(p.ImportPath, "perflint/") }

func TestEveryPackageImportsOnlyWhatTheHouseAllows(t *testing.T) {
	for _, p := range packages(t) {
		allowed, ok := allowedIn(p.name())
		if !ok {
			t.Errorf("package %s is not in the import table of architecture_test.go: a new room is a decision", p.name())
		}
		for _, imported := range p.Imports {
			ours, found := strings.CutPrefix(imported, "perflint/")
			if found && !matchesAny(ours, allowed) {
				t.Errorf("%s must not import %s", p.name(), ours)
			}
		}
	}
}

func TestEveryModuleHasOneImporter(t *testing.T) {
	for _, p := range packages(t) {
		for _, imported := range p.Imports {
			importers, listed := tenantsOf(imported)
			if listed && !matchesAny(p.name(), importers) {
				t.Errorf("%s must not import %s, which belongs to %s", p.name(), imported, strings.Join(importers, ", "))
			}
			if !listed && strings.Contains(strings.Split(imported, "/")[0], ".") {
				t.Errorf("%s imports %s, which has no owner in architecture_test.go", p.name(), imported)
			}
		}
	}
}

// Tests may use what their package uses, the readers and the fixtures; but nothing may lean on the program.
func TestTestsDoNotImportTheProgram(t *testing.T) {
	for _, p := range packages(t) {
		for _, imported := range slices.Concat(p.TestImports, p.XTestImports) {
			if strings.HasPrefix(imported, "perflint/cmd/") {
				t.Errorf("a test of %s imports %s", p.name(), imported)
			}
		}
	}
}

func packages(t *testing.T) []goPackage {
	t.Helper()
	// With a profile, imports of the program would be named as those of a build with it.
	list := exec.Command("go", "list", "-pgo=off", "-json=ImportPath,Imports,TestImports,XTestImports", "perflint/...")
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []goPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if len(all) < 5 {
		t.Fatalf("go list found only %d packages", len(all))
	}
	return all
}

func allowedIn(name string) ([]string, bool) {
	if allowed, ok := house[name]; ok {
		return allowed, true
	}
	for room, allowed := range house {
		if matches(name, room) {
			return append(slices.Clone(allowed), room), true
		}
	}
	return nil, false
}

func tenantsOf(imported string) ([]string, bool) {
	for module, importers := range tenants {
		if matches(imported, module) || strings.Contains(module, ".") && strings.HasPrefix(imported, module+"/") {
			return importers, true
		}
	}
	return nil, false
}

// matches reports whether a path is that of a pattern, or below it where the pattern ends with a slash.
func matches(path, pattern string) bool {
	return path == pattern || strings.HasSuffix(pattern, "/") && strings.HasPrefix(path+"/", pattern)
}

func matchesAny(path string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(path, p) })
}
