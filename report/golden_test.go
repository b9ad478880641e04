package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"perflint/detectors/feature"
	"perflint/rules"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// eight is one job on eight GPUs of one trace; GPU 3 idles most.
func eight() *Report {
	var lanes []*feature.Set
	for gpu := range 8 {
		s := lane(gpu)
		if gpu == 3 {
			s.Float("gpu.compute_us", 1740e3)
			s.Float("gpu.idle_us", 1690e3)
			s.Float("idle.host_late_us", 1560e3)
		}
		lanes = append(lanes, s)
	}
	f := rules.Finding{
		Severity: rules.Error, Lane: 3, Lanes: []int{3, 0, 1, 2, 4, 5, 6, 7}, Alone: 1.5e6, Exclusive: 1.5e6,
		Message: "The GPU idles 41 % of the step and for 90 % of that time no kernel has been launched.",
		ByLane:  []rules.Saving{{Alone: 1.5e6, Exclusive: 1.5e6, Window: 4123e3}},
		Fix:     []rules.Fix{{Do: "Capture the step in a CUDA graph."}},
	}
	for range 7 {
		f.ByLane = append(f.ByLane, rules.Saving{Alone: 1.1e6, Exclusive: 1.1e6, Window: 4123e3})
	}
	g := rules.Finding{Severity: rules.Warning, Lane: 5, Lanes: []int{5}, Subject: "ncclDevKernel_AllReduce", Alone: 4e5, Exclusive: 4e5,
		ByLane: []rules.Saving{{Alone: 4e5, Exclusive: 4e5, Window: 4123e3}}, Message: "All-reduce runs alone for 40 ms of each step."}
	return New(meta(), lanes, nil, []rules.Outcome{
		{Rule: starved, Status: rules.Fired, Findings: []rules.Finding{f}},
		{Rule: rule("exposed-comm", "Communication is not hidden"), Status: rules.Fired, Findings: []rules.Finding{g}},
		{Rule: rule("a", "A"), Status: rules.Passed},
	})
}

// blind is a trace without GPU work: nothing can be judged but its quality.
func blind() *Report {
	quality := rule("no-gpu-events", "No GPU work was recorded")
	quality.Scope = rules.TraceScope
	set := feature.NewSet(schema(), feature.Lane{Rank: -1, GPU: -1})
	f := rules.Finding{Severity: rules.Warning, Lane: 0, Message: "The trace holds no GPU activity: record with `activities=[CPU, CUDA]`."}
	settle(&f)
	out := []rules.Outcome{{Rule: quality, Status: rules.Fired, Findings: []rules.Finding{f}}}
	for _, id := range []string{"gpu-idle-high", "long-gap", "launch-storm"} {
		out = append(out, rules.Outcome{Rule: rule(id, id), Status: rules.Abstained, Reason: "no GPU activity in the trace; record with `activities=[CPU, CUDA]`"})
	}
	return New(Meta{Version: "0.1.0", Traces: []Trace{{Path: "cpu_only.json", Format: "Kineto"}}}, []*feature.Set{set}, nil, out)
}

func healthy() *Report {
	return New(meta(), []*feature.Set{lane(0)}, nil, []rules.Outcome{
		{Rule: rule("a", "A"), Status: rules.Passed}, {Rule: rule("b", "B"), Status: rules.Passed}, {Rule: rule("c", "C"), Status: rules.Skipped},
	})
}

func TestGolden(t *testing.T) {
	opt := Options{Width: 80, Style: "plain", Files: fstest.MapFS{"image_processing.py": {}}, Anchor: "train.py:12"}
	for name, r := range map[string]*Report{"sample": sample(), "eight": eight(), "blind": blind(), "healthy": healthy()} {
		for _, f := range Formats() {
			if f == "none" {
				continue
			}
			var b bytes.Buffer
			if err := Write(&b, r, f, opt); err != nil {
				t.Fatal(err)
			}
			golden(t, name+"."+f, b.Bytes())
		}
	}
	var b bytes.Buffer
	if err := Features(&b, []*feature.Set{lane(0)}, nil, "text"); err != nil {
		t.Fatal(err)
	}
	golden(t, "features.text", b.Bytes())
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what it was (go test ./report -update rewrites it):\n%s", path, got)
	}
}
