package main

import (
	"bytes"
	"os"
	"testing"
)

// The reference of features that authors of rules read is what the program prints.
func TestTheReferenceOfFeaturesIsFresh(t *testing.T) {
	const path = "../../rules/FEATURES.md"
	code, out, stderr := call(t, &Command{}, "features", "--format", "markdown")
	if code != 0 {
		t.Fatalf("code %d, %s", code, stderr)
	}
	if *update {
		if err := os.WriteFile(path, []byte(out), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, []byte(out)) {
		t.Errorf("%s is stale (%v): go run ./cmd/perflint features --format markdown > rules/FEATURES.md", path, err)
	}
}
