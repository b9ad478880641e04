package report

import (
	"strings"
	"testing"
)

func TestHarmless(t *testing.T) {
	for in, want := range map[string]string{
		"::error::x":           "·::error::x",
		"a\n \t::error::x\n":   "a\n \t·::error::x\n",
		"std::vector ::error":  "std::vector ::error",
		"a ##[error]b ##[x]":   "a ##·[error]b ##·[x]",
		"│ ::error::x":         "│ ::error::x",
		"a: b\n:: c\n\n::d::e": "a: b\n·:: c\n\n·::d::e",
	} {
		if got := Harmless(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// TestNoWidthLetsANameStartALine wraps a hostile name at every width.
func TestNoWidthLetsANameStartALine(t *testing.T) {
	for width := 40; width <= 100; width++ {
		r := trapped(strings.Repeat("x", width/2) + " ::error::x ::error::x")
		var b strings.Builder
		if err := Write(&b, r, "text", Options{Width: width, Style: "plain"}); err != nil {
			t.Fatal(err)
		}
		if m := commandStart.FindString(b.String()); m != "" {
			t.Fatalf("width %d:\n%s", width, b.String())
		}
	}
}
