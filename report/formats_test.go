package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

func written(t *testing.T, r *Report, format string, opt Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r, format, opt); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func FuzzDocumentsStayWellFormed(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, s string) {
		r := trapped(s)
		for _, format := range []string{"json", "sarif", "gitlab"} {
			var v any
			if out := written(t, r, format, Options{}); json.Unmarshal(out, &v) != nil {
				t.Errorf("%q gives broken %s:\n%s", s, format, out)
			}
		}
		for d := xml.NewDecoder(bytes.NewReader(written(t, r, "junit", Options{}))); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%q gives broken XML: %v", s, err)
			}
		}
		if line := string(written(t, r, "line", Options{})); strings.Count(line, "\n") != 1 || strings.ContainsAny(line, "\r\x1b") {
			t.Errorf("%q gives the line %q", s, line)
		}
		again, err := Read(bytes.NewReader(written(t, r, "json", Options{})))
		if err != nil {
			t.Fatal(err)
		}
		if utf8.ValidString(s) && again.Outcomes[0].Findings[0].Subject != s {
			t.Errorf("JSON holds the whole name: %q became %q", s, again.Outcomes[0].Findings[0].Subject)
		}
	})
}

func FuzzBrokenLinesAreTheSameJSON(f *testing.F) {
	f.Add(`{"a":[1,{"b":"]}\",:"}],"c":{},"d":[]}`, 2)
	f.Fuzz(func(t *testing.T, s string, levels int) {
		var compact, back bytes.Buffer
		if json.Compact(&compact, []byte(s)) != nil {
			return
		}
		if err := json.Compact(&back, breakLines(compact.Bytes(), levels)); err != nil || back.String() != compact.String() {
			t.Errorf("%s became %s (%v)", compact.String(), back.String(), err)
		}
	})
}

func TestWhatCodeScanningAndGitLabRequire(t *testing.T) {
	r := trapped("x")
	var log sarifLog
	if err := json.Unmarshal(written(t, r, "sarif", Options{}), &log); err != nil {
		t.Fatal(err)
	}
	for _, rule := range log.Runs[0].Tool.Driver.Rules {
		if rule.Short.Text == "" || rule.Full.Text == "" || rule.Help.Text == "" {
			t.Errorf("%s has an empty text, which counts as missing", rule.ID)
		}
	}
	for _, res := range log.Runs[0].Results {
		if res.Locations[0].Physical.Artifact.URI == "" || res.Fingerprints["primaryLocationLineHash"] == "" || res.Message.Text == "" {
			t.Errorf("%+v lacks what GitHub needs", res)
		}
	}
	var issues []gitlabIssue
	if err := json.Unmarshal(written(t, r, "gitlab", Options{}), &issues); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, i := range issues {
		if seen[i.Fingerprint] {
			t.Errorf("two issues with the fingerprint %s: only one would show", i.Fingerprint)
		}
		seen[i.Fingerprint] = true
	}
}

func TestMarkdownIsCutAtFindings(t *testing.T) {
	whole := written(t, sample(), "markdown", Options{})
	for limit := len(whole) + 10; limit > 200; limit -= 97 {
		out := string(written(t, sample(), "markdown", Options{MaxBytes: limit}))
		if len(out) > limit {
			t.Fatalf("%d bytes, not %d", len(out), limit)
		}
		if limit < len(whole) && limit > 2600 && !strings.Contains(out, "left out for length") {
			t.Errorf("cut to %d without a word", limit)
		}
		if strings.Count(out, "<details>") != strings.Count(out, "</details>") || strings.Count(out, "```")%2 != 0 {
			t.Errorf("cut to %d in the middle of a block:\n%s", limit, out)
		}
	}
}

func TestHiddenFindingsAreCounted(t *testing.T) {
	for _, c := range []struct {
		opt    Options
		hidden string
	}{
		{Options{Show: "error"}, "3 findings below"},
		{Options{Show: "warning"}, "2 findings below"},
		{Options{MinFrac: 0.1}, "1 finding below"},
		{Options{MinUs: 50e3}, "2 findings below"},
		{Options{}, ""},
	} {
		out := string(written(t, sample(), "markdown", c.opt))
		if got := strings.Contains(out, "--min-saving"); got != (c.hidden != "") || !strings.Contains(out, c.hidden) {
			t.Errorf("%+v: no %q in\n%s", c.opt, c.hidden, out)
		}
	}
}

func FuzzSavedReportsNeverPanic(f *testing.F) {
	for _, r := range []*Report{sample(), eight(), blind()} {
		var b bytes.Buffer
		if err := Write(&b, r, "json", Options{}); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Add([]byte(`{"schema":1,"tool":{"name":"perflint"},"lanes":[{"lane":{}}],"outcomes":[{"rule":"a","status":"fired","findings":[{"lane":3,"severity":"error"}]}]}`))
	f.Add([]byte(`{"schema":1,"tool":{"name":"perflint"},"lanes":[{"strip":{"share":{"compute":[1]}}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, format := range Formats() {
			_ = Write(io.Discard, r, format, Options{Width: 60}) // an error is fine
		}
	})
}

func TestReadRefusesWhatItCannotShow(t *testing.T) {
	for data, want := range map[string]string{
		`[]`:                 "not a perflint report",
		`{"traceEvents":[]}`: "not a perflint report",
		`{"schema":2,"tool":{"name":"perflint"}}`: "this perflint reads up to 1",
		`{"schema":1,"tool":{"name":"perflint"},"outcomes":[{"rule":"a","findings":[{"lane":0,"severity":"error"}]}]}`:  "about no lane",
		`{"schema":1,"tool":{"name":"perflint"},"outcomes":[{"rule":"a","findings":[{"lane":-1,"severity":"fatal"}]}]}`: `severity "fatal"`,
	} {
		if _, err := Read(strings.NewReader(data)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", data, err, want)
		}
	}
}
