package report

import "github.com/muesli/termenv"

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

// ink is how a stretch of text is drawn; the colour is a number of the palette, "" the terminal's own.
type ink struct {
	color        string
	bold, italic bool
}

// pen draws text.
type pen struct {
	profile termenv.Profile
	plain   bool
}

func (o Options) pen() pen { return pen{o.profile(), o.Style == "plain"} }

func (p pen) draw(s string, i ink) string {
	if s == "" || p.plain {
		return s
	}
	drawn := termenv.String(s)
	if i.color != "" {
		drawn = drawn.Foreground(p.profile.Color(i.color))
	}
	if i.bold {
		drawn = drawn.Bold()
	}
	if i.italic {
		drawn = drawn.Italic()
	}
	return drawn.String()
}
