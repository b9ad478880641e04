package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// write makes a folder of files; a name that ends with a slash is a folder.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestInputs(t *testing.T) {
	const kineto, export = `{"traceEvents": [`, "SQLite format 3\x00"
	t.Chdir(write(t, map[string]string{
		"runs/rank0.json":         kineto,
		"runs/rank1.json.gz":      gzipped(kineto),
		"runs/bare.json":          `[{"ph": "X"}]`,
		"runs/list.json":          `[1, 2]`,
		"runs/package.json":       `{"name": 1}`,
		"runs/deep/er/a.sqlite":   export,
		"runs/deep/er/a.nsys-rep": nsysMagic,
		"runs/deep/er/b.nsys-rep": nsysMagic,
		"runs/.hidden/trace.json": kineto,
		"runs/.trace.json":        kineto,
		"runs/log.txt":            "text",
		"other.json":              kineto,
		"odd[1].json":             kineto,
	}))
	folder := []string{"runs/bare.json", "runs/deep/er/a.sqlite", "runs/deep/er/b.nsys-rep", "runs/rank0.json", "runs/rank1.json.gz"}
	tests := []struct {
		name string
		args []string
		want []string
	}{
		{"a file is taken as it is", []string{"runs/log.txt"}, []string{"runs/log.txt"}},
		{"standard input", []string{"-"}, []string{"-"}},
		{"the traces of a folder, by content", []string{"runs"}, folder},
		{"a pattern", []string{"runs/rank*"}, []string{"runs/rank0.json", "runs/rank1.json.gz"}},
		{"a name that looks like a pattern", []string{"odd[1].json"}, []string{"odd[1].json"}},
		{"a pattern that finds such a name", []string{"odd*"}, []string{"odd[1].json"}},
		{"each file once", []string{"other.json", "./other.json", "*.json"}, []string{"other.json", "odd[1].json"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, in := range inputs(tt.args) {
				if in.err != nil {
					t.Error(in.err)
				}
				got = append(got, filepath.ToSlash(in.path))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
