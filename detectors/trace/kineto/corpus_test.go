package kineto

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// corpus calls f with each JSON file of PERFLINT_CORPUS; refused tells which are no traces.
func corpus(t *testing.T, f func(t *testing.T, path string, refused bool)) {
	dir := os.Getenv("PERFLINT_CORPUS")
	if dir == "" {
		t.Skip("PERFLINT_CORPUS is not set")
	}
	raw, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var files map[string]struct {
		NotATrace bool `json:"not_a_trace"`
	}
	if err := json.Unmarshal(raw, &files); err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		if strings.HasSuffix(name, ".sqlite") || strings.HasSuffix(name, ".pb") {
			continue
		}
		t.Run(name, func(t *testing.T) { f(t, filepath.Join(dir, name), want.NotATrace) })
	}
}

func unpacked(t testing.TB, path string) []byte {
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(raw, []byte{0x1f, 0x8b}) {
		return raw
	}
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestCorpusReadsAsEncodingJSONDoes(t *testing.T) {
	corpus(t, func(t *testing.T, path string, refused bool) {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		got, err := Read(f, Options{})
		if refused {
			if !errors.Is(err, ErrNotTrace) {
				t.Fatalf("not refused: %v", err)
			}
			t.Log(err)
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		sameRows(t, got, unpacked(t, path))
		if got.Cut || len(got.Notes) > 0 {
			t.Logf("notes: %v", got.Notes)
		}
	})
}
