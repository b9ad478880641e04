package report

import (
	"encoding/xml"
	"fmt"
	"io"

	"perflint/rules"
)

// RuleTests writes what became of the tests of rules as JUnit: a suite for each rule, a case for each of its cases. A case that
// is known to fail is skipped with the reason.
func RuleTests(w io.Writer, results []rules.TestResult) error {
	var doc junitSuites
	at := map[string]int{}
	for _, r := range results {
		i, ok := at[r.Rule]
		if !ok {
			i = len(doc.Suites)
			at[r.Rule] = i
			doc.Suites = append(doc.Suites, junitSuite{Name: clean(r.Rule)})
		}
		doc.Suites[i].add(r)
	}
	return writeSuites(w, doc)
}

func (s *junitSuite) add(r rules.TestResult) {
	c := junitCase{Name: clean(r.Case), Class: clean(r.Rule)}
	switch {
	case r.Failed() && r.Todo != "":
		c.Failure = &junitMessage{Message: "it holds now; take out todo: " + clean(r.Todo)}
	case r.Failed():
		c.Failure = &junitMessage{Message: fmt.Sprintf("%s:%d", clean(r.File), r.Line), Text: r.Failure}
	case r.Todo != "":
		c.Skipped = &junitMessage{Message: clean(r.Todo)}
	}
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
	if c.Skipped != nil {
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func writeSuites(w io.Writer, doc junitSuites) error {
	out, err := xml.MarshalIndent(doc, "", " ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, out)
	return err
}
