package rules

import (
	"strings"
	"testing"

	"perflint/detectors/feature"
)

const causes = `
id: late
title: The host is late
severity: error
foreach: idle.causes
when: it.host_late_us > 100
message: "{{ it.subject }} is late"
subject: "{{ it.subject }}"
claims: [it.spans]
grain: op
---
id: idle
title: The GPU idles
when: gpu.idle_frac > 0.1
claims: [gpu.idle_spans]
message: idle
`

// lateLane idles for 20 ms, 12 of them for item and 8 for copy.
func lateLane(t testing.TB) *feature.Set {
	lane := idleLane(t, 0, 20)
	lane.List("idle.causes", []feature.Record{
		{"subject": "aten::item", "host_late_us": 12e3, "spans": interval(0, 12e3)},
		{"subject": "aten::copy_", "host_late_us": 8e3, "spans": interval(12e3, 8e3)},
	})
	return lane
}

func became(rs *Ruleset, cfg Config, in Input) string {
	var out []string
	for _, o := range rs.Eval(in, cfg) {
		line := o.Rule.ID + " " + o.Status.String()
		for _, f := range o.Findings {
			line += " " + f.Subject
			switch {
			case f.Suppressed != "":
				line += "(suppressed)"
			case f.FoldedInto != "":
				line += "(folded)"
			}
		}
		out = append(out, line)
	}
	return strings.Join(out, "; ")
}

func TestSuppressions(t *testing.T) {
	for name, c := range map[string]struct{ text, today, want string }{
		"none": {"[]", "", "idle fired (folded); late fired aten::item aten::copy_"},
		"one finding of a rule": {"[{rule: late, match: item, reason: once per epoch}]", "",
			"idle fired (folded); late fired aten::copy_ aten::item(suppressed)"},
		"a rule": {`[{rule: "l*", reason: known}]`, "", "idle suppressed (suppressed); late suppressed aten::item(suppressed) aten::copy_(suppressed)"},
		"the follower alone is not brought back by its leader": {"[{rule: idle, reason: known}]", "",
			"idle suppressed (suppressed); late fired aten::item aten::copy_"},
		"a trace":                    {"[{rule: late, match: item, trace: \"runs/*.json\", reason: known}]", "", "idle fired (folded); late fired aten::copy_ aten::item(suppressed)"},
		"another trace says nothing": {"[{rule: late, trace: \"other/*\", reason: known}]", "", "idle fired (folded); late fired aten::item aten::copy_"},
		"nothing matches": {"[{rule: late, match: matmul, reason: known}]", "",
			"idle fired (folded); late fired aten::item aten::copy_; unused-suppression fired c.yaml:1"},
		"its last day": {"[{rule: late, match: item, reason: known, until: 2026-11-30}]", "2026-11-30", "idle fired (folded); late fired aten::copy_ aten::item(suppressed)"},
		"the day after": {"[{rule: late, reason: known, until: 2026-11-30}]", "2026-12-01",
			"expired-suppression fired c.yaml:1; idle fired (folded); late fired aten::item aten::copy_"},
		"a rule that is off": {"[{rule: late, reason: known}]\nrules: {ignore: [late]}", "", "idle fired "},
	} {
		t.Run(name, func(t *testing.T) {
			rs := load(t, causes)
			_, cfg, diags := configured(rs, "suppress: "+c.text)
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			cfg.Today = c.today
			if got := became(rs, cfg, Input{Lanes: []*feature.Set{lateLane(t)}, Traces: []string{"runs/a.json"}}); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestWhatIsSuppressedDecidesNothing(t *testing.T) {
	rs := load(t, causes)
	_, cfg, _ := configured(rs, "suppress: [{rule: late, match: item, reason: once per epoch, until: 2026-01-01}]")
	late := func(today string) Outcome {
		cfg.Today = today
		out := rs.Eval(Input{Lanes: []*feature.Set{lateLane(t)}}, cfg)
		return out[len(out)-1]
	}
	if f := late("2026-01-01").Findings[1]; f.Decides() || f.Suppressed != "once per epoch (c.yaml:1)" || f.Exclusive != 12e3 {
		t.Errorf("a suppressed finding: %+v", f)
	}
	cfg.Today = "2026-01-02"
	expired := rs.Eval(Input{Lanes: []*feature.Set{lateLane(t)}}, cfg)[0]
	if f := expired.Findings[0]; f.Severity != Error || !f.Decides() || f.Places[0].Line != 1 {
		t.Errorf("the notice: %+v", f)
	}
	_, cfg, diags := configured(rs, "suppress: [{rule: late, reason: x, until: 2026-01-01}]\nrules: {override: {expired-suppression: {severity: off}}}")
	cfg.Today = "2026-01-02"
	if got := became(rs, cfg, Input{Lanes: []*feature.Set{lateLane(t)}}); strings.Contains(got, "expired") || len(diags) > 0 {
		t.Errorf("turned off: %s %s", got, diags)
	}
}
