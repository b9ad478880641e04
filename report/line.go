package report

import (
	"io"
	"strings"
)

// writeLine is the whole report in one line, for scripts and commit statuses.
func writeLine(w io.Writer, r *Report, _ Options) error {
	headline, rest := r.verdict()
	parts := []string{"perflint " + clean(r.title()) + ":", headline}
	if rest != "" {
		parts = append(parts, rest)
	}
	if f := r.floor(func(s string) string { return s }); f != "" {
		parts = append(parts, unmark(f))
	}
	if all := r.findings(); len(all) > 0 {
		parts = append(parts, "Worst: "+all[0].rule.Rule+".")
	}
	_, err := io.WriteString(w, Harmless(strings.Join(parts, " "))+"\n")
	return err
}
