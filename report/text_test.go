package report

import (
	"strings"
	"testing"

	xansi "github.com/charmbracelet/x/ansi"
)

// tooWide is the first line of rendered text beyond width that is neither code nor an address, which are never broken.
func tooWide(s string, width int) string {
	for _, l := range strings.Split(s, "\n") {
		if shown := xansi.Strip(l); xansi.StringWidth(shown) > width && !strings.HasPrefix(shown, "   ") && !strings.Contains(shown, "://") {
			return l
		}
	}
	return ""
}

func FuzzTextFitsAndShowsNothingThatActs(f *testing.F) {
	for _, s := range nasty {
		f.Add(s, 80)
	}
	f.Add("::0000000000000000000000000", 80)
	f.Fuzz(func(t *testing.T, s string, width int) {
		opt := Options{Width: 40 + max(0, width%61), Style: "plain"}
		var b strings.Builder
		if err := Write(&b, trapped(s), "text", opt); err != nil {
			t.Fatal(err)
		}
		out := b.String()
		if l := tooWide(out, opt.Width); l != "" {
			t.Errorf("%q: %d columns, not %d: %q", s, xansi.StringWidth(l), opt.Width, l)
		}
		if strings.ContainsAny(out, "\x1b\r\t\u202e\u2028\u2060") {
			t.Errorf("%q gives %q", s, out)
		}
		if commandStart.MatchString(out) || strings.Contains(out, "##[") {
			t.Errorf("%q gives a line that GitHub's runner obeys:\n%s", s, out)
		}
		if strings.Contains(out, " \n") {
			t.Errorf("trailing blanks in %q", out)
		}
		if n := strings.Count(out, "kernel-hotspot"); n < 2 {
			t.Errorf("%q: a row is lost:\n%s", s, out)
		}
	})
}

func TestColourIsAMatterOfTheOptions(t *testing.T) {
	for _, c := range []struct {
		what          string
		opt           Options
		colours, bold bool
	}{
		{"colour", Options{Color: true}, true, true},
		{"NO_COLOR keeps bold", Options{}, false, true},
		{"plain is plain", Options{Style: "plain", Color: true}, false, false},
		{"light", Options{Style: "light", Color: true}, true, true},
	} {
		var b strings.Builder
		if err := Write(&b, sample(), "text", c.opt); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), "\x1b[38;5;"); got != c.colours {
			t.Errorf("%s: colours %v", c.what, got)
		}
		if got := strings.Contains(b.String(), "\x1b["); got != c.bold {
			t.Errorf("%s: escapes %v", c.what, got)
		}
	}
}

func TestWrapBreaksNeitherIDsNorQuantities(t *testing.T) {
	got := wrap("held by fwd-bwd-comm-asymmetry for 116 ms (28 %) of 4 812 steps", 30)
	want := "held by fwd-bwd-comm-asymmetry\nfor 116 ms (28 %) of 4 812\nsteps"
	if got != want {
		t.Errorf("%q", got)
	}
	for width := 12; width < 40; width++ {
		for _, l := range strings.Split(wrap("it waits 31.2 % of the time (< 75 %), 4 812 times and 12.5 ms a step", width), "\n") {
			if strings.HasPrefix(l, "%") || strings.HasPrefix(l, "ms") || strings.HasPrefix(l, "812") || strings.HasSuffix(l, "<") {
				t.Errorf("at width %d a line reads %q", width, l)
			}
		}
	}
}

func TestNarrowTablesKeepTheirRule(t *testing.T) {
	table := " Level │ Finding          │   Saves up to\n───────┼──────────────────┼───────────────"
	if got := wrapLines(table, 40); got != table {
		t.Errorf("%q", got)
	}
}

func FuzzWrapKeepsEveryWord(f *testing.F) {
	for _, s := range nasty {
		f.Add(s, 80)
		f.Add("perflint · "+strings.Repeat(s, 40), 20)
	}
	f.Fuzz(func(t *testing.T, s string, width int) {
		s = tidy(s)
		width = 10 + max(0, width%100)
		got := wrap(s, width)
		for _, l := range strings.Split(got, "\n") {
			if xansi.StringWidth(l) > width && !strings.Contains(l, "://") {
				t.Errorf("%q is wider than %d", l, width)
			}
		}
		strip := func(s string) string { return strings.Join(strings.Fields(strings.ReplaceAll(s, blank, " ")), "") }
		if strip(got) != strip(s) {
			t.Errorf("%q became %q", s, got)
		}
	})
}

func TestListItemsHang(t *testing.T) {
	got := wrapLines("• \x1b[1mone\x1b[0m two three four\n   some code that is longer than that\n12. five six seven", 12)
	want := "• \x1b[1mone\x1b[0m two\n  three four\n   some code that is longer than that\n12. five six\n    seven"
	if got != want {
		t.Errorf("%q", got)
	}
}

func TestTextShowsWordsAsTheyAre(t *testing.T) {
	for _, s := range nasty {
		if strings.Contains(s, "`") || len(s) > inTable {
			continue // code spans of its own; cut names
		}
		out, err := terminal(prose("it says "+s)+"\n\n"+code("kernel "+s, inText), Options{Style: "plain"})
		if err != nil {
			t.Fatal(err)
		}
		words, kernel, _ := strings.Cut(out, "\n\n")
		if want := tidy("it says " + s); words != want {
			t.Errorf("%q reads %q", want, words)
		}
		if want := strings.TrimRight(clean("kernel "+s), " "); kernel != want && !strings.Contains(s, "&") {
			t.Errorf("%q reads %q", want, kernel)
		}
	}
}
