package report

import (
	"strings"
	"testing"
)

func TestMarkdownOnATerminal(t *testing.T) {
	for _, c := range []struct{ md, want string }{
		{"# a\ntext\nof *one* **paragraph**\n\n## b", "a\n\ntext of one paragraph\n\nb"},
		{"hard\\\nbreak", "hard\nbreak"},
		{"- one\n- two\n  more\n\n  of it\n- three", "• one\n• two more of it\n• three"},
		{"3. a\n4. b\n   - c\n     1. d\n5. e", "3. a\n4. b\n  • c\n    1. d\n5. e"},
		{"1. do\n   ```sh\n   run  it\n   ```\n2. then", "1. do\n   run  it\n\n2. then"},
		{"1. do\n   ```\n   it\n   ```\n\nafter", "1. do\n   it\n\nafter"},
		{"```yaml\na: b\n  c: \\.&amp;\n```", "   a: b\n     c: \\.&amp;"},
		{"    indented\n\n> quoted", "   indented\n\nquoted"},
		{"| a | b | cc |\n|---|--:|:-:|\n| long cell | 1 | x |\n| y | 234 | `z` |", " a         │   b │ cc\n───────────┼─────┼────\n long cell │   1 │ x\n y         │ 234 │ z"},
		{"[page](https://x.y/z) and [here](#top) and <https://a.b> and https://c.d", "page https://x.y/z and here and https://a.b and https://c.d"},
		{"![picture](p.png) ~~gone~~ &lt;&#36; \\* `a &amp; b` a\u2060b", "picture p.png gone <$ * a &amp; b ab"},
		{"<div>\nwords <b>in</b> it\n</div>\n\na <i>tag</i>", "words in it\n\na tag"},
		{"a\n\n---\n\nb", "a\n\nb"},
		{"", ""},
	} {
		if got := terminal(c.md, Options{Style: "plain"}); got != c.want {
			t.Errorf("%q\ngives %q\nnot   %q", c.md, got, c.want)
		}
	}
}

func TestColoursFollowTheMarkdown(t *testing.T) {
	got := terminal("# t\n\n**b *i* `c`** <https://u.v>", Options{Color: true, Style: "dark"})
	for _, want := range []string{"\x1b[97;1mt\x1b[0m", "\x1b[1mb \x1b[0m", "\x1b[1;3mi\x1b[0m", "\x1b[38;5;222;1mc\x1b[0m", "\x1b[38;5;75mhttps://u.v\x1b[0m"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q has no %q", got, want)
		}
	}
}
