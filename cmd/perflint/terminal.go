package main

import (
	"os"

	"golang.org/x/term"
)

// isTerminal reports whether a person looks at what is written there.
func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// noTerminal is the columns of text that no terminal shows.
const noTerminal = 80

// width is the columns of the terminal that is written to.
func width(w any) int {
	if f, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return columns
		}
	}
	return noTerminal
}

// colored decides whether to write colours: --color beats NO_COLOR beats FORCE_COLOR and CLICOLOR_FORCE beats what is
// written to.
func (c *Command) colored(flag string) bool {
	set := func(name string) bool { v := c.Env(name); return v != "" && v != "0" }
	switch {
	case flag == "always":
		return true
	case flag == "never", c.Env("NO_COLOR") != "":
		return false
	case set("FORCE_COLOR"), set("CLICOLOR_FORCE"):
		return true
	}
	return isTerminal(c.Stdout) && c.Env("TERM") != "dumb"
}
