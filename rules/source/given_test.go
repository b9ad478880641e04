package source

import (
	"strings"
	"testing"
)

func parseOne(t *testing.T, path, text string) *Node {
	t.Helper()
	docs, diags := Parse(path, []byte(text))
	if len(docs) != 1 || len(diags) > 0 {
		t.Fatalf("%d documents, %s", len(docs), diags)
	}
	return docs[0]
}

func TestMergedValuesKnowTheirFiles(t *testing.T) {
	under := parseOne(t, "base.yaml", "a: {x: 1, y: 2}\nlist: [1, 2]\nonly: base\n")
	over := parseOne(t, "top.yaml", "list: [3]\na: {y: 5, z: 6}\n")
	merged := Merge(Merge(under, over), At(Given("--flag", "9"), "a", "z"))
	for path, want := range map[string]string{
		"a.x": "1 base.yaml:1:8", "a.y": "5 top.yaml:2:8", "a.z": "9 --flag", "only": "base base.yaml:3:7",
	} {
		n := merged
		for _, name := range strings.Split(path, ".") {
			n = n.Get(name)
		}
		if got := n.Value + " " + n.Pos().String(); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	if l := merged.Get("list"); len(l.Items) != 1 || l.Items[0].Value != "3" {
		t.Errorf("lists are replaced, got %d items", len(l.Items))
	}
	if under.Get("a").Get("y").Value != "2" || len(over.Fields) != 2 {
		t.Error("merging changed what was merged")
	}
	if n := merged.Without("a"); n.Get("a") != nil || merged.Get("a") == nil {
		t.Error("Without takes a field from a copy")
	}
}

func TestAGivenValueNamesItsOriginAlone(t *testing.T) {
	d := Given("--set", "x=1").Diag("wrong-type", "x is no number", "write 1")
	if got, want := d.String(), "--set: x is no number; write 1"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
