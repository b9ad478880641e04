package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"perflint/detectors"
	"perflint/detectors/feature"
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
		writeAnswer(c.out, expression, a)
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
	if a.Records != nil {
		writeRecords(w, expression, a.Records)
		return
	}
	value := fmt.Sprint(a.Value)
	_, condition := a.Value.(bool)
	if shown := feature.Format(a.Value, a.Unit); shown != value && !condition {
		value += " (" + shown + ")"
	}
	fmt.Fprintf(w, "%s = %s\n", expression, printable(value))
	if condition || len(a.Steps) > 1 {
		writeSteps(w, a.Steps)
	}
}

// maxRecords is how many records of a list are printed.
const maxRecords = 20

// writeRecords prints each record of a list with its fields.
func writeRecords(w io.Writer, expression string, records [][]rules.Evidence) {
	fmt.Fprintf(w, "%s has %s\n", expression, counted(len(records), "record"))
	for i, fields := range records[:min(len(records), maxRecords)] {
		var words []string
		for _, f := range fields {
			words = append(words, f.Label+" "+feature.Format(f.Value, f.Unit))
		}
		fmt.Fprintf(w, "  [%d] %s\n", i, printable(strings.Join(words, " · ")))
	}
	if more := len(records) - maxRecords; more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
}

// writeSteps prints each part of a condition with its result, aligned.
func writeSteps(w io.Writer, steps []rules.Step) {
	widest := 0
	for _, s := range steps {
		widest = max(widest, utf8.RuneCountInString(s.Text))
	}
	for _, s := range steps {
		fmt.Fprintf(w, "  %s%s  %s\n", s.Text, strings.Repeat(" ", widest-utf8.RuneCountInString(s.Text)), s.Result)
	}
}
