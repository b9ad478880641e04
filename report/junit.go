package report

import (
	"encoding/xml"
	"io"
	"strings"

	"perflint/rules"
)

type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Failure *junitMessage `xml:"failure"`
	Skipped *junitMessage `xml:"skipped"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// writeJUnit has a suite for each trace and a case for each rule: fired is a failure, not judged is skipped, and so is what is
// told under another rule's finding. A finding that is not shown lets its case pass.
func writeJUnit(w io.Writer, r *Report, opt Options) error {
	visible, _ := r.shown(opt)
	var doc junitSuites
	for i := range max(1, len(r.Traces)) {
		doc.Suites = append(doc.Suites, r.junitSuite(i, visible))
	}
	return writeSuites(w, doc)
}

func (r *Report) junitSuite(trace int, visible []ranked) junitSuite {
	s := junitSuite{Name: "perflint " + clean(r.title())}
	if trace < len(r.Traces) {
		s.Name = "perflint " + clean(r.Traces[trace].Path)
	}
	for _, o := range r.Outcomes {
		c := junitCase{Name: o.Rule, Class: "perflint"}
		switch o.Status {
		case rules.Abstained.String(), rules.Skipped.String(), rules.Suppressed.String():
			c.Skipped = &junitMessage{Message: strings.TrimSuffix(o.Status+": "+unmark(prose(o.Reason)), ": ")}
			s.Skipped++
		}
		switch f, leader := r.failure(o.Rule, trace, visible), r.foldedInto(o, trace); {
		case f != nil:
			c.Failure = f
			s.Failures++
		case leader != "":
			c.Skipped = &junitMessage{Message: "the same time as " + leader}
			s.Skipped++
		}
		s.Cases = append(s.Cases, c)
		s.Tests++
	}
	return s
}

// failure is the findings of a rule on one trace, nil when there is none.
func (r *Report) failure(rule string, trace int, visible []ranked) *junitMessage {
	var out *junitMessage
	for _, f := range visible {
		if f.rule.Rule != rule || !r.touches(*f.Finding, trace) {
			continue
		}
		if out == nil {
			out = &junitMessage{Message: cut(unmark(f.Message), maxTitle), Type: f.Severity}
		}
		out.Text += r.annotation(f) + "\n"
	}
	return out
}

// foldedInto is the rule under whose finding a rule's first finding on a trace is told, empty when none is.
func (r *Report) foldedInto(o Outcome, trace int) string {
	for _, f := range o.Findings {
		if f.FoldedInto != "" && r.touches(f, trace) {
			return f.FoldedInto
		}
	}
	return ""
}

// touches reports whether a finding holds for a lane of that trace; one about the whole job holds for all.
func (r *Report) touches(f Finding, trace int) bool {
	for _, i := range f.Lanes {
		if r.Lanes[i].ID.Trace == trace {
			return true
		}
	}
	return len(f.Lanes) == 0
}
