package report

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perflint/detectors/feature"
	"perflint/rules"
)

func TestFindingsAreOrderedByLevelSavingConfidenceAndID(t *testing.T) {
	one := func(id, confidence string, s rules.Severity, exclusive, upTo float64) rules.Outcome {
		f := rules.Finding{Severity: s, Alone: exclusive, Exclusive: exclusive, UpTo: upTo}
		settle(&f)
		return rules.Outcome{Rule: &rules.Rule{ID: id, Confidence: confidence}, Status: rules.Fired, Findings: []rules.Finding{f}}
	}
	r := New(Meta{}, []*feature.Set{lane(0)}, nil, []rules.Outcome{
		one("no-number", "high", rules.Warning, 0, 0),
		one("bound-only", "low", rules.Warning, 0, 9e9),
		one("small-high", "high", rules.Warning, 10, 0),
		one("small-low", "low", rules.Warning, 10, 0),
		one("small-also", "high", rules.Warning, 10, 0),
		one("large", "low", rules.Warning, 20, 0),
		one("info", "high", rules.Info, 99, 0),
		one("error", "low", rules.Error, 1, 0),
	})
	var got []string
	for _, f := range r.findings() {
		got = append(got, f.rule.Rule)
	}
	want := []string{"error", "large", "small-also", "small-high", "small-low", "bound-only", "no-number", "info"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestExitCode(t *testing.T) {
	claiming := func(s rules.Severity, folded string, exclusive float64) *Report {
		f := rules.Finding{Severity: s, FoldedInto: folded, Alone: 1e6, Exclusive: exclusive}
		settle(&f)
		return New(Meta{}, []*feature.Set{lane(0)}, nil, []rules.Outcome{
			{Rule: &rules.Rule{ID: "a"}, Status: rules.Fired, Findings: []rules.Finding{f}},
			{Rule: &rules.Rule{ID: "b"}, Status: rules.Abstained},
			{Rule: &rules.Rule{ID: "c"}, Status: rules.Suppressed, Findings: []rules.Finding{{Severity: rules.Error, Lane: -1}}},
		})
	}
	fired := func(s rules.Severity, folded string) *Report { return claiming(s, folded, 1e6) }
	for _, c := range []struct {
		what     string
		report   *Report
		failOn   string
		required []string
		want     int
	}{
		{"an error fails by default", fired(rules.Error, ""), "error", nil, 1},
		{"a warning does not reach error", fired(rules.Warning, ""), "error", nil, 0},
		{"a warning reaches info", fired(rules.Warning, ""), "info", nil, 1},
		{"never is never", fired(rules.Error, ""), "never", nil, 0},
		{"a folded finding does not decide", fired(rules.Error, "other"), "info", nil, 0},
		{"one that others claim does not decide", claiming(rules.Error, "", 1e4), "info", nil, 0},
		{"a silent one is none", fired(rules.Silent, ""), "info", nil, 0},
		{"a required rule that abstained fails", fired(rules.Info, ""), "never", []string{"b"}, 1},
		{"a required rule that fired was judged", fired(rules.Info, ""), "never", []string{"a"}, 0},
		{"a required rule that does not exist was not judged", fired(rules.Info, ""), "never", []string{"z"}, 1},
	} {
		if got := c.report.ExitCode(c.failOn, c.required...); got != c.want {
			t.Errorf("%s: got %d, want %d", c.what, got, c.want)
		}
	}
}

func TestSavedReportHasTheSameFaces(t *testing.T) {
	r := sample()
	var saved bytes.Buffer
	if err := Write(&saved, r, "json", Options{}); err != nil {
		t.Fatal(err)
	}
	again, err := Read(bytes.NewReader(saved.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range Formats() {
		var a, b bytes.Buffer
		if err := Write(&a, r, f, Options{}); err != nil {
			t.Fatal(err)
		}
		if err := Write(&b, again, f, Options{}); err != nil {
			t.Fatal(err)
		}
		if a.String() != b.String() {
			t.Errorf("%s of the saved report differs:\n%s\n%s", f, a.String(), b.String())
		}
	}
}

func TestFeaturesJSON(t *testing.T) {
	blind := feature.NewSet(schema(), feature.Lane{Rank: -1, GPU: -1})
	job := feature.NewSet(schema(), feature.Lane{})
	job.Int("job.rank_count", 8)
	var buf bytes.Buffer
	if err := Features(&buf, []*feature.Set{lane(3), blind}, job, "json"); err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(buf.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	at := func(path ...any) any {
		var v any = doc
		for _, p := range path {
			switch p := p.(type) {
			case string:
				m, _ := v.(map[string]any)
				v = m[p]
			case int:
				v = v.([]any)[p]
			}
		}
		return v
	}
	for _, c := range []struct {
		path []any
		want any
	}{
		{[]any{"lanes", 0, "lane", "rank"}, 3.0},
		{[]any{"lanes", 0, "lane", "gpu"}, 3.0},
		{[]any{"lanes", 1, "lane", "rank"}, nil},
		{[]any{"lanes", 1, "lane", "gpu"}, nil},
		{[]any{"lanes", 0, "features", "gpu.idle_frac"}, 0.312},
		{[]any{"lanes", 0, "features", "steps.count"}, 20.0},
		{[]any{"lanes", 0, "features", "trace.has_frames"}, true},
		{[]any{"lanes", 0, "features", "loader.exposed_us"}, nil},
		{[]any{"lanes", 0, "missing", "loader.exposed_us"}, "the trace has no CPU ops; record with `activities=[CPU, CUDA]`"},
		{[]any{"lanes", 0, "features", "kernel.top"}, []any{map[string]any{"name": "void sgemm<128, 128>", "total_us": 1e5}}},
		{[]any{"lanes", 0, "spans", "idle.host_late_spans"}, []any{[]any{101400000.0, 3200000.0}, []any{190000000.0, 2900000.0}}},
		{[]any{"lanes", 1, "missing", "gpu.idle_us"}, "not measured"},
		{[]any{"job", "features", "job.rank_count"}, 8.0},
	} {
		if got := at(c.path...); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: got %v, want %v", c.path, got, c.want)
		}
	}
	f := at("lanes", 0, "features").(map[string]any)
	if _, ok := f["loader.exposed_us"]; !ok {
		t.Error("a missing feature is null, not absent")
	}
	if _, ok := f["idle.host_late_spans"]; ok {
		t.Error("intervals stand under spans")
	}
	if _, ok := f["job.rank_count"]; ok {
		t.Error("features of the job are none of a lane")
	}
}

func TestNoFindingIsShort(t *testing.T) {
	r := New(meta(), []*feature.Set{lane(0)}, nil, []rules.Outcome{{Rule: rule("a", "A"), Status: rules.Passed}})
	var b strings.Builder
	if err := Write(&b, r, "markdown", Options{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "**No finding.** 1 rule passed.\n") || strings.Count(b.String(), "\n") > 22 {
		t.Error(b.String())
	}
}

func TestNothingJudgedIsSaidFirst(t *testing.T) {
	quality := rule("no-gpu-events", "No GPU work")
	quality.Scope = rules.TraceScope
	r := New(meta(), nil, nil, []rules.Outcome{
		{Rule: quality, Status: rules.Fired, Findings: []rules.Finding{{Severity: rules.Warning, Lane: -1, Message: "No GPU work was recorded."}}},
		{Rule: rule("a", "A"), Status: rules.Skipped},
		{Rule: rule("b", "B"), Status: rules.Abstained, Reason: "no GPU work"},
	})
	headline, rest := r.verdict()
	if headline != "Nothing could be judged but the trace itself: 1 warning." || rest != "1 rule not relevant, 1 could not be judged." {
		t.Error(headline, rest)
	}
}

func TestLanesAreNamedByWhatTellsThemApart(t *testing.T) {
	n := func(v int) *int { return &v }
	host := LaneID{Process: 7}
	for _, c := range []struct {
		what   string
		traces []string
		lanes  []LaneID
		want   []string
		on     string // of lane 0
	}{
		{"one GPU", []string{"a.json"}, []LaneID{{GPU: n(2)}}, []string{"GPU 2"}, ""},
		{"a process without a GPU beside it", []string{"a.json"}, []LaneID{{GPU: n(2)}, host}, []string{"GPU 2", "process 7"}, ""},
		{"GPUs of one file", []string{"a.json"}, []LaneID{{GPU: n(0), Rank: n(4)}, {GPU: n(1), Rank: n(4)}}, []string{"GPU 0", "GPU 1"}, " on GPU 0"},
		{"ranks on GPUs of one number", []string{"a", "b"}, []LaneID{{GPU: n(0), Rank: n(0)}, {Trace: 1, GPU: n(0), Rank: n(1)}}, []string{"rank 0", "rank 1"}, " on rank 0"},
		{"files that say nothing of themselves", []string{"x/a.json", "x/b.json"}, []LaneID{{GPU: n(0)}, {Trace: 1, GPU: n(0)}}, []string{"a.json", "b.json"}, " on a.json"},
		{"files of one name", []string{"x/a.json", "y/a.json"}, []LaneID{{GPU: n(0)}, {Trace: 1, GPU: n(0)}}, []string{"x/a.json", "y/a.json"}, " on x/a.json"},
		{"files with several GPUs", []string{"a", "b"}, []LaneID{{GPU: n(0)}, {GPU: n(1)}, {Trace: 1, GPU: n(0)}}, []string{"GPU 0 of a", "GPU 1 of a", "b"}, " on GPU 0 of a"},
		{"processes on one GPU", []string{"a"}, []LaneID{{GPU: n(0), Process: 5}, {GPU: n(0), Process: 6}}, []string{"GPU 0 of process 5", "GPU 0 of process 6"}, " on GPU 0 of process 5"},
		{"processes without GPUs", []string{"a"}, []LaneID{{Process: 5}, {Process: 6}}, []string{"process 5", "process 6"}, " on process 5"},
	} {
		r := &Report{}
		for _, p := range c.traces {
			r.Traces = append(r.Traces, Trace{Path: p})
		}
		for _, id := range c.lanes {
			r.Lanes = append(r.Lanes, Lane{ID: id})
		}
		for i, want := range c.want {
			if got := r.laneName(i); got != want {
				t.Errorf("%s: lane %d is called %q, want %q", c.what, i, got, want)
			}
		}
		if got := r.onLane(0); got != c.on {
			t.Errorf("%s: %q, want %q", c.what, got, c.on)
		}
	}
}

func TestFoldedFindingsAreToldUnderTheirLeader(t *testing.T) {
	lead := rules.Finding{Severity: rules.Warning, Message: "m", Alone: 100e3, Exclusive: 100e3, SeenAs: []string{"b"}}
	settle(&lead)
	folded := rules.Finding{Severity: rules.Info, Message: "other side", Alone: 60e3, FoldedInto: "a"}
	settle(&folded)
	r := New(meta(), []*feature.Set{lane(0)}, nil, []rules.Outcome{
		{Rule: rule("a", "A"), Status: rules.Fired, Findings: []rules.Finding{lead}},
		{Rule: rule("b", "B"), Status: rules.Fired, Findings: []rules.Finding{folded}},
	})
	for format, want := range map[string]string{
		"text":     "Seen also as b.",
		"markdown": "The same time, seen also as\n- `b`: other side",
		"junit":    `<skipped message="the same time as a">`,
	} {
		if got := written(t, r, format, Options{}); !strings.Contains(string(got), want) {
			t.Errorf("%s lacks %q:\n%s", format, want, got)
		}
	}
}

func TestWorkOfNoGPUBesideThatOfOne(t *testing.T) {
	stray := lane(-1)
	r := New(meta(), []*feature.Set{lane(0), stray}, nil, outcomes())
	for _, format := range Formats() {
		if err := Write(io.Discard, r, format, Options{}); err != nil {
			t.Errorf("%s: %v", format, err)
		}
	}
}

func TestGPUWorkWithoutANumber(t *testing.T) {
	first, second := lane(0), lane(0)
	second.Lane.GPU, second.Lane.Process = -1, 7
	r := New(meta(), []*feature.Set{first, second}, nil, nil)
	for format, want := range map[string]string{"text": "GPU 0, process 7", "html": "<td>GPU 0, process 7</td>", "markdown": "| GPU 0, process 7 |"} {
		if got := written(t, r, format, Options{}); !strings.Contains(string(got), want) {
			t.Errorf("%s lacks %q", format, want)
		}
	}
}
