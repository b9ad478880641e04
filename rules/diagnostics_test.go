package rules

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			f := File{filepath.Base(file), data}
			rule, err := ReadPath("testdata/gpu-idle-high.yaml")
			if err != nil {
				t.Fatal(err)
			}
			rs, diags := Load(testSchema(t), append(rule, f)...)
			_, more := rs.LoadTests(f)
			golden(t, strings.TrimSuffix(file, ".yaml")+".out", append(diags, more...).String())
		})
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
