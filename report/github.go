package report

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// GitHub shows 10 annotations of each level a step and drops the rest without a word (toolkit, docs/problem-matchers.md,
// November 2026); the tenth is ours, for saying how many there are. Titles end at 255 characters; a message is cut at 4096,
// and nobody reads that much.
const (
	annotationsPerLevel = 9
	maxTitle            = 255
	maxMessage          = 1000
)

var commandOf = map[string]string{"error": "error", "warning": "warning", "info": "notice"}

// writeGitHub is the text report in a fold of the log, then a workflow command for each finding. The runner takes any line
// that starts with :: for a command, whatever blanks stand before it, so that each line of the fold gets a mark.
func writeGitHub(w io.Writer, r *Report, opt Options) error {
	opt.Style, opt.Color = "plain", false
	text, err := textOf(r, opt)
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("::group::perflint report\n")
	for _, l := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		b.WriteString(strings.TrimRight("│ "+l, " ") + "\n")
	}
	b.WriteString("::endgroup::\n")
	r.annotations(&b, opt)
	_, err = io.WriteString(w, unhook(b.String()))
	return err
}

func (r *Report) annotations(b *strings.Builder, opt Options) {
	visible, _ := r.shown(opt)
	count := map[string]int{}
	for _, f := range visible {
		if count[f.Severity]++; count[f.Severity] > annotationsPerLevel {
			continue
		}
		file, line := r.anchor(*f.Finding, opt)
		b.WriteString(command(commandOf[f.Severity], file, line, cut(clean(f.rule.Title), maxTitle), cut(r.annotation(f), maxMessage)))
	}
	left := 0
	for _, n := range count {
		left += max(0, n-annotationsPerLevel)
	}
	if left > 0 {
		b.WriteString(command("notice", "", 0, "perflint", "and "+counted(left, "more finding")+", see the job summary"))
	}
}

// annotation is a finding in plain words: its sentence, what it could save, where it is, the first remedy.
func (r *Report) annotation(f ranked) string {
	parts := []string{unmark(r.sentence(f, inText))}
	add := func(s string) {
		if s != "" {
			parts = append(parts, unmark(s))
		}
	}
	if w := r.worth(*f.Finding); w != "" {
		add("Worth " + w + ".")
	}
	add(sentenceOf(held(*f.Finding)))
	add(where(*f.Finding, 1))
	if len(f.Fix) > 0 {
		add("Fix: " + f.Fix[0].Do)
	}
	return strings.Join(parts, " ")
}

// The runner splits properties at commas and reads these back, per cent last (actions/runner, ActionCommand.cs).
var (
	escapeMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// command is one workflow command. Empty properties are left out: the runner would not see them either.
func command(level, file string, line int, title, message string) string {
	return commandAt(level, file, line, 0, 0, title, message)
}

// commandAt is a command about some characters of a line; the end is exclusive, and 0 is no column.
func commandAt(level, file string, line, from, to int, title, message string) string {
	var props []string
	add := func(name, value string) {
		value = strings.TrimFunc(value, func(r rune) bool { return unicode.IsSpace(r) || r == '=' }) // as the runner does
		if value != "" {
			props = append(props, name+"="+escapeProperty.Replace(value))
		}
	}
	add("file", clean(file))
	if file != "" && line > 0 {
		add("line", fmt.Sprint(line))
	}
	if line > 0 && from > 0 {
		add("col", fmt.Sprint(from))
		add("endColumn", fmt.Sprint(to))
	}
	add("title", title)
	return "::" + strings.TrimSpace(level+" "+strings.Join(props, ",")) + "::" + escapeMessage.Replace(message) + "\n"
}
