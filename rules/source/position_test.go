package source

import (
	"strings"
	"testing"
	"unicode"
)

var styles = map[string]string{
	"plain":                   "when: gpu.idle > 1 and µs < 2\n",
	"plain over lines":        "when: gpu.idle > 1\n  and launch.count < 2\n\n  or x\nb: c\n",
	"single quoted":           "when: 'it.op == ''aten::item'' and x'\n",
	"single quoted lines":     "when: 'a is\n\n   b   \n  c'\nd: e\n",
	"double quoted":           "when: \"a == \\\"b\\\" and \\u00e9 \\x41 z\"\n",
	"double quoted lines":     "when: \"a and \\\n   b or\n   c\"\n",
	"literal":                 "when: |\n  gpu.idle > 1\n    and b\n\n  or c\nnext: d\n",
	"literal without end":     "when: |-\n  a\n  b",
	"literal with indicator":  "when: |2\n    indented\n  less\n",
	"literal with blank head": "when: |\n\n\n  a > b\n",
	"folded":                  "when: >-\n  The GPU idles {{ gpu.idle }}\n  of the step.\n\n  New\n    more\n  end\n",
	"folded keep":             "when: >+\n  a\n\n\n  b\n\n",
	"flow":                    "when: {a: [b, 'c d', \"e\"]}\n",
	"windows line ends":       "when: |\r\n  a\r\n  b\r\nc: >\r\n  d\r\n  e\r\n",
	"list":                    "- a\n- - b\n  - |\n    c\n    d\n",
}

// Every visible character of a value must be found where it stands; escapes are found at their backslash.
func TestEveryCharacterIsFoundInTheFile(t *testing.T) {
	for name, text := range styles {
		t.Run(name, func(t *testing.T) {
			docs, diags := Parse("f.yaml", []byte(text))
			if len(diags) > 0 || len(docs) == 0 {
				t.Fatalf("%s", diags)
			}
			for _, d := range docs {
				checkPositions(t, d)
			}
		})
	}
}

func checkPositions(t *testing.T, n *Node) {
	for _, f := range n.Fields {
		checkPositions(t, f.Key)
		checkPositions(t, f.Value)
	}
	for _, item := range n.Items {
		checkPositions(t, item)
	}
	if !n.Scalar() {
		return
	}
	at := n.positions()
	last := place{}
	for i, r := range []rune(n.Value) {
		if at[i].line < last.line || at[i].line == last.line && at[i].col <= last.col {
			t.Errorf("%q: character %d at %v is not behind %v", n.Value, i, at[i], last)
		}
		last = at[i]
		source := []rune(n.file.text(at[i].line))
		if unicode.IsSpace(r) {
			continue
		}
		if at[i].col > len(source) {
			t.Errorf("%q: character %d (%c) at %v is outside the line %q", n.Value, i, r, at[i], string(source))
		} else if s := source[at[i].col-1]; s != r && !(n.style == doubleQuoted && s == '\\') {
			t.Errorf("%q: character %d is %c but at %v the file has %c", n.Value, i, r, at[i], s)
		}
	}
}

func TestCaretStandsUnderTheCharacters(t *testing.T) {
	docs, _ := Parse("rule.yaml", []byte("id: x\nwhen: |\n  a > 1\n\tb\n  or gpu.idel > 2\n"))
	value := docs
	if value != nil {
		t.Fatal("a tab in the indentation is no YAML")
	}
	docs, _ = Parse("rule.yaml", []byte("id: x\nwhen: |\n  a > 1\n  \tor gpu.idel > 2\n"))
	when := docs[0].Get("when")
	from := strings.Index(when.Value, "idel")
	got := when.DiagAt(from, from+4, "unknown-feature", "unknown feature gpu.idel", "did you mean gpu.idle?").String()
	want := "rule.yaml:4:11: unknown feature gpu.idel\n" +
		"   4 |   \tor gpu.idel > 2\n" +
		"     |   \t       ^~~~ did you mean gpu.idle?"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestRestOfLineShowsAComment(t *testing.T) {
	docs, _ := Parse("f", []byte("when: any(k.top, # > 3)\n"))
	if got := docs[0].Get("when").Rest(); got != " # > 3)" {
		t.Errorf("rest is %q", got)
	}
}
