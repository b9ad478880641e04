package rules

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perflint/rules/source"
)

var update = flag.Bool("update", false, "rewrite expected output")

// Every file of testdata/bad makes the mistakes that its name tells, and no message may change by accident.
func TestBadFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			golden(t, strings.TrimSuffix(file, ".yaml")+".out", badFile(t, file).String())
		})
	}
}

// badFile is what is wrong with a file of rules or tests, read beside a rule that is called gpu-idle-high.
func badFile(t *testing.T, file string) source.Diagnostics {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f := File{Path: filepath.Base(file), Data: data}
	rule, err := ReadPath("testdata/gpu-idle-high.yaml")
	if err != nil {
		t.Fatal(err)
	}
	rs, diags := Load(testSchema(t), append(rule, f)...)
	_, more := rs.LoadTests(f)
	return append(diags, more...)
}

// catalogue is every code that a diagnostic may have: programs that read them rely on these words.
var catalogue = []string{
	"alias-not-allowed", "bad-id", "deep-closure", "deprecated-rule", "duplicate-field", "duplicate-rule", "dynamic-regexp", "missing-field", "needs-newer",
	"not-bool", "range-operator", "renamed-rule", "syntax", "template-syntax", "too-long", "type-mismatch", "unknown-feature",
	"unknown-field", "unknown-function", "unknown-namespace", "unknown-param", "unknown-rule", "unreadable", "unused-param",
	"wrong-type", "yaml-syntax",
}

func TestEveryCodeHasABadFile(t *testing.T) {
	var diags source.Diagnostics
	bad, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range bad {
		diags = append(diags, badFile(t, file)...)
	}
	configs, err := filepath.Glob("testdata/badconfig/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range configs {
		diags = append(diags, badConfig(t, file)...)
	}
	seen := map[string]bool{}
	for _, d := range diags {
		seen[d.Code] = true
	}
	if got := slices.Sorted(maps.Keys(seen)); !slices.Equal(got, catalogue) {
		t.Errorf("the bad files have the codes\n%v, the catalogue is\n%v", got, catalogue)
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; go test ./rules -update writes it", err)
	}
	if got != string(want) {
		t.Errorf("%s differs; go test ./rules -update rewrites it\ngot\n%s\nwant\n%s", file, got, want)
	}
}
