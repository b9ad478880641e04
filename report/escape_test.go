package report

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// nasty is what traces may hold, for the seeds of the fuzz tests.
var nasty = []string{
	"", " ", "`", "``", "a`b", "` x `", "a|b", `a\|b`, `a\\|b`, `\`, "a\x1b[31mred", "line\nbreak", "\r\n", "::error::x", "##[error]x",
	"%0A::error::x", "a\u202eb", "\u2028", "\ufeff", "<script>", "</details>", "[x](javascript:y)", "@octocat", "#1", "&amp;", "&#124;",
	"a,b:c=d", "# h", "- x", "1. x", "```", "~~~", "> q", "*b* _i_ ~~s~~", "http://a.b", "\xff\xfe", "日本語のカーネル名", "e\u0301", longKernel,
	"=", "+ x", "    code", "\t", "![i](x)", "a\\", "$x$", "|---|", "_a_b_", "__init__", "a * b", "0`1`", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ::error::x y ::warning::x",
}

func seed(f *testing.F) {
	for _, s := range nasty {
		f.Add(s)
	}
}

func parse(src []byte) ast.Node {
	return goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(src))
}

// read is the text that a reader of the Markdown sees, and how many nodes of each kind there are.
func read(src string) (string, map[ast.NodeKind]int) {
	var b bytes.Buffer
	kinds := map[ast.NodeKind]int{}
	s := []byte(src)
	_ = ast.Walk(parse(s), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			kinds[n.Kind()]++
		}
		switch t := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(spoken(t, s))
				if t.SoftLineBreak() {
					b.WriteByte('\n')
				}
			}
		case *ast.AutoLink:
			if entering {
				b.Write(t.Label(s))
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String(), kinds
}

func FuzzCodeShowsWhatItIsGiven(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, s string) {
		md := code(s, inText)
		got, kinds := read("a " + md + " b")
		want := cut(clean(s), inText)
		if strings.TrimSpace(want) == "" {
			want = " "
		}
		if got != "a "+want+" b" || kinds[ast.KindCodeSpan] != 1 || len(kinds) != 4 {
			t.Errorf("%q as %q reads %q %v", s, md, got, kinds)
		}
	})
}

func FuzzTableKeepsItsCells(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, s string) {
		tab := table{head: []string{"a", "b", "c"}, right: -1}
		tab.add("1", code(s, inTable), "3")
		tab.add("1", prose(s), "3")
		src := []byte(tab.String())
		rows, cells := 0, 0
		var shown []string
		_ = ast.Walk(parse(src), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if entering {
				switch n.Kind() {
				case extast.KindTableRow:
					rows++
				case extast.KindTableCell:
					cells++
				case ast.KindCodeSpan:
					shown = append(shown, string(n.Text(src))) //nolint:staticcheck // the simplest reader of a code span
				}
			}
			return ast.WalkContinue, nil
		})
		if rows != 2 || cells != 9 || len(shown) == 0 {
			t.Fatalf("%q: %d rows, %d cells of\n%s", s, rows, cells, src)
		}
	})
}

func FuzzProseIsNothingButWords(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, s string) {
		got, kinds := read("so " + prose(s))
		for k := range kinds {
			if k == ast.KindAutoLink && strings.Contains(s, "@") && strings.Contains(s, "`") {
				continue // goldmark takes a backtick for a part of a mail address; GitHub looks for those in text alone
			}
			if k != ast.KindDocument && k != ast.KindParagraph && k != ast.KindText && k != ast.KindCodeSpan {
				t.Errorf("%q as %q has a %v", s, prose(s), k)
			}
		}
		if !strings.Contains(s, "`") {
			if want := strings.TrimSpace("so " + tidy(s)); strings.ReplaceAll(got, "\u2060", "") != want {
				t.Errorf("%q as %q reads %q", s, prose(s), got)
			}
		}
	})
}

func FuzzCleanLeavesNothingThatActs(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, s string) {
		got := clean(s)
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\x1b\n\r\t\x00\x7f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029\u200f") {
			t.Errorf("%q became %q", s, got)
		}
		if n := utf8.RuneCountInString(cut(got, 60)); n > 60 {
			t.Errorf("cut to %d", n)
		}
	})
}

func TestShortenCutsOnlyWhatIsQuoted(t *testing.T) {
	long := strings.Repeat("x", 100)
	got := shorten("The kernel `"+long+"` runs "+long+" long.", 11)
	if want := "The kernel `xxxxx…xxxxx` runs " + long + " long."; got != want {
		t.Error(got)
	}
}

func TestUnmark(t *testing.T) {
	for md, want := range map[string]string{
		"The `a|b` is **very** *slow*.":      "The a|b is very slow.",
		"see [the page](https://x.y), a\\_b": "see the page, a_b",
		"`` a`b `` &amp; <b>x</b>":           "a`b & x",
		"two\nlines":                         "two lines",
		"<https://x.y>":                      "https://x.y",
		"":                                   "",
	} {
		if got := unmark(md); got != want {
			t.Errorf("%q: got %q, want %q", md, got, want)
		}
	}
}
