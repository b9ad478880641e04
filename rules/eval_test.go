package rules

import (
	"strings"
	"testing"

	"perflint/detectors/feature"
)

func oneRule(t testing.TB) *Ruleset {
	t.Helper()
	files, err := ReadPath("testdata/gpu-idle-high.yaml")
	if err != nil {
		t.Fatal(err)
	}
	rs, diags := Load(testSchema(t), files...)
	if len(diags) > 0 {
		t.Fatalf("the rule:\n%s", diags)
	}
	return rs
}

func TestARuleFires(t *testing.T) {
	rs := oneRule(t)
	out := rs.Eval(Input{Lanes: []*feature.Set{idleLane(t, 0, 31.2)}}, Config{Select: []string{"gpu-idle-high"}})
	if len(out) != 1 || out[0].Status != Fired {
		t.Fatalf("outcomes: %+v", out)
	}
	f := out[0].Findings[0]
	if f.Severity != Warning || f.Alone != 31.2e3 || f.Exclusive != f.Alone || !f.Decides() {
		t.Errorf("finding: %+v", f)
	}
	if want := "The GPU does nothing for 31.2 ms, 31.2 % of the time; the rule allows 15 %."; strings.TrimSpace(f.Message) != want {
		t.Errorf("message %q, want %q", f.Message, want)
	}
	e := f.Evidence[0]
	if e.Label != "gpu.idle_frac" || e.Op != ">" || e.Limit != 0.15 || e.Param != "max_idle" || e.Unit != feature.Frac {
		t.Errorf("evidence: %+v", e)
	}
}
