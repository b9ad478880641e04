package rules_test

import (
	"testing"

	"perflint/detectors"
	"perflint/rules"
)

func TestShippedRulesPassTheirTests(t *testing.T) {
	files, err := rules.ReadFS(rules.Builtin(), ".")
	if err != nil {
		t.Fatal(err)
	}
	rs, diags := rules.Load(detectors.Schema(), files...)
	tests, more := rs.LoadTests(files...)
	if diags = append(diags, more...); len(diags) > 0 {
		t.Fatalf("shipped rules and tests:\n%s", diags)
	}
	for _, r := range rs.RunTests(tests, rules.TestOptions{}) {
		t.Run(r.Rule+"/"+r.Case, func(t *testing.T) {
			if r.Failed() {
				t.Errorf("%s:%d: %s", r.File, r.Line, r.Failure)
			}
		})
	}
	for _, rule := range rs.Untested(tests) {
		t.Errorf("rule %s needs a case that fires and one that passes", rule.ID)
	}
}
