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

	"perflint/detectors/trace"
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

func TestCorpus(t *testing.T) {
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
		if len(got.Notes) > 0 {
			t.Errorf("notes on a file in which nothing is wrong: %q", got.Notes)
		}
		text := unpacked(t, path)
		sameCounts(t, got, text)
		if len(text) < 3<<20 { // the oracle is slow
			sameRows(t, got, text)
		}
	})
}

// sameCounts compares the number of rows of each kind with what encoding/json finds.
func sameCounts(t *testing.T, got *trace.Trace, text []byte) {
	type event struct{ Ph, Cat, Name string }
	var top struct{ TraceEvents []event }
	var err error
	if text[0] == '[' {
		err = json.Unmarshal(text, &top.TraceEvents)
	} else {
		err = json.Unmarshal(text, &top)
	}
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{}
	for _, e := range top.TraceEvents {
		switch class := strings.ToLower(e.Cat); {
		case e.Ph == "i" && e.Name == "[memory]":
			want["memory"]++
		case e.Ph != "X":
		case class == "kernel" || strings.HasSuffix(class, "memcpy") || strings.HasSuffix(class, "memset"):
			want["work"]++
		case class == "cuda_runtime" || class == "cuda_driver" || class == "runtime":
			want["call"]++
		case class == "cpu_op" || class == "operator" || class == "user_annotation" || class == "python_function":
			want["range"]++
		case class == "cuda_sync":
			want["wait"]++
		case class == "overhead":
			want["overhead"]++
		}
	}
	have := map[string]int{"work": got.Work.Len(), "call": got.Calls.Len(), "range": got.Ranges.Len(), "wait": len(got.Waits.Start),
		"overhead": len(got.Overheads.Start), "memory": len(got.Memory.At)}
	for kind, n := range have {
		if want[kind] != n {
			t.Errorf("%d rows of kind %s, want %d", n, kind, want[kind])
		}
	}
}
