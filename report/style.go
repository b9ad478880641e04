package report

import (
	"regexp"
	"strings"

	"github.com/charmbracelet/glamour"
	"github.com/charmbracelet/glamour/ansi"
	xansi "github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// MaxWidth is the widest text report in columns: longer lines are hard to read, however wide the terminal.
const MaxWidth = 100

// palette is what the styles differ in: colours by their number in the terminal's table of 256.
type palette struct {
	title, code, link string
	level             map[string]string
}

var palettes = map[string]palette{
	"dark":  {title: "15", code: "222", link: "75", level: map[string]string{"error": "203", "warn": "221", "info": "110"}},
	"light": {title: "0", code: "94", link: "25", level: map[string]string{"error": "160", "warn": "130", "info": "25"}},
}

func paletteOf(style string) palette {
	if p, ok := palettes[style]; ok {
		return p
	}
	return palettes["dark"]
}

// width is that of the report in columns.
func (o Options) width() int {
	if o.Width <= 0 || o.Width > MaxWidth {
		return MaxWidth
	}
	return max(40, o.Width)
}

func (o Options) profile() termenv.Profile {
	if o.Color && o.Style != "plain" {
		return termenv.ANSI256
	}
	return termenv.Ascii // which keeps bold, as NO_COLOR asks
}

// terminal renders Markdown without breaking lines. The options alone decide about colour: the library would ask the
// terminal, and takes every one for a true-colour one. Its own wrapping breaks rule ids at hyphens and URLs at dots, and
// stretches tables to the width (glamour v1.0.0), so it is given none.
func terminal(md string, opt Options) (string, error) {
	g, err := glamour.NewTermRenderer(
		glamour.WithStyles(styleOf(paletteOf(opt.Style))), glamour.WithWordWrap(0),
		glamour.WithColorProfile(opt.profile()), glamour.WithInlineTableLinks(true),
	)
	if err != nil {
		return "", err
	}
	out, err := g.Render(unbroken(md))
	if opt.Style == "plain" {
		out = xansi.Strip(out)
	}
	return trimLines(strings.ReplaceAll(out, "\u2060", "")), err
}

var trailing = regexp.MustCompile(`(?:[ \t]|\x1b\[[0-9;]*m)+$`)

// trimLines takes off the blanks, one escape sequence each, with which the library fills lines, and of several empty
// lines all but one.
func trimLines(s string) string {
	var out []string
	for _, l := range strings.Split(strings.Trim(s, "\n"), "\n") {
		l = trailing.ReplaceAllString(l, "")
		if strings.LastIndex(l, "\x1b[") > strings.LastIndex(l, "\x1b[0m") {
			l += "\x1b[0m"
		}
		if l != "" || len(out) == 0 || out[len(out)-1] != "" {
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n")
}

func styleOf(p palette) ansi.StyleConfig {
	none, three, yes := uint(0), uint(3), true
	return ansi.StyleConfig{
		Document:    ansi.StyleBlock{Margin: &none},
		Heading:     ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Bold: &yes, Color: &p.title, BlockPrefix: "\n", BlockSuffix: "\n"}},
		Strong:      ansi.StylePrimitive{Bold: &yes},
		Emph:        ansi.StylePrimitive{Italic: &yes},
		Code:        ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Color: &p.code}},
		CodeBlock:   ansi.StyleCodeBlock{StyleBlock: ansi.StyleBlock{Margin: &three}},
		Link:        ansi.StylePrimitive{Color: &p.link},
		List:        ansi.StyleList{LevelIndent: 2},
		Item:        ansi.StylePrimitive{BlockPrefix: "• "},
		Enumeration: ansi.StylePrimitive{BlockPrefix: ". "},
	}
}
