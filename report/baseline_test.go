package report

import (
	"bytes"
	"strings"
	"testing"

	"perflint/detectors/feature"
	"perflint/rules"
)

// found is a report with one finding that claims so many of the window's 4123 ms.
func found(subject string, severity rules.Severity, claimMs float64) *Report {
	f := rules.Finding{Severity: severity, Subject: subject, Message: "m", Alone: claimMs * 1e3, Exclusive: claimMs * 1e3}
	settle(&f)
	return New(meta(), []*feature.Set{lane(0)}, nil, []rules.Outcome{{Rule: rule("a", "A"), Status: rules.Fired, Findings: []rules.Finding{f}}})
}

func TestBaseline(t *testing.T) {
	for name, c := range map[string]struct {
		now, was *Report
		known    bool
	}{
		"the same":                    {found("x", rules.Error, 500), found("x", rules.Error, 500), true},
		"another culprit":             {found("y", rules.Error, 500), found("x", rules.Error, 500), false},
		"a little more":               {found("x", rules.Error, 540), found("x", rules.Error, 500), true},
		"much more":                   {found("x", rules.Error, 600), found("x", rules.Error, 500), false},
		"more, but of nothing":        {found("x", rules.Warning, 60), found("x", rules.Warning, 30), true},
		"no claim, same level":        {found("x", rules.Warning, 0), found("x", rules.Error, 0), true},
		"no claim, a worse level":     {found("x", rules.Error, 0), found("x", rules.Warning, 0), false},
		"it was suppressed":           {found("x", rules.Error, 500), accepted(found("x", rules.Error, 500)), false},
		"known in the baseline as is": {found("x", rules.Error, 500), found("x", rules.Error, 500).Against(found("x", rules.Error, 500), DefaultSlack), true},
	} {
		r := c.now.Against(c.was, DefaultSlack)
		exit, known := r.ExitCode("warning"), 0
		if c.known {
			known = 1
		}
		if len(r.findings()) == known || r.Summary.Known != known || exit == known {
			t.Errorf("%s: %d findings, %d known, exit code %d", name, len(r.findings()), r.Summary.Known, exit)
		}
		if c.now.Summary.Known != 0 || len(c.now.findings()) != 1 {
			t.Errorf("%s: the report itself was changed", name)
		}
	}
}

func accepted(r *Report) *Report {
	r.Outcomes[0].Findings[0].Suppressed = "known"
	return r
}

func TestWhatIsAcceptedAndKnownIsCounted(t *testing.T) {
	r := accepted(found("x", rules.Error, 500))
	r.Summary = r.count()
	var b bytes.Buffer
	for _, format := range []string{"markdown", "json", "line"} {
		if err := Write(&b, r, format, Options{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"**No finding.** 1 rule suppressed.", "| suppressed: known | `a` |", `"suppressed":"known"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
	b.Reset()
	if err := Write(&b, found("x", rules.Error, 500).Against(found("x", rules.Error, 500), DefaultSlack), "line", Options{}); err != nil {
		t.Fatal(err)
	}
	if want := "perflint train_step.json: No new finding. 1 finding already in the baseline.\n"; b.String() != want {
		t.Errorf("got %swant %s", b.String(), want)
	}
}
