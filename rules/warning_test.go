package rules

import (
	"testing"

	"perflint/detectors/feature"
)

const trust = `
id: unfit
title: The window is unfit
severity: info
warning_when: gpu.idle_frac > 0.5
when: gpu.idle_frac > 0.1
message: unfit
holds:
  - rules: [idle]
    at: info
    when: gpu.idle_frac > 0.5
---
id: idle
title: The GPU idles
severity: error
when: gpu.idle_frac > 0.1
message: idle
`

func TestWarningWhenAndHoldsWhen(t *testing.T) {
	for _, c := range []struct {
		idle       float64
		unfit, low Severity
	}{{0.2, Info, Error}, {0.6, Warning, Info}} {
		rs, diags := Load(testSchema(t), File{Path: "trust.yaml", Data: []byte(trust)})
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		got := map[string]Finding{}
		for _, o := range rs.Eval(Input{Lanes: []*feature.Set{idleLane(t, 0, 100*c.idle)}}, Config{}) {
			got[o.Rule.ID] = o.Findings[0]
		}
		if got["unfit"].Severity != c.unfit || got["idle"].Severity != c.low {
			t.Errorf("idle %v: unfit is %v, want %v; idle is %v, want %v", c.idle, got["unfit"].Severity, c.unfit, got["idle"].Severity, c.low)
		}
	}
}
