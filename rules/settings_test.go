package rules

import (
	"strings"
	"testing"

	"perflint/detectors/feature"
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
deprecated: it was too coarse
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
