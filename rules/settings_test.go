package rules

import (
	"strings"
	"testing"

	"perflint/detectors/feature"
	"perflint/rules/source"
)

const threeRules = `
id: comm-exposed
formerly: [exposed-comm]
title: T
tags: [comm]
when: gpu.idle_frac > params.min_idle
params: {min_idle: 20%, wait: 3ms, on: true, word: x}
applies: params.on and params.word != "y" and params.wait >= 0
claims: [gpu.idle_spans]
message: m
---
id: comm-tail
title: T
tags: [comm, slow]
when: gpu.idle_frac > 0.2
severity: warning
message: m
---
id: kernel-hotspot
enabled: false
title: T
when: gpu.idle_frac > 0.2
message: m
`

func ids(rs *Ruleset, cfg Config, lane *feature.Set) string {
	var out []string
	for _, o := range rs.Eval(Input{Lanes: []*feature.Set{lane}}, cfg) {
		out = append(out, o.Rule.ID)
	}
	return strings.Join(out, " ")
}

func TestSelection(t *testing.T) {
	rs := load(t, threeRules)
	for _, c := range []struct{ sel, ignore, want string }{
		{"", "", "comm-exposed comm-tail"},
		{"all", "", "comm-exposed comm-tail"},
		{"comm-*", "", "comm-exposed comm-tail"},
		{"tag:slow", "", "comm-tail"},
		{"exposed-comm", "", "comm-exposed"},
		{"kernel-hotspot", "", "kernel-hotspot"},
		{"all,kernel-hotspot", "comm-tail", "comm-exposed kernel-hotspot"},
		{"", "tag:comm", ""},
		{"comm-tail", "comm-tail", ""},
		{"nothing", "", ""},
	} {
		cfg := Config{Select: split(c.sel), Ignore: split(c.ignore)}
		if got := ids(rs, cfg, idleLane(t, 0, 30)); got != c.want {
			t.Errorf("select %q ignore %q: %q, want %q", c.sel, c.ignore, got, c.want)
		}
	}
}

func split(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

func TestOverrides(t *testing.T) {
	rs := load(t, threeRules)
	for _, c := range []struct {
		rule, param, value string
		status             Status
		severity           Severity
	}{
		{"comm-exposed", "min_idle", "31%", Passed, Silent},
		{"exposed-comm", "min_idle", "0.29", Fired, Error},
		{"comm-exposed", "", "info", Fired, Info},
		{"comm-exposed", "on", "false", Skipped, Silent},
		{"comm-exposed", "word", "y", Skipped, Silent},
		{"comm-exposed", "min_idle", "nonsense", Fired, Error},
	} {
		o := rs.Eval(Input{Lanes: []*feature.Set{idleLane(t, 0, 30)}}, Config{Overrides: []Override{{Rule: c.rule, Param: c.param, Value: c.value}}})[0]
		got := Silent
		if len(o.Findings) > 0 {
			got = o.Findings[0].Severity
		}
		if o.Status != c.status || got != c.severity {
			t.Errorf("%s.%s=%s: %s %s", c.rule, c.param, c.value, o.Status, got)
		}
	}
	if got := ids(rs, Config{Overrides: []Override{{Rule: "comm-tail", Value: "off"}}}, idleLane(t, 0, 30)); got != "comm-exposed" {
		t.Errorf("off leaves %s", got)
	}
	cfg := Config{Overrides: []Override{{Rule: "comm-tail", Value: "error"}, {Rule: "comm-exposed", Value: "auto"}}, Materiality: Materiality{0.1, 0.35, 0.5}}
	out := rs.Eval(Input{Lanes: []*feature.Set{idleLane(t, 0, 30)}}, cfg)
	if out[0].Findings[0].Severity != Info || out[1].Findings[0].Severity != Error {
		t.Errorf("materiality: %s, override: %s", out[0].Findings[0].Severity, out[1].Findings[0].Severity)
	}
}

func TestCheckRefuses(t *testing.T) {
	rs := load(t, threeRules)
	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{Config{Select: []string{"comm-tial"}}, "no rule matches comm-tial; did you mean comm-tail?"},
		{Config{Ignore: []string{"tag:none"}}, "no rule matches tag:none"},
		{Config{Select: []string{"exposed-comm"}}, "rule exposed-comm is now called comm-exposed"},
		{Config{Overrides: []Override{{Rule: "comm-expose", Param: "x", Value: "1"}}}, "--set: unknown rule comm-expose; did you mean comm-exposed?"},
		{Config{Overrides: []Override{{Rule: "comm-exposed", Param: "min_idel", Value: "1"}}}, "--set: rule comm-exposed has no parameter min_idel; did you mean min_idle?"},
		{Config{Overrides: []Override{{Rule: "comm-exposed", Param: "min_idle", Value: "20"}}}, "--set: min_idle must be between 0 and 1, got 20 (write 20% or 0.2)"},
		{Config{Overrides: []Override{{Rule: "comm-exposed", Param: "wait", Value: "20%"}}}, "--set: wait must be a time such as 500us or 3ms, got 20%"},
		{Config{Overrides: []Override{{Rule: "comm-exposed", Param: "on", Value: "1"}}}, "--set: on must be true or false, got 1"},
		{Config{Overrides: []Override{{Rule: "comm-tail", Value: "auto"}}}, "--set: severity auto follows from claims, and comm-tail has none"},
		{Config{Overrides: []Override{{Rule: "comm-tail", Value: "wraning"}}}, "--set: severity must be one of auto, error, warning, info, off; got wraning; did you mean warning?"},
		{Config{Overrides: []Override{{Rule: "comm-tail", Value: "high", At: source.Inline("c.yaml", "high")}}},
			"c.yaml:1:1: severity must be one of auto, error, warning, info, off; got high\n   1 | high\n     | ^~~~"},
	} {
		diags := rs.Check(c.cfg)
		if len(diags) != 1 || !strings.HasSuffix(diags[0].String(), c.want) {
			t.Errorf("got %swant %s", diags, c.want)
		}
	}
	if diags := rs.Check(Config{Select: []string{"all", "comm-*", "tag:comm"}, Overrides: []Override{{Rule: "comm-exposed", Param: "min_idle", Value: "5%"}}}); len(diags) > 0 {
		t.Errorf("a good configuration: %s", diags)
	}
}

func TestLiterals(t *testing.T) {
	for s, want := range map[string]struct {
		v float64
		u feature.Unit
	}{
		"20%": {0.2, feature.Frac}, "0.5 %": {0.005, feature.Frac}, "500us": {500, feature.Us}, "3ms": {3000, feature.Us}, "2 s": {2e6, feature.Us},
		"64MiB": {64 << 20, feature.Bytes}, "1KB": {1000, feature.Bytes}, "20GB/s": {20, feature.Gbps}, "1_000": {1000, feature.NoUnit},
		"-1.5e3": {-1500, feature.NoUnit}, "100ns": {0.1, feature.Us},
	} {
		if v, u, ok := number(s); !ok || v != want.v || u != want.u {
			t.Errorf("%s is %v %q", s, v, u)
		}
	}
	for _, s := range []string{"", "x", "20 %%", "3 parsecs", "0x10", ".5", "1.", "NaN", "inf", "1e999", "--3", "3ms3"} {
		if v, _, ok := number(s); ok {
			t.Errorf("%q is taken for %v", s, v)
		}
	}
}
