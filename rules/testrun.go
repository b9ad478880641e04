package rules

import (
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"perflint/detectors/feature"
)

// TestOptions is how tests are run.
type TestOptions struct {
	Run   *regexp.Regexp                   // only cases whose "rule / name" it matches; nil: all
	Trace func(path string) (Input, error) // measures a trace; nil: cases with a trace fail
}

// TestResult is what became of one case.
type TestResult struct {
	Rule, Case, File string
	Line             int
	Failure          string // empty when the case holds; lines, the first one says what was expected
	Todo             string // the case may fail
}

// Failed reports whether the result is bad news: a failure that nobody expects, or a case that was expected to fail and holds.
func (r TestResult) Failed() bool { return (r.Failure != "") != (r.Todo != "") }

// RunTests judges every case.
func (rs *Ruleset) RunTests(tests []RuleTest, opt TestOptions) []TestResult {
	var out []TestResult
	for _, t := range tests {
		for _, c := range t.Cases {
			if opt.Run != nil && !opt.Run.MatchString(t.Rule.ID+" / "+c.Name) {
				continue
			}
			out = append(out, TestResult{t.Rule.ID, c.Name, t.File, c.Line, rs.runCase(t, c, opt), c.Todo})
		}
	}
	return out
}

// Untested are the rules without a case that fires, or without one that passes.
func (rs *Ruleset) Untested(tests []RuleTest) []*Rule {
	seen := map[string]bool{}
	for _, t := range tests {
		for _, c := range t.Cases {
			seen[t.Rule.ID+reached(c.Expect)] = true
		}
	}
	return slices.DeleteFunc(rs.All(), func(r *Rule) bool { return seen[r.ID+"fire"] && seen[r.ID+"pass"] })
}

func (rs *Ruleset) runCase(t RuleTest, c Case, opt TestOptions) string {
	in := Input{Lanes: []*feature.Set{c.lane}, Job: c.job}
	if c.trace != "" {
		if opt.Trace == nil {
			return "traces cannot be read here"
		}
		var err error
		if in, err = opt.Trace(filepath.Join(filepath.Dir(t.File), filepath.FromSlash(c.trace))); err != nil {
			return err.Error()
		}
	}
	cfg := Config{Select: []string{t.Rule.ID}, Overrides: c.params}
	outcome := rs.Eval(in, cfg)[0]
	problem := c.compare(outcome)
	if problem == "" {
		return ""
	}
	return problem + "\n" + rs.account(t.Rule, in, cfg)
}

// compare says how an outcome differs from what the case expects, empty when it does not.
func (c Case) compare(o Outcome) string {
	if o.Status != c.Expect {
		got := fmt.Sprintf("expected %s, got %s", reached(c.Expect), reached(o.Status))
		if o.Reason != "" {
			got += ": " + o.Reason
		}
		return got
	}
	for _, m := range c.missing {
		if !slices.Contains(o.Missing, m) {
			return fmt.Sprintf("expected %s to be missing, missing is %s", m, strings.Join(o.Missing, ", "))
		}
	}
	if o.Status != Fired {
		return ""
	}
	if n := len(o.Findings) + o.More; c.findings != 0 && n != c.findings {
		return fmt.Sprintf("expected %d findings, got %d", c.findings, n)
	}
	return c.compareFinding(o.Findings[0])
}

func (c Case) compareFinding(f Finding) string {
	saving := max(f.Alone, f.UpTo)
	low, high := c.saving[0], c.saving[1]
	show := func(us float64) string { return feature.Format(us, feature.Us) }
	switch {
	case c.severity != Silent && f.Severity != c.severity:
		return fmt.Sprintf("expected severity %s, got %s", c.severity, f.Severity)
	case low != nil && saving < *low:
		return fmt.Sprintf("expected a saving of at least %s, got %s", show(*low), show(saving))
	case high != nil && saving > *high:
		return fmt.Sprintf("expected a saving of at most %s, got %s", show(*high), show(saving))
	case c.pattern != nil && !c.pattern.MatchString(f.Message):
		return fmt.Sprintf("expected a message like %s, got %q", c.message, f.Message)
	case c.pattern == nil && !strings.Contains(f.Message, c.message):
		return fmt.Sprintf("expected %q in the message, got %q", c.message, f.Message)
	case !strings.Contains(f.Subject, c.subject):
		return fmt.Sprintf("expected the subject %q, got %q", c.subject, f.Subject)
	}
	return ""
}

// account is the operands of the rule, one to a line, for each lane and record.
func (rs *Ruleset) account(rule *Rule, in Input, cfg Config) string {
	var b strings.Builder
	for _, x := range rs.Explain(rule, in, cfg) {
		indent := "  "
		if x.Subject != "" {
			fmt.Fprintf(&b, "  %s:\n", Clean(x.Subject, maxInText))
			indent = "    "
		}
		WriteSteps(&b, indent, x.Steps)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// WriteResults prints failures in full and one line for each rule; verbose prints each case. It reports whether all is well.
func WriteResults(w io.Writer, results []TestResult, verbose bool) bool {
	well := true
	type tally struct{ good, all int }
	tallies := map[string]*tally{}
	var order []string
	for _, r := range results {
		t := tallies[r.Rule]
		if t == nil {
			t = &tally{}
			tallies[r.Rule] = t
			order = append(order, r.Rule)
		}
		t.all++
		if !r.Failed() {
			t.good++
		}
		well = well && !r.Failed()
		r.write(w, verbose)
	}
	for _, rule := range order {
		t, word := tallies[rule], "ok  "
		if t.good < t.all {
			word = "FAIL"
		}
		fmt.Fprintf(w, "%s %s  %d of %d\n", word, rule, t.good, t.all)
	}
	return well
}

func (r TestResult) write(w io.Writer, verbose bool) {
	name := r.Rule + " / " + r.Case
	switch {
	case r.Failed() && r.Todo != "":
		fmt.Fprintf(w, "FAIL %s (%s:%d)\n     it holds now; take out todo: %s\n", name, r.File, r.Line, r.Todo)
	case r.Failed():
		fmt.Fprintf(w, "FAIL %s (%s:%d)\n     %s\n", name, r.File, r.Line, strings.ReplaceAll(r.Failure, "\n", "\n     "))
	case verbose && r.Todo != "":
		fmt.Fprintf(w, "todo %s: %s\n", name, r.Todo)
	case verbose:
		fmt.Fprintf(w, "ok   %s\n", name)
	}
}
