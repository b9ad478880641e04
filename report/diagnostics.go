package report

import (
	"fmt"
	"io"

	"perflint/rules/source"
)

// Diagnostics writes what is wrong with files of rules: as text for people, json for programs, or github for annotations on the
// very lines, which a change of rules has in its diff.
func Diagnostics(w io.Writer, ds source.Diagnostics, format string) error {
	switch format {
	case "text":
		_, err := io.WriteString(w, ds.String())
		return err
	case "json":
		return encode(w, diagnosticsDoc{mistakesOf(ds)}, 2)
	case "github":
		return diagnosticCommands(w, ds)
	}
	return fmt.Errorf("unknown format %s for diagnostics; known: text, json, github", format)
}

type diagnosticsDoc struct {
	Diagnostics []mistake `json:"diagnostics"`
}

// mistake is one diagnostic. Lines and columns count from 1, columns in characters; 0 is the file as a whole.
type mistake struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndColumn int    `json:"endColumn"`
	Severity  string `json:"severity"` // error, warning
	Message   string `json:"message"`
	Hint      string `json:"hint,omitempty"`
	Code      string `json:"code"`
}

func mistakesOf(ds source.Diagnostics) []mistake {
	out := make([]mistake, 0, len(ds))
	for _, d := range ds {
		m := mistake{d.File, d.Line, d.Col, d.EndCol, "error", d.Message, d.Hint, d.Code}
		if d.Warning {
			m.Severity = "warning"
		}
		out = append(out, m)
	}
	return out
}

// diagnosticCommands keeps to the number of annotations that GitHub shows; the others are counted.
func diagnosticCommands(w io.Writer, ds source.Diagnostics) error {
	shown := map[string]int{}
	left := 0
	for _, m := range mistakesOf(ds) {
		if shown[m.Severity]++; shown[m.Severity] > annotationsPerLevel {
			left++
			continue
		}
		message := m.Message
		if m.Hint != "" {
			message += "; " + m.Hint
		}
		line := commandAt(m.Severity, m.File, m.Line, m.Column, m.EndColumn, m.Code, cut(clean(message), maxMessage))
		if _, err := io.WriteString(w, unhook(line)); err != nil {
			return err
		}
	}
	if left == 0 {
		return nil
	}
	_, err := io.WriteString(w, command("notice", "", 0, "perflint", "and "+counted(left, "more mistake")+", see perflint rules check"))
	return err
}
