package rules

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"perflint/detectors/feature"
	"perflint/rules/source"
)

// suppression is a finding that a project accepts, and why.
type suppression struct {
	rule                        *source.Node
	trace, match, reason, until string
	at                          source.Pos
}

var suppressFields = []field[suppression]{
	{"rule", "id of the rule, a glob, or tag:NAME", textShape, true, into(raw, func(s *suppression) **source.Node { return &s.rule })},
	{"trace", "glob of the path of the trace, as it was given or seen from this file; default all", textShape, false, into(text, func(s *suppression) *string { return &s.trace })},
	{"match", "part of what the finding blames; default anything", textShape, false, into(text, func(s *suppression) *string { return &s.match })},
	{"reason", "why it is accepted", textShape, true, into(text, func(s *suppression) *string { return &s.reason })},
	{"until", "last day on which it holds: 2027-03-01", textShape, false, readUntil},
}

var dayForm = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)

func readUntil(r *reader, n *source.Node, s *suppression) {
	s.until = text(r, n)
	if _, err := time.Parse(time.DateOnly, s.until); err != nil || !dayForm.MatchString(s.until) {
		r.report(n, "wrong-type", "", "expected a day such as 2027-03-01, got %s", shown(n))
	}
}

func readSuppressions(r *reader, n *source.Node, s *Settings) {
	for _, item := range items(r, n) {
		one := suppression{at: item.Pos()}
		decode(r, item, suppressFields, &one, "rule")
		if _, err := path.Match(one.trace, ""); err != nil {
			r.report(item.Get("trace"), "wrong-type", "", "%s is no glob", one.trace)
		}
		if one.rule != nil {
			s.suppress = append(s.suppress, one)
		}
	}
}

// place is where the suppression is written, as FILE:LINE.
func (s suppression) place() string { return fmt.Sprintf("%s:%d", s.at.File, s.at.Line) }

// expired compares days as they are written; without a today nothing expires.
func (s suppression) expired(today string) bool { return s.until != "" && today > s.until }

// reaches reports whether a trace is one that the suppression speaks of.
func (s suppression) reaches(trace string) bool {
	if s.trace == "" {
		return true
	}
	names := []string{filepath.Clean(trace)}
	if seen, err := filepath.Rel(filepath.Dir(s.at.File), trace); err == nil {
		names = append(names, seen)
	}
	return slices.ContainsFunc(names, func(name string) bool {
		ok, _ := path.Match(path.Clean(s.trace), filepath.ToSlash(name))
		return ok
	})
}

// traceOf is the path of the trace that a verdict is about, empty when it is not known.
func (e *evaluation) traceOf(v *verdict) string {
	if v.scene == nil || v.scene.lane == nil || v.scene.lane.Lane.Trace >= len(e.in.Traces) {
		return ""
	}
	return e.in.Traces[v.scene.lane.Lane.Trace]
}

// suppress marks the findings that the project accepts. They keep their place in the ledger, so that the same time does not
// come back under another rule's name.
func (e *evaluation) suppress() {
	e.used, e.tried = make([]bool, len(e.cfg.suppress)), make([]bool, len(e.cfg.suppress))
	for i, s := range e.cfg.suppress {
		for j := range e.verdicts {
			v := &e.verdicts[j]
			if s.expired(e.cfg.Today) || !v.rule.matches(s.rule.Value) || !s.reaches(e.traceOf(v)) {
				continue
			}
			e.tried[i] = e.tried[i] || v.status == Fired || v.status == Passed
			for _, f := range v.findings {
				if strings.Contains(f.Subject, s.match) {
					e.used[i] = true
					f.Suppressed = fmt.Sprintf("%s (%s)", s.reason, s.place())
				}
			}
		}
	}
}

// The rules about suppressions. They judge the configuration, not a trace, and so have no condition.
var (
	unusedSuppression = &Rule{
		ID: "unused-suppression", Title: "A suppression matches nothing", Severity: Info, Confidence: "high", Scope: TraceScope, Ceiling: Error,
		Why: "Its rule was judged and found nothing that it speaks of. A suppression that stays behind hides the next problem of its kind.",
		Fix: []Fix{{Do: "Take it out."}},
	}
	expiredSuppression = &Rule{
		ID: "expired-suppression", Title: "A suppression has expired", Severity: Error, Confidence: "high", Scope: TraceScope, Ceiling: Error,
		Why: "It was given a last day, and that is over. What it hid is reported again.",
		Fix: []Fix{{Do: "Mend what it hid and take it out, or give it another day with `until`."}},
	}
	notices = []*Rule{unusedSuppression, expiredSuppression}
)

// unused says of a suppression that it could have hidden something and did not; empty when it did, or nobody can know.
func (e *evaluation) unused(i int) string {
	if e.used[i] || !e.tried[i] {
		return ""
	}
	s := e.cfg.suppress[i]
	return fmt.Sprintf("The suppression of %s at `%s` matches nothing.", s.rule.Value, s.place())
}

func (e *evaluation) expired(i int) string {
	s := e.cfg.suppress[i]
	if !s.expired(e.cfg.Today) {
		return ""
	}
	return fmt.Sprintf("The suppression of %s at `%s` held until %s.", s.rule.Value, s.place(), s.until)
}

// notices are the outcomes of those rules; a rule without a finding has none.
func (e *evaluation) notices() []Outcome {
	var out []Outcome
	for _, n := range []struct {
		rule  *Rule
		about func(i int) string
	}{{unusedSuppression, e.unused}, {expiredSuppression, e.expired}} {
		set := e.cfg.settings(n.rule)
		if set.off || slices.ContainsFunc(e.cfg.Ignore, n.rule.matches) {
			continue
		}
		o := Outcome{Rule: n.rule, Status: Fired}
		for i, s := range e.cfg.suppress {
			if message := n.about(i); message != "" {
				o.Findings = append(o.Findings, Finding{
					Severity: set.severity, Lane: -1, Subject: s.place(), Message: message,
					Places: []feature.Place{{File: s.at.File, Line: s.at.Line}}, Fix: n.rule.Fix,
				})
			}
		}
		if len(o.Findings) > 0 {
			out = append(out, o)
		}
	}
	return out
}
