package rules_test

import (
	"strings"
	"testing"

	"perflint/detectors"
	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/rules"
)

// idling is a lane whose GPU idles for 30 % of 100 ms and about whose recording nothing is wrong.
func idling() *feature.Set {
	set := feature.NewSet(detectors.Schema(), feature.Lane{GPU: 0})
	for name, v := range map[string]float64{
		"gpu.window_us": 100_000, "gpu.idle_us": 30_000, "gpu.idle_frac": 0.3, "idle.unoffered_frac": 0, "idle.rare_frac": 0, "idle.warmup_frac": 0,
		"trace.before_frac": 0, "profiler.overhead_frac": 0, "profiler.overhead_us": 0, "trace.impossible_frac": 0, "trace.unlinked_launch_frac": 0,
		"trace.captured_frac": 0,
	} {
		set.Float(name, v)
	}
	for name, v := range map[string]int64{
		"kernel.count": 500, "steps.count": 5, "steps.steady_count": 5, "steps.empty_count": 0, "idle.gap_count": 40, "trace.lost_count": 0,
		"trace.impossible_count": 0, "graph.body_count": 0, "graph.launch_count": 0, "trace.activity_count": 500, "trace.launch_count": 501,
	} {
		set.Int(name, v)
	}
	set.Bool("trace.cut", false)
	set.Bool("steps.first_counts_off", false)
	set.Bool("trace.impossible_kept", false)
	set.Text("trace.gpu_absence", "present")
	set.List("trace.impossible", nil)
	whole := span.Of(span.Span{Start: 0, End: 30_000_000})
	set.Spans("gpu.idle_spans", whole)
	for _, none := range []string{"idle.micro_spans", "idle.outside_spans", "idle.unoffered_spans", "idle.rare_spans"} {
		set.Spans(none, nil)
	}
	return set
}

// What is wrong with the recording holds down what rests on it, before the ledger, and the finding says by whom.
func TestTheQualityOfATraceHoldsDownOtherRules(t *testing.T) {
	rs, _ := shipped(t)
	for _, c := range []struct {
		holder string // empty: nobody
		wrong  func(set *feature.Set)
		silent bool
	}{
		{"", func(*feature.Set) {}, false},
		{"profiler-overhead", func(s *feature.Set) { s.Float("profiler.overhead_frac", 0.16) }, false},
		{"", func(s *feature.Set) { s.Float("profiler.overhead_frac", 0.06) }, false}, // holds down what the host is blamed for, not this
		{"impossible-events", func(s *feature.Set) { s.Int("trace.impossible_count", 1); s.Float("trace.impossible_frac", 0.02) }, false},
		{"", func(s *feature.Set) { s.Int("trace.impossible_count", 1); s.Float("trace.impossible_frac", 0.001) }, false},
		{"dropped-events", func(s *feature.Set) { s.Float("trace.unlinked_launch_frac", 0.02) }, false},
		{"dropped-events", func(s *feature.Set) { s.Bool("trace.cut", true) }, false},
		{"dropped-events", func(s *feature.Set) { s.Int("trace.lost_count", 1) }, false},
		{"graph-hidden", func(s *feature.Set) { s.Float("graph.inner_idle_frac", 0.2) }, false},
		{"graph-hidden", func(s *feature.Set) { s.Float("trace.captured_frac", 0.9) }, true},
		{"window-unfit", func(s *feature.Set) { s.Float("idle.warmup_frac", 0.25) }, false},
		{"window-unfit", func(s *feature.Set) { s.Int("steps.empty_count", 3) }, false},
		{"window-unfit", func(s *feature.Set) { s.Bool("steps.first_counts_off", true) }, false},
		{"no-gpu-events", func(s *feature.Set) { s.Text("trace.gpu_absence", "not-recorded") }, true},
	} {
		set := idling()
		c.wrong(set)
		for _, o := range rs.Eval(rules.Input{Lanes: []*feature.Set{set}}, rules.Config{}) {
			if o.Rule.ID != "gpu-idle-high" {
				continue
			}
			switch {
			case c.silent:
				if o.Status != rules.Suppressed || o.Reason == "" {
					t.Errorf("%s: %s, %q", c.holder, o.Status, o.Reason)
				}
			case o.Status != rules.Fired:
				t.Errorf("%s: %s, %s", c.holder, o.Status, o.Reason)
			default:
				f := o.Findings[0]
				want := rules.Warning
				if c.holder != "" {
					want = rules.Info
				}
				if f.Severity != want || f.HeldBy != c.holder {
					t.Errorf("%s: %s, held by %q", c.holder, f.Severity, f.HeldBy)
				}
			}
		}
	}
}

// starving is a lane that a host feeds one launch at a time, tiny kernels among them.
func starving() *feature.Set {
	set := idling()
	for name, v := range map[string]float64{
		"launch.host_ahead_frac": 0.2, "idle.issue_frac": 0.2, "idle.issue_us": 20_000, "gpu.busy_us": 20_000, "launch.tiny_issue_frac": 0.2,
		"launch.tiny_issue_us": 20_000, "kernel.tiny_count_frac": 0.9, "launch.queue_full_frac": 0, "launch.queue_full_us": 0,
	} {
		set.Float(name, v)
	}
	set.Int("launch.count", 500)
	set.Bool("trace.has_frames", false)
	set.List("idle.issue_causes", nil)
	for _, name := range []string{"idle.issue_spans", "launch.tiny_issue_spans"} {
		set.Spans(name, span.Of(span.Span{Start: 0, End: 20_000_000}))
	}
	return set
}

// What the host is blamed for is held down by what slows the host, and a storm is none where launches were first uses or blocked.
func TestWhatTheHostIsBlamedForIsHeldDown(t *testing.T) {
	rs, _ := shipped(t)
	for _, c := range []struct {
		rule, want string // severity and holder; the status where it is no finding
		wrong      func(set *feature.Set)
	}{
		{"host-bound-issue", "error", func(*feature.Set) {}},
		{"launch-storm", "error", func(*feature.Set) {}},
		{"host-bound-issue", "info profiler-overhead", func(s *feature.Set) { s.Float("profiler.overhead_frac", 0.06) }},
		{"launch-storm", "info profiler-overhead", func(s *feature.Set) { s.Float("profiler.overhead_frac", 0.06) }},
		{"host-bound-issue", "info window-unfit", func(s *feature.Set) { s.Float("idle.warmup_frac", 0.25) }},
		{"launch-storm", "suppressed", func(s *feature.Set) { s.Float("idle.warmup_frac", 0.25) }},
		{"launch-storm", "passed", func(s *feature.Set) { s.Float("launch.queue_full_frac", 0.02) }}, // host-far-ahead would silence it, too
		{"host-bound-issue", "info graph-hidden", func(s *feature.Set) { s.Float("graph.inner_idle_frac", 0.2) }},
		{"host-bound-issue", "suppressed", func(s *feature.Set) { s.Float("trace.captured_frac", 0.9) }},
	} {
		set := starving()
		c.wrong(set)
		for _, o := range rs.Eval(rules.Input{Lanes: []*feature.Set{set}}, rules.Config{}) {
			if o.Rule.ID != c.rule {
				continue
			}
			got := o.Status.String()
			if len(o.Findings) > 0 {
				got = strings.TrimSpace(o.Findings[0].Severity.String() + " " + o.Findings[0].HeldBy)
			}
			if got != c.want {
				t.Errorf("%s: got %q, want %q (%s)", c.rule, got, c.want, o.Reason)
			}
		}
	}
}
