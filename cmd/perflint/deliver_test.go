package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestReplaceLeavesNoHalfFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "report.json")
	for _, text := range []string{"first", "second"} {
		if err := replace(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q, %v; want %q", got, err, text)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("%v %v are left beside the report", left, err)
	}
}

func TestReplaceWritesThroughWhatIsNoFile(t *testing.T) {
	if err := replace(os.DevNull, []byte("x")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s was replaced by a file: %v %v", os.DevNull, info, err)
	}
}

func TestWorkspaceIsTheFolderOfGit(t *testing.T) {
	dir := write(t, map[string]string{".git": "gitdir: elsewhere", "deep/er/x": ""})
	t.Chdir(filepath.Join(dir, "deep", "er"))
	if got := workspace(); got != dir {
		t.Errorf("got %q, want %q", got, dir)
	}
}
