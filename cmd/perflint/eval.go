package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"perflint/detectors"
	"perflint/detectors/feature"
	"perflint/report"
	"perflint/rules"
)

func (c *Command) evalCommand(cancel context.CancelCauseFunc) *cobra.Command {
	var f reading
	cmd := &cobra.Command{
		Use:   "eval [flags] EXPRESSION TRACE...",
		Short: "Evaluate one expression of the rule language",
		Args:  atLeast(2, "an EXPRESSION and a TRACE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			defer stopAfter(f.timeout, cancel)()
			return c.eval(cmd.Context(), args[0], args[1:], f)
		},
		ValidArgsFunction: traceFiles,
	}
	f.define(cmd)
	return cmd
}

func (c *Command) eval(ctx context.Context, expression string, args []string, how reading) error {
	schema := detectors.Schema()
	if _, problems := rules.Ask(schema, expression, rules.Input{}); problems.Failed() {
		return mistakes(problems)
	}
	m, err := c.measure(ctx, args, how)
	if err != nil {
		return err
	}
	sets := m.sets()
	answers, _ := rules.Ask(schema, expression, rules.Input{Lanes: sets})
	for _, a := range answers {
		if len(sets) > 1 {
			fmt.Fprintf(c.out, "%s\n", m.laneName(sets[a.Lane].Lane))
		}
		var b strings.Builder
		writeAnswer(&b, expression, a)
		io.WriteString(c.out, report.Harmless(b.String()))
	}
	return m.verdict()
}

// writeAnswer prints "gpu.idle_frac = 0.312 (31.2 %)" and, of a condition, what became of its parts.
func writeAnswer(w io.Writer, expression string, a rules.Answer) {
	expression = strings.Join(strings.Fields(expression), " ")
	if a.Reason != "" {
		fmt.Fprintf(w, "%s could not be judged: %s\n", expression, printable(a.Reason))
		return
	}
	if a.Entries != nil {
		writeEntries(w, expression, a.Entries)
		return
	}
	value := fmt.Sprint(a.Value)
	_, condition := a.Value.(bool)
	if shown := feature.Format(a.Value, a.Unit); shown != value && !condition {
		value += " (" + shown + ")"
	}
	fmt.Fprintf(w, "%s = %s\n", expression, printable(value))
	if len(a.Steps) > 1 || condition && !strings.HasSuffix(a.Steps[0].Text, " ("+a.Steps[0].Result+")") {
		rules.WriteSteps(w, "  ", a.Steps)
	}
}

// maxEntries is how many entries of a list are printed.
const maxEntries = 20

// writeEntries prints each entry of a list, a record with its fields.
func writeEntries(w io.Writer, expression string, entries [][]rules.Evidence) {
	count := fmt.Sprintf("%d entries", len(entries))
	if len(entries) == 1 {
		count = "1 entry"
	}
	fmt.Fprintf(w, "%s has %s\n", expression, count)
	for i, fields := range entries[:min(len(entries), maxEntries)] {
		var words []string
		for _, f := range fields {
			words = append(words, strings.TrimSpace(f.Label+" "+feature.Format(f.Value, f.Unit)))
		}
		fmt.Fprintf(w, "  [%d] %s\n", i, printable(strings.Join(words, " · ")))
	}
	if more := len(entries) - maxEntries; more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
}
