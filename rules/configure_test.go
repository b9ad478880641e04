package rules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perflint/detectors/feature"
	"perflint/rules/source"
)

// configured reads a configuration of that text, over the defaults, for these rules.
func configured(rs *Ruleset, text string, flags ...*source.Node) (*Settings, Config, source.Diagnostics) {
	docs, diags := source.Parse("c.yaml", []byte(text))
	merged := DefaultConfig()
	for _, layer := range append(docs, flags...) {
		merged = source.Merge(merged, layer)
	}
	s, more := ReadSettings(merged)
	diags = append(diags, more...)
	diags = append(diags, rs.AddBudgets(s)...)
	cfg, more := rs.Configure(s)
	return s, cfg, append(diags, more...)
}

// Every file of testdata/badconfig makes the mistakes that its name tells, and no message may change by accident.
func TestBadConfigurations(t *testing.T) {
	files, err := filepath.Glob("testdata/badconfig/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			golden(t, strings.TrimSuffix(file, ".yaml")+".out", badConfig(t, file).String())
		})
	}
}

// badConfig is what is wrong with a configuration for the rules of these tests.
func badConfig(t *testing.T, file string) source.Diagnostics {
	t.Helper()
	doc, diags, err := ReadConfig(file)
	if err != nil {
		t.Fatal(err)
	}
	s, more := ReadSettings(source.Merge(DefaultConfig(), doc))
	diags = append(diags, more...)
	rs := load(t, threeRules)
	diags = append(diags, rs.AddBudgets(s)...)
	_, more = rs.Configure(s)
	diags = append(diags, more...)
	diags.Sort()
	return diags
}

func TestFlagsAreRefusedInTheirOwnName(t *testing.T) {
	rs := load(t, threeRules)
	for _, c := range []struct {
		value string
		path  []string
		want  string
	}{
		{"1", []string{"rules", "override", "comm-expose", "params", "x"}, "--set: unknown rule comm-expose; did you mean comm-exposed?"},
		{"1", []string{"rules", "override", "comm-exposed", "params", "min_idel"}, "--set: rule comm-exposed has no parameter min_idel; did you mean min_idle?"},
		{"20", []string{"rules", "override", "comm-exposed", "params", "min_idle"}, "--set: min_idle must be between 0 and 1, got 20 (write 20% or 0.2)"},
		{"auto", []string{"rules", "override", "comm-tail", "severity"}, "--set: severity auto follows from claims, and comm-tail has none"},
		{"5 apples", []string{"min_saving"}, "--set: 5 apples is neither a share such as 1% nor a time such as 500us"},
	} {
		_, _, diags := configured(rs, "", source.At(source.Given("--set", c.value), c.path...))
		if len(diags) != 1 || diags[0].String() != c.want {
			t.Errorf("got %swant %s", diags, c.want)
		}
	}
}

func TestLayers(t *testing.T) {
	rs := load(t, threeRules)
	set := source.At(source.Given("--set", "31%"), "rules", "override", "comm-exposed", "params", "min_idle")
	s, cfg, diags := configured(rs, `
rules:
  select: [all, kernel-hotspot]
  ignore: ["tag:slow"]
  require: [exposed-comm]
  override:
    comm-exposed: {severity: info, params: {min_idle: 5%}}
min_saving: 2ms
materiality: {error: 50%}
`, set)
	if diags.Failed() || len(diags) != 2 || diags[0].Code != "deprecated-rule" || diags[1].Code != "renamed-rule" {
		t.Fatalf("diagnostics: %s", diags)
	}
	if s.FailOn != "error" || s.MinUs != 2000 || cfg.Materiality != (Materiality{0.01, 0.05, 0.5}) || strings.Join(cfg.Require, " ") != "comm-exposed" {
		t.Errorf("settings %+v, config %+v", s, cfg)
	}
	if got := ids(rs, cfg, idleLane(t, 0, 30)); got != "comm-exposed kernel-hotspot" {
		t.Errorf("selected %s", got)
	}
	for idle, want := range map[float64]Status{30: Passed, 32: Fired} {
		if got := rs.Eval(Input{Lanes: []*feature.Set{idleLane(t, 0, idle)}}, cfg)[0].Status; got != want {
			t.Errorf("idle %v: %s, want %s", idle, got, want)
		}
	}
}

func TestExtendsLaysOneFileOverAnother(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"base.yaml":    "show: warning\nbaseline: old.json\nrules: {select: [a], override: {a: {severity: info}}}\n",
		"in/mid.yaml":  "extends: ../base.yaml\nfail_on: warning\n",
		"in/top.yaml":  "extends: mid.yaml\nrules: {select: [b], override: {b: {severity: error}}}\n",
		"in/loop.yaml": "extends: loop.yaml\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, "in"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	doc, diags, err := ReadConfig(filepath.Join(dir, "in/top.yaml"))
	if err != nil || len(diags) > 0 {
		t.Fatal(err, diags)
	}
	s, diags := ReadSettings(doc)
	if len(diags) > 0 || s.Show != "warning" || s.FailOn != "warning" || len(s.Select) != 1 || s.Select[0].Value != "b" || len(s.overrides) != 2 {
		t.Errorf("%+v %s", s, diags)
	}
	if got := Beside(s.Baseline); got != filepath.Join(dir, "old.json") {
		t.Errorf("the baseline is %s", got)
	}
	if _, diags, _ := ReadConfig(filepath.Join(dir, "in/loop.yaml")); len(diags) != 1 || !strings.Contains(diags.String(), "more than 5 files") {
		t.Errorf("a loop: %s", diags)
	}
}

func TestBudgetsAreRules(t *testing.T) {
	rs := load(t, threeRules)
	_, cfg, diags := configured(rs, `
budget:
  gpu.idle_frac: 10%
  idle.longest_us: {max: 5ms, severity: warning}
  idle.gap_count: {min: 10, max: 30}
  job.wait_us: 1ms
rules: {select: ["budget-*"]}
`)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	var got []string
	for _, o := range rs.Eval(Input{Lanes: []*feature.Set{idleLane(t, 0, 30)}}, cfg) {
		line := o.Rule.ID + " " + o.Status.String()
		for _, f := range o.Findings {
			line += " " + f.Severity.String() + ": " + f.Message
			if !f.Decides() {
				t.Errorf("%s does not decide", o.Rule.ID)
			}
		}
		got = append(got, line)
	}
	want := []string{
		"budget-gpu-idle-frac fired error: `gpu.idle_frac` is 30 %; its budget is at most 10 %.",
		"budget-idle-gap-count fired error: `idle.gap_count` is 40; its budget is at most 30, at least 10.",
		"budget-idle-longest-us passed",
		"budget-job-wait-us skipped",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if r, ok := rs.Find("budget-gpu-idle-frac"); !ok || r.File != "c.yaml" || r.Line != 3 {
		t.Errorf("the rule of a budget stands where the budget does: %+v", r)
	}
}

func FuzzSettings(f *testing.F) {
	files, _ := filepath.Glob("testdata/badconfig/*.yaml")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	lane := idleLane(f, 0, 20)
	f.Fuzz(func(t *testing.T, text string) {
		rs, _ := Load(testSchema(t), File{Path: "r.yaml", Data: []byte(threeRules)})
		_, cfg, diags := configured(rs, text)
		_ = diags.String()
		cfg.Today = "2026-11-01"
		rs.Eval(Input{Lanes: []*feature.Set{lane}, Traces: []string{"a/b.json"}}, cfg)
	})
}
