package rules

import (
	"slices"
	"testing"

	"perflint/detectors/feature"
)

func load(t testing.TB, text string) *Ruleset {
	t.Helper()
	rs, diags := Load(testSchema(t), File{Path: "r.yaml", Data: []byte(text)})
	if diags.Failed() {
		t.Fatal(diags)
	}
	return rs
}

// at puts a lane into a trace.
func at(lane *feature.Set, trace int) *feature.Set {
	lane.Lane.Trace = trace
	return lane
}

const idleRule = "id: idle\ntitle: T\nwhen: gpu.idle_frac > 0.1\nclaims: [gpu.idle_spans]\nmessage: idle {{ gpu.idle_frac }}\n"

func TestLanesAreMergedWorstFirst(t *testing.T) {
	rs := load(t, idleRule)
	o := rs.Eval(Input{Lanes: []*feature.Set{idleLane(t, 0, 12), idleLane(t, 1, 5), idleLane(t, 2, 40), idleLane(t, 3, 20)}}, Config{})[0]
	if len(o.Findings) != 1 {
		t.Fatalf("%d findings", len(o.Findings))
	}
	f := o.Findings[0]
	if !slices.Equal(f.Lanes, []int{2, 3, 0}) || f.Lane != 2 || f.Message != "idle 40 %" || f.Alone != 40e3 || f.Severity != Error {
		t.Errorf("%+v", f)
	}
	if want := []Saving{{40e3, 40e3, 100e3}, {20e3, 20e3, 100e3}, {12e3, 12e3, 100e3}}; !slices.Equal(f.ByLane, want) {
		t.Errorf("by lane %v, want %v", f.ByLane, want)
	}
}

func TestARuleThatFiredOnOneLaneFired(t *testing.T) {
	rs := load(t, idleRule)
	blind := feature.NewSet(testSchema(t), feature.Lane{Rank: -1})
	for name, c := range map[string]struct {
		lanes []*feature.Set
		want  Status
	}{
		"fired and abstained":  {[]*feature.Set{blind, idleLane(t, 1, 20)}, Fired},
		"passed and abstained": {[]*feature.Set{idleLane(t, 1, 5), blind}, Abstained},
		"no lane":              {nil, Skipped},
	} {
		if o := rs.Eval(Input{Lanes: c.lanes}, Config{})[0]; o.Status != c.want {
			t.Errorf("%s: %s, want %s", name, o.Status, c.want)
		}
	}
}

func TestScopes(t *testing.T) {
	rs := load(t, "id: lane\ntitle: T\nwhen: gpu.idle_frac > 0\nmessage: m\n---\nid: trace\ntitle: T\nscope: trace\nwhen: gpu.idle_frac > 0\nmessage: m\n"+
		"---\nid: job\ntitle: T\nscope: job\nwhen: job.wait_us > 0\nclaims: [job.wait_spans, gpu.idle_spans]\nmessage: m\n")
	host := idleLane(t, -1, 3)
	job := feature.NewSet(testSchema(t), feature.Lane{GPU: -1})
	job.Float("job.wait_us", 5)
	job.Spans("job.wait_spans", interval(50e3, 10e3))
	slow := at(idleLane(t, 1, 20), 1)
	slow.Float("steps.median_us", 9)
	for name, c := range map[string]struct {
		in               Input
		lane, trace, job []int
	}{
		"a process without GPU is no lane":             {Input{Lanes: []*feature.Set{host, idleLane(t, 0, 20)}}, []int{1}, []int{1}, nil},
		"unless there is no other":                     {Input{Lanes: []*feature.Set{host}}, []int{0}, []int{0}, nil},
		"one lane of each trace":                       {Input{Lanes: []*feature.Set{idleLane(t, 0, 20), idleLane(t, 1, 20), slow}}, []int{0, 1, 2}, []int{0, 2}, nil},
		"a job claims on the lane of the longest step": {Input{Lanes: []*feature.Set{idleLane(t, 0, 20), slow}, Job: job}, []int{0, 1}, []int{0, 1}, []int{1}},
	} {
		got := map[string][]int{}
		for _, o := range rs.Eval(c.in, Config{}) {
			for _, f := range o.Findings {
				got[o.Rule.ID] = append(got[o.Rule.ID], f.Lanes...)
			}
		}
		if !slices.Equal(got["lane"], c.lane) || !slices.Equal(got["trace"], c.trace) || !slices.Equal(got["job"], c.job) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestALaneRuleSeesTheJobWhereThereIsOne(t *testing.T) {
	rs := load(t, "id: r\ntitle: T\nwhen: job.wait_us > 0\nmessage: m\n")
	o := rs.Eval(Input{Lanes: []*feature.Set{idleLane(t, 0, 20)}}, Config{})[0]
	if o.Status != Abstained || o.Reason != "this is one trace of one process; give the traces of all ranks" {
		t.Errorf("%s: %s", o.Status, o.Reason)
	}
}

func TestHolds(t *testing.T) {
	rs := load(t, idleRule+`---
id: quality
title: The window is no good
scope: trace
tags: [quality]
when: trace.gpu_count == 2
message: m
holds:
  - {rules: [idle], at: info}
---
id: dropped
title: Events are missing
scope: trace
when: trace.gpu_count == 3
message: m
holds:
  - {rules: ["i*", "tag:quality"], at: off}
`)
	for gpus, want := range map[int64]struct {
		status   Status
		severity Severity
		heldBy   string
	}{1: {Fired, Error, ""}, 2: {Fired, Info, "quality"}, 3: {Suppressed, Silent, ""}} {
		lane := idleLane(t, 0, 40)
		lane.Int("trace.gpu_count", gpus)
		other := at(idleLane(t, 0, 40), 1)
		other.Int("trace.gpu_count", 1)
		alone := rs.Eval(Input{Lanes: []*feature.Set{lane}}, Config{})[1]
		both := rs.Eval(Input{Lanes: []*feature.Set{lane, other}}, Config{})[1]
		got := Finding{}
		if len(alone.Findings) > 0 {
			got = alone.Findings[0]
		}
		if alone.Status != want.status || got.Severity != want.severity || got.HeldBy != want.heldBy {
			t.Errorf("%d: %s %s held by %q", gpus, alone.Status, got.Severity, got.HeldBy)
		}
		if alone.Status == Suppressed && alone.Reason != "`dropped` fired (Events are missing)" {
			t.Errorf("reason %q", alone.Reason)
		}
		if f := both.Findings[0]; both.Status != Fired || f.Severity != Error || f.HeldBy != "" {
			t.Errorf("%d: a trace is held for what another one lacks: %s %s", gpus, both.Status, f.Severity)
		}
	}
}
