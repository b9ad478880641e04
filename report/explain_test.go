package report

import (
	"strings"
	"testing"

	"perflint/detectors/feature"
	"perflint/rules"
)

func documented() *rules.Rule {
	zero, one := 0.0, 1.0
	r := *starved
	r.Why = "Work reaches the GPU only after the CPU thread\nhas launched it.\n\n- Every launch costs\n  the host some microseconds.\n\n  So it adds up.\n\n```\nsome code\nmore of it\n```"
	r.Auto, r.Limit = true, 5
	r.When = "gpu.idle_frac > params.min_idle\n  and idle.host_late_frac > 0.1\n"
	r.ErrorWhen = "gpu.idle_frac > 0.4"
	r.Params = []rules.Param{{Name: "min_idle", Default: 0.2, Unit: feature.Frac, Doc: "idle share that is tolerated", Min: &zero, Max: &one}, {Name: "floor", Default: 500.0, Unit: feature.Us, Min: &zero}}
	r.Needs = []string{"gpu.idle_frac", "idle.host_late_frac"}
	r.Claims = []string{"idle.host_late_spans"}
	r.Holds = []rules.Hold{{Rules: []string{"tag:group-2"}}, {Rules: []string{"long-gap"}, Silent: true}}
	r.Fix = []rules.Fix{{Do: "Capture the step.", Lang: "python", Code: "torch.compile(model)", Docs: "https://docs.pytorch.org/x"}}
	r.File, r.Line = "gpu-starved-by-cpu.yaml", 2
	return &r
}

func TestExplainSaysAllThatARuleDoes(t *testing.T) {
	for _, format := range []string{"text", "markdown"} {
		var b strings.Builder
		if err := Explain(&b, documented(), format, Options{Style: "plain", Width: 80}); err != nil {
			t.Fatal(err)
		}
		out := strings.ReplaceAll(b.String(), "`", "")
		for _, want := range []string{
			"The GPU waits for the CPU to launch work", "by the share of the time", "error when",
			"for each GPU", "Needs gpu.idle_frac, idle.host_late_frac.", "idle.host_late_spans", "no higher than info: tag:group-2",
			"silent: long-gap", "when: gpu.idle_frac > params.min_idle", "and idle.host_late_frac > 0.1",
			"min_idle 20 %: idle share that is tolerated (0 % to 100 %)", "floor 500 µs (at least 0 µs)", "torch.compile(model)",
			"https://docs.pytorch.org/x", "From gpu-starved-by-cpu.yaml:2.",
		} {
			if !strings.Contains(out, want) {
				t.Errorf("%s does not say %q:\n%s", format, want, out)
			}
		}
	}
}

func TestTextJoinsTheLinesOfAParagraph(t *testing.T) {
	var b strings.Builder
	if err := Explain(&b, documented(), "text", Options{Style: "plain", Width: 80}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\nWork reaches the GPU only after the CPU thread has launched it.\n", "\n• Every launch costs the host some microseconds. So it adds up.\n",
		"some code\n", "more of it\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

func TestRuleList(t *testing.T) {
	off := rule("off-rule", "Not on")
	off.Disabled, off.Severity = true, rules.Info
	var b strings.Builder
	if err := RuleList(&b, []*rules.Rule{documented(), off}, "text"); err != nil {
		t.Fatal(err)
	}
	want := "gpu-starved-by-cpu  auto  The GPU waits for the CPU to launch work\noff-rule            info  Not on (off)\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}
