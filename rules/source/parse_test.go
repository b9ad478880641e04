package source

import (
	"strings"
	"testing"
)

func TestWhatIsRefused(t *testing.T) {
	for name, c := range map[string]struct{ text, code, message string }{
		"alias":         {"a: &x 1\nb: *x\n", "alias-not-allowed", "f.yaml:1:4: anchors"},
		"merge key":     {"a: {<<: {b: 1}}\n", "alias-not-allowed", "f.yaml:1:5: merge keys"},
		"tag":           {"a: !!str 1\n", "alias-not-allowed", "f.yaml:1:4: tags"},
		"duplicate":     {"a: 1\nb: 2\na: 3\n", "duplicate-field", "f.yaml:3:1: a is given twice"},
		"braces":        {"when: {{ x }}\n", "wrong-type", "f.yaml:1:8: a field name must be a text, got a map"},
		"text braces":   {"message: {{ x }} is high\n", "yaml-syntax", "f.yaml"},
		"bad indent":    {"a: 1\n  b: 2\n", "yaml-syntax", "f.yaml:2"},
		"unclosed":      {"a: [1, 2\n", "yaml-syntax", "f.yaml"},
		"control bytes": {"a: \x01\n", "yaml-syntax", "f.yaml"},
		"too long":      {strings.Repeat("a", MaxBytes+1), "too-long", "f.yaml: the file is longer than 256 KiB"},
	} {
		t.Run(name, func(t *testing.T) {
			_, diags := Parse("f.yaml", []byte(c.text))
			if !diags.Failed() || diags[0].Code != c.code || !strings.HasPrefix(diags[0].String(), c.message) {
				t.Errorf("got\n%s\nwant %s %s", diags, c.code, c.message)
			}
		})
	}
}

func TestWordsOfYAML11StayText(t *testing.T) {
	docs, diags := Parse("f", []byte("a: yes\nb: off\nc: true\nd: 20%\ne: 1.5\nf: ~\ng: 2027-03-01\n"))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	for name, kind := range map[string]Kind{"a": Text, "b": Text, "c": Bool, "d": Text, "e": Number, "f": Null, "g": Text} {
		if got := docs[0].Get(name).Kind; got != kind {
			t.Errorf("%s is %s, want %s", name, got, kind)
		}
	}
}

func TestSeveralDocumentsKeepTheirLines(t *testing.T) {
	docs, diags := Parse("f", []byte("# only a comment\n---\nid: a\n---\n---\nid: b\n...\n"))
	if len(diags) > 0 || len(docs) != 2 {
		t.Fatalf("%d documents, %s", len(docs), diags)
	}
	if p := docs[1].Get("id").Pos(); p != (Pos{"f", 6, 5}) {
		t.Errorf("second id at %v", p)
	}
}

func TestSuggestions(t *testing.T) {
	words := []string{"severity", "message", "claims", "when", "why"}
	for word, want := range map[string]string{
		"sevrity": "severity", "whne": "when", "Message": "message", "mesage": "message", "wen": "when", "x": "", "claim": "claims", "whenever": "",
	} {
		if got := Suggest(word, words); got != want {
			t.Errorf("%s: suggested %q, want %q", word, got, want)
		}
	}
}

func TestOnlyFiftyArePrinted(t *testing.T) {
	ds := make(Diagnostics, 60)
	if s := ds.String(); !strings.HasSuffix(s, "and 10 more\n") || strings.Count(s, "\n") != MaxShown+1 {
		t.Errorf("printed\n%s", s)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range styles {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		docs, diags := Parse("f.yaml", data)
		_ = diags.String()
		for _, d := range docs {
			visit(d, func(n *Node) {
				for i, at := range n.positions() {
					if at.line < 1 || at.line > len(n.file.lines)+1 || at.col < 1 {
						t.Fatalf("character %d of %q is at %v", i, n.Value, at)
					}
				}
				_ = n.DiagAt(0, len(n.Value), "x", "y", "z").String()
			})
		}
	})
}

func visit(n *Node, do func(*Node)) {
	if n.Scalar() {
		do(n)
	}
	for _, f := range n.Fields {
		visit(f.Key, do)
		visit(f.Value, do)
	}
	for _, item := range n.Items {
		visit(item, do)
	}
}

func TestASyntaxErrorIsFoundOnItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1\nb:\n  c: 2\n d: 3\ne: 4\n":    "f.yaml:4:2",
		"a: 1\nb: {{ x }} y\nc: 2\n":         "f.yaml:2:1",
		"a: 1\nwhy\nb: 2\n":                  "f.yaml:2:1",
		"a: 1\nb: [1, 2\nc: 3\n":             "f.yaml:2:1",
		"a: 1\nb: \"open\nc: 3\n":            "f.yaml:2:1",
		"a:\n\tb: 1\n":                       "f.yaml:2:1",
		"a: x: y\n":                          "f.yaml:1:1",
		"id: a\n---\nid: b\nc: d: e\nf: 1\n": "f.yaml:4:1",
	} {
		if _, diags := Parse("f.yaml", []byte(text)); len(diags) != 1 || !strings.HasPrefix(diags[0].String(), want+": ") {
			t.Errorf("%q:\n%swant %s", text, diags, want)
		}
	}
}
