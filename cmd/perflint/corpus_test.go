package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perflint/report"
)

// The corpus is a folder of real traces with a table of what to expect. Every file in it gives a report in every format, or
// one sentence and exit code 2.
func TestCorpus(t *testing.T) {
	corpus := os.Getenv("PERFLINT_CORPUS")
	if corpus == "" {
		t.Skip("PERFLINT_CORPUS names no folder of real traces")
	}
	data, err := os.ReadFile(filepath.Join(corpus, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var expected map[string]struct {
		NotATrace bool `json:"not_a_trace"`
	}
	if err := json.Unmarshal(data, &expected); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(corpus, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(corpus, path)
		want, known := expected[filepath.ToSlash(name)]
		if !known {
			return err
		}
		t.Run(name, func(t *testing.T) {
			if want.NotATrace {
				refuses(t, path)
			} else {
				reports(t, path)
			}
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func refuses(t *testing.T, path string) {
	code, stdout, stderr := call(t, &Command{}, path)
	first, rest, _ := strings.Cut(stderr, "\n")
	if code != exitFailed || stdout != "" || !strings.HasPrefix(first, "perflint: "+path) || rest != "" && !strings.HasPrefix(rest, "    ") {
		t.Errorf("code %d, stdout %q, stderr %q; want 2 and one sentence", code, stdout, stderr)
	}
}

func reports(t *testing.T, path string) {
	code, saved, stderr := call(t, &Command{}, "-f", "json", path)
	if code != exitOK && code != exitFindings {
		t.Fatalf("code %d, %s", code, stderr)
	}
	for line := range strings.Lines(stderr) {
		if !strings.Contains(line, ": warning: ") {
			t.Errorf("stderr: %s", line)
		}
	}
	for _, format := range report.Formats() {
		c := &Command{Stdin: strings.NewReader(saved)}
		if code, out, stderr := call(t, c, "render", "-f", format, "-"); code != exitOK || stderr != "" || format != "none" && out == "" {
			t.Errorf("-f %s: code %d, %d bytes, %s", format, code, len(out), stderr)
		} else if i := bytes.IndexFunc([]byte(out), acts); i >= 0 {
			t.Errorf("-f %s: %q acts on a terminal", format, out[max(0, i-20):i+1])
		}
	}
}

// acts is the characters that a terminal obeys.
func acts(r rune) bool { return r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 }
