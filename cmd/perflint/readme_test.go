package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// elision is a line of a transcript that stands for any number of lines.
const elision = "…"

var fence = regexp.MustCompile("(?ms)^```(\\w+)(?: (\\S+))?\n(.*?)^```$")

// The files that a guide gives and the commands that it runs happen in an empty folder beside the fixtures, in the order of the
// page, and its transcripts must be what the program prints there. With -update they are rewritten; a transcript that elides lines
// keeps the number of lines around them.
func TestTranscripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"README.md", "rules/README.md"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(root, name)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(besideFixtures(t, root))
			got := fence.ReplaceAllFunc(text, func(block []byte) []byte {
				m := fence.FindSubmatch(block)
				switch {
				case len(m[2]) > 0:
					put(t, string(m[2]), m[3])
				case string(m[1]) == "console":
					return []byte("```console\n" + replay(t, string(m[3])) + "```")
				}
				return block
			})
			if *update {
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
			} else if !bytes.Equal(got, text) {
				t.Errorf("%s is not what perflint prints; go test ./cmd/perflint -update rewrites it to\n%s", name, got)
			}
		})
	}
}

func besideFixtures(t *testing.T, root string) string {
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(root, "fixtures"), filepath.Join(dir, "fixtures")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func put(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, data, 0o644)); err != nil {
		t.Fatal(err)
	}
}

// replay runs each command of a transcript and returns the transcript with what it printed.
func replay(t *testing.T, transcript string) string {
	var out strings.Builder
	for _, part := range strings.Split("\n"+transcript, "\n$ ")[1:] {
		line, expected, _ := strings.Cut(part, "\n")
		args := words(line)
		if args[0] != "perflint" {
			t.Errorf("a transcript may only run perflint, not %s", args[0])
			continue
		}
		var printed bytes.Buffer
		c := &Command{Stdin: strings.NewReader(""), Stdout: &printed, Stderr: &printed, Env: func(string) string { return "" }}
		c.Main(t.Context(), args[1:])
		out.WriteString("$ " + line + "\n" + abridge(printed.String(), expected))
	}
	return out.String()
}

// words splits a command line at blanks outside double quotes.
func words(line string) []string {
	var out []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}

// abridge shortens what was printed the way the transcript does: as many lines before and after the elision.
func abridge(printed, expected string) string {
	want := strings.Split(strings.TrimSuffix(expected, "\n"), "\n")
	at := slices.Index(want, elision)
	lines := strings.Split(strings.TrimSuffix(printed, "\n"), "\n")
	if after := len(want) - at - 1; at > 0 && at+after < len(lines) {
		lines = slices.Concat(lines[:at], []string{elision}, lines[len(lines)-after:])
	}
	return strings.Join(lines, "\n") + "\n"
}

// The README's Go files must compile where it says they go.
func TestReadmeDetectorCompiles(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir, replaced := t.TempDir(), map[string]string{}
	for _, m := range fence.FindAllSubmatch(text, -1) {
		if name := string(m[2]); string(m[1]) == "go" {
			put(t, filepath.Join(dir, name), m[3])
			replaced[filepath.Join(root, name)] = filepath.Join(dir, name)
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil || len(replaced) == 0 {
		t.Fatalf("no Go file in the README: %v", err)
	}
	file := filepath.Join(dir, "overlay.json")
	put(t, file, overlay)
	if out, err := exec.Command("go", "build", "-overlay", file, "perflint/detectors").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// CI runs the very command that the README names for the tests, and the README's first command works as it stands.
func TestReadmeCommandsAreThoseOfCI(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	ci, err := os.ReadFile("../../.ci/run")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^go run \./cmd/perflint (\S+)[^\n]*\n(go test \S+)`).FindSubmatch(text)
	if m == nil {
		t.Fatal("the README does not begin with a go run and a go test command")
	}
	if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(string(m[2])) + `$`).Match(ci) {
		t.Errorf(".ci/run does not run %s", m[2])
	}
	if code, out, stderr := call(t, &Command{}, "../../"+string(m[1])); code > 1 || len(out) == 0 {
		t.Errorf("perflint %s: code %d, %s", m[1], code, stderr)
	}
}
