package report

import (
	"regexp"
	"strings"
)

// Harmless breaks what GitHub's runner would obey in the output of a step instead of show it: ##[name], the old form of its
// commands, anywhere in a line, and ::name at the start of one, blanks aside. A long name of the trace may be wrapped there.
// (actions/runner, ActionCommand.cs, November 2026.)
func Harmless(text string) string {
	return commandStart.ReplaceAllString(unhook(text), "$1·::")
}

var commandStart = regexp.MustCompile(`(?m)^([ \t]*)::`)

// unhook breaks the old form alone, where the new one is meant.
func unhook(s string) string { return strings.ReplaceAll(s, "##[", "##·[") }
