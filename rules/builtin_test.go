package rules_test

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"testing"

	"perflint/detectors"
	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/rules"
)

func shipped(t testing.TB) (*rules.Ruleset, []rules.RuleTest) {
	t.Helper()
	files, err := rules.ReadFS(rules.Builtin(), ".")
	if err != nil {
		t.Fatal(err)
	}
	rs, diags := rules.Load(detectors.Schema(), files...)
	tests, more := rs.LoadTests(files...)
	if diags = append(diags, more...); len(diags) > 0 {
		t.Fatalf("shipped rules and tests:\n%s", diags)
	}
	return rs, tests
}

func TestShippedRulesPassTheirTests(t *testing.T) {
	rs, tests := shipped(t)
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

// tags are what shipped rules may be tagged with, beside their group: users select by them.
var tags = []string{
	"gpu", "cpu", "launch", "graph", "sync", "loader", "copy", "comm", "kernel", "memory", "compile", "optimizer", "rank", "quality",
}

func TestShippedRulesAreComplete(t *testing.T) {
	rs, _ := shipped(t)
	for _, r := range rs.All() {
		if want := r.ID + ".yaml"; path.Base(r.File) != want {
			t.Errorf("%s: a shipped rule is called like its file", r.File)
		}
		if r.Why == "" || len(r.Fix) == 0 {
			t.Errorf("%s: a shipped rule says why it matters and what to do", r.ID)
		}
		groups := 0
		for _, tag := range r.Tags {
			if strings.HasPrefix(tag, "group-") {
				groups++
			} else if !slices.Contains(tags, tag) {
				t.Errorf("%s: tag %s is not one of %s", r.ID, tag, strings.Join(tags, ", "))
			}
		}
		if groups != 1 {
			t.Errorf("%s has %d tags of a group, want 1", r.ID, groups)
		}
		for _, id := range r.Refines {
			if _, ok := rs.Find(id); !ok {
				t.Errorf("%s refines %s, which is not shipped; did you mean %s?", r.ID, id, rs.Suggest(id))
			}
		}
	}
}

// Editors read this schema, which the first line of each shipped rule names. It follows from the table that reads rules.
func TestTheSchemaOfRulesIsFresh(t *testing.T) {
	rules.Golden(t, "rule.schema.json", string(rules.RuleSchema(&feature.Schema{})))
}

func TestSchemasNameTheFeatures(t *testing.T) {
	for name, text := range map[string][]byte{
		"rule": rules.RuleSchema(detectors.Schema()), "test": rules.TestSchema(detectors.Schema()), "pack": rules.PackSchema(),
		"config": rules.ConfigSchema(detectors.Schema(), []string{"json"}),
	} {
		var s map[string]any
		if err := json.Unmarshal(text, &s); err != nil || s["additionalProperties"] != false {
			t.Errorf("%s: %v, additionalProperties %v", name, err, s["additionalProperties"])
		}
		if got := strings.Contains(string(text), `"gpu.idle_frac"`); got != (name != "pack") {
			t.Errorf("%s names features: %v", name, got)
		}
	}
}

func TestAHandfulOfKernelsProvesNothing(t *testing.T) {
	rs, _ := shipped(t)
	for _, c := range []struct {
		kernels int64
		want    rules.Severity
		held    string
	}{{9, rules.Info, "window-unfit"}, {10, rules.Error, ""}} {
		lane := feature.NewSet(detectors.Schema(), feature.Lane{Rank: -1})
		lane.Int("kernel.count", c.kernels)
		lane.Int("comm.kernel_count", c.kernels)
		lane.Float("gpu.window_us", 1000)
		lane.Float("comm.exposed_us", 900)
		lane.Float("comm.exposed_frac", 0.9)
		lane.Spans("comm.exposed_spans", span.Set{{Start: 0, End: 900_000}})
		lane.Float("idle.warmup_frac", 0)
		lane.Int("steps.count", 3)
		lane.Int("steps.empty_count", 0)
		lane.Float("trace.before_frac", 0)
		lane.Bool("steps.first_counts_off", false)
		for _, o := range rs.Eval(rules.Input{Lanes: []*feature.Set{lane}}, rules.Config{}) {
			if o.Rule.ID != "exposed-comm" {
				continue
			}
			if f := o.Findings[0]; f.Severity != c.want || f.HeldBy != c.held {
				t.Errorf("%d kernels: %s, held by %q", c.kernels, f.Severity, f.HeldBy)
			}
		}
	}
}
