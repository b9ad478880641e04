package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"perflint/detectors/feature"
	"perflint/detectors/span"
)

// judged is the outcome of a rule with this condition on a lane.
func judged(t *testing.T, body string, lane *feature.Set) Outcome {
	t.Helper()
	rs, diags := Load(testSchema(t), File{Path: "r.yaml", Data: []byte("id: r\ntitle: T\n" + body)})
	if diags.Failed() {
		t.Fatal(diags)
	}
	return rs.Eval(Input{Lanes: []*feature.Set{lane}}, Config{})[0]
}

func sparseLane(t *testing.T) *feature.Set {
	s := feature.NewSet(testSchema(t), feature.Lane{Rank: -1})
	s.Float("gpu.window_us", 1000)
	s.Float("gpu.idle_frac", 0.3)
	s.Int("kernel.count", 0)
	s.Int("launch.count", 7)
	s.Text("trace.gpu_name", "H200")
	s.Missing("the trace has no host calls; record with activities=[CPU, CUDA]", "idle.host_late_frac", "trace.has_frames")
	s.List("idle.causes", []feature.Record{
		{"cause": "op", "subject": "aten::item", "host_late_us": 300.0, "gap_count": int64(3), "bytes": int64(8), "spans": interval(0, 300)},
		{"cause": "frame", "host_late_us": 100.0, "gap_count": int64(1), "spans": interval(300, 100)},
		{"cause": "gc", "subject": "`x`|y", "host_late_us": 5.0, "spans": interval(500, 5)},
	})
	return s
}

func TestFourOutcomes(t *testing.T) {
	const noCalls = "the trace has no host calls; record with activities=[CPU, CUDA]"
	for _, c := range []struct {
		when   string
		status Status
		reason string
	}{
		{"gpu.idle_frac > 0.2", Fired, ""},
		{"gpu.idle_frac > 0.4", Passed, ""},
		{"idle.host_late_frac > 0.4", Abstained, noCalls},
		{"gpu.idle_frac > 0.2 or idle.host_late_frac > 0.4", Abstained, noCalls},
		{"gpu.idle_frac > 0.2 or (idle.host_late_frac ?? 0.0) > 0.4", Fired, ""},
		{"gpu.idle_frac > 0.4 or (idle.host_late_frac ?? 1) > 0.4", Fired, ""},
		{"gpu.idle_frac > 0.2 and not has(idle.host_late_frac)", Fired, ""},
		{"has(idle.host_late_frac) and idle.host_late_frac > 0.2", Passed, ""},
		{"has(idle.host_late_frac) or idle.host_late_frac > 0.2", Abstained, noCalls},
		{"has(idle.host_late_frac) or idle.host_late_frac == 0", Abstained, noCalls},
		{"has(trace.has_frames) or not trace.has_frames", Abstained, noCalls},
		{"idle.longest_us > 3", Abstained, "not measured"},
		{"launch.count / kernel.count > 1", Abstained, "division by zero in launch.count / kernel.count > 1"},
		{"0 / kernel.count != 1", Abstained, "division by zero in 0 / kernel.count != 1"},
		{"launch.count % 2 == 1", Fired, ""},
		{"launch.count / 2 == 3.5", Fired, ""},
		{"10 ** 300 ** 2 > 1", Abstained, "the result is no finite number in 10 ** 300 ** 2 > 1"},
		{"mean(filter(map(idle.causes, .host_late_us), # > 1000)) < 5", Abstained, "the list is empty in"},
		{"max(filter(map(idle.causes, .host_late_us), # > 1000)) < 5", Abstained, ""},
		{"mean(map(idle.causes, .host_late_us)) == 135", Fired, ""},
		{"median(map(idle.causes, .host_late_us)) == 100", Fired, ""},
		{"sum(idle.causes, .host_late_us) == 405", Fired, ""},
		{"any(idle.causes, .subject == \"\")", Fired, ""},
		{"any(idle.causes, .bytes == 9)", Abstained, "bytes is not known for every record"},
		{"any(idle.causes, (.bytes ?? 0) == 8)", Fired, ""},
		{"any(idle.causes, has(.bytes) and .bytes == 8)", Fired, ""},
		{"first(idle.causes).gap_count == 3", Fired, ""},
		{"idle.causes[0].gap_count == 3", Fired, ""},
		{"idle.causes[7].gap_count == 3", Abstained, ""},
		{"let c = last(idle.causes); c.host_late_us == 5", Fired, ""},
		{"let c = filter(idle.causes, .host_late_us > 50); len(c) == 2", Fired, ""},
		{"first(filter(idle.causes, .host_late_us > 1000))?.host_late_us > 3", Abstained, ""},
		{"(first(filter(idle.causes, .host_late_us > 1000))?.host_late_us ?? 0) > 3", Passed, ""},
		{"0.1 < gpu.idle_frac < 0.5", Fired, ""},
		{"trace.gpu_name matches \"^H[0-9]+$\" and trace.gpu_name in [\"H100\", \"H200\"]", Fired, ""},
		{"trace.gpu_name + \"x\" == \"H200x\"", Fired, ""},
		{"string(gpu.idle_frac) == \"0.3\"", Fired, ""},
		{"pct(gpu.idle_frac) == \"30 %\" and us(1500) == \"1.5 ms\" and bytes(2048) == \"2 KiB\" and num(1.23456, 2) == \"1.2\"", Fired, ""},
		{"(gpu.idle_frac > 0.2 ? 1 : 2) / 2 == 0.5", Fired, ""},
		{"(launch.count | abs()) == 7", Fired, ""},
	} {
		o := judged(t, "when: |\n  "+c.when+"\nmessage: m\nseverity: info\n", sparseLane(t))
		if o.Status != c.status || !strings.HasPrefix(o.Reason, c.reason) {
			t.Errorf("%s\n is %s (%s), want %s (%s)", c.when, o.Status, o.Reason, c.status, c.reason)
		}
	}
}

func TestMissingFeaturesAreNamed(t *testing.T) {
	o := judged(t, "when: idle.host_late_frac > 0.1 and idle.longest_us > 1 and gpu.idle_frac > 0\nmessage: m\n", sparseLane(t))
	if got := strings.Join(o.Missing, " "); got != "idle.host_late_frac idle.longest_us" {
		t.Errorf("missing: %s", got)
	}
	if got := strings.Join(o.Rule.Needs, " "); got != "gpu.idle_frac idle.host_late_frac idle.longest_us" {
		t.Errorf("needs: %s", got)
	}
}

func TestAppliesSkips(t *testing.T) {
	for applies, want := range map[string]Status{"launch.count > 10": Skipped, "launch.count > 5": Fired, "idle.longest_us > 5": Abstained} {
		if o := judged(t, "applies: "+applies+"\nwhen: gpu.idle_frac > 0.1\nmessage: m\n", sparseLane(t)); o.Status != want {
			t.Errorf("%s: %s, want %s", applies, o.Status, want)
		}
	}
}

func TestAutoSeverityFollowsFromTheClaim(t *testing.T) {
	for _, c := range []struct {
		claimed float64
		share   string
		more    string
		want    Severity
		status  Status
	}{
		{9.9, "1", "", Silent, Passed},
		{10, "1", "", Info, Fired},
		{50, "1", "", Warning, Fired},
		{150, "1", "", Error, Fired},
		{150, "0.5", "", Warning, Fired},
		{150, "launch.count / 100", "", Info, Fired},
		{150, "7", "", Error, Fired},
		{150, "idle.longest_us", "", Silent, Abstained},
		{9.9, "1", "warning_when: launch.count > 5\n", Warning, Fired},
		{9.9, "1", "error_when: launch.count > 5\n", Error, Fired},
		{150, "1", "severity: info\n", Info, Fired},
		{9.9, "1", "severity: info\n", Info, Fired},
		{150, "1", "severity: info\nerror_when: idle.longest_us > 5\n", Info, Fired},
		{150, "idle.longest_us", "severity: info\n", Info, Fired},
	} {
		lane := sparseLane(t)
		lane.Spans("gpu.idle_spans", interval(0, c.claimed))
		o := judged(t, "when: gpu.idle_frac > 0.1\nmessage: m\nclaims: [gpu.idle_spans]\nshare: "+c.share+"\n"+c.more, lane)
		got := Silent
		if len(o.Findings) > 0 {
			got = o.Findings[0].Severity
		}
		if o.Status != c.status || got != c.want {
			t.Errorf("%+v: %s, %s (%s)", c, o.Status, got, o.Reason)
		}
	}
}

func TestForeachNamesEachCulprit(t *testing.T) {
	rule := `
foreach: idle.causes
when: it.host_late_us > params.least
params: {least: 50us}
subject: "{{ it.cause }} {{ it.subject }}"
message: "{{ it.subject }} holds the GPU for {{ it.host_late_us }}, {{ pct(it.host_late_us / gpu.window_us) }}, {{ it.bytes }}"
claims: [it.spans]
`
	o := judged(t, rule, sparseLane(t))
	var got []string
	for _, f := range o.Findings {
		got = append(got, fmt.Sprintf("%s|%s|%v", f.Subject, f.Message, f.Alone))
	}
	want := []string{"op aten::item|`aten::item` holds the GPU for 300 µs, 30 %, 8 B|300", "frame|n/a holds the GPU for 100 µs, 10 %, n/a|100"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestARecordNamesTheCulpritWhereTheRuleDoesNot(t *testing.T) {
	o := judged(t, "foreach: idle.causes\nwhen: it.gap_count == 3\nmessage: m\nseverity: info\n", sparseLane(t))
	if got := o.Findings[0].Subject; got != "aten::item" {
		t.Errorf("subject %q", got)
	}
}

func TestForeachLimit(t *testing.T) {
	o := judged(t, "foreach: idle.causes\nlimit: 2\nwhen: it.host_late_us > 1\nseverity: info\nsubject: \"{{ it.cause }}\"\nmessage: m\n", sparseLane(t))
	if len(o.Findings) != 2 || o.More != 1 {
		t.Errorf("%d findings and %d more", len(o.Findings), o.More)
	}
}

func TestRecordsThatCannotBeJudgedAreLeftOut(t *testing.T) {
	for when, want := range map[string]Status{"it.bytes > 5": Fired, "it.bytes > 50": Passed, "it.bytes / kernel.count > 5": Abstained} {
		o := judged(t, "foreach: idle.causes\nwhen: "+when+"\nmessage: m\nseverity: info\n", sparseLane(t))
		if o.Status != want || want == Fired && len(o.Findings) != 1 {
			t.Errorf("%s: %s with %d findings (%s)", when, o.Status, len(o.Findings), o.Reason)
		}
	}
}

func TestEvidenceComesFromTheCondition(t *testing.T) {
	lane := sparseLane(t)
	o := judged(t, `
params: {least: 20%, most: 9}
when: |
  params.least < gpu.idle_frac and not (launch.count >= params.most)
    and launch.count / 2 > 1 + 1 and len(idle.causes) > 1 and any(idle.causes, .gap_count == 3)
    and (idle.host_late_frac ?? 1) > 0.5 and trace.gpu_name != "H100"
evidence:
  - idle.host_late_frac
  - {label: "gaps of {{ trace.gpu_name }}", value: "sum(idle.causes, .host_late_us)"}
message: m
severity: info
`, lane)
	if o.Status != Fired {
		t.Fatalf("%s %s", o.Status, o.Reason)
	}
	var got []string
	for _, e := range o.Findings[0].Evidence {
		got = append(got, fmt.Sprintf("%s = %v %s %s %v %s", e.Label, feature.Format(e.Value, e.Unit), e.Unit, e.Op, e.Limit, e.Param))
	}
	want := []string{
		"gpu.idle_frac = 30 % frac > 0.2 least",
		"launch.count = 7 count < 9 most",
		"idle.host_late_frac = n/a frac > 0.5 ",
		"trace.gpu_name = H200   <nil> ",
		"gaps of `H200` = 405 µs us  <nil> ",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestTermsOfNothingAreNoEvidence(t *testing.T) {
	lane := sparseLane(t)
	lane.Float("idle.host_late_frac", 0)
	o := judged(t, "when: gpu.idle_frac - idle.host_late_frac + 0.1 > 0.2\nmessage: m\nseverity: info\n", lane)
	if o.Status != Fired || len(o.Findings[0].Evidence) != 1 || o.Findings[0].Evidence[0].Label != "gpu.idle_frac" {
		t.Errorf("%s %+v", o.Status, o.Findings)
	}
}

func TestPlaces(t *testing.T) {
	lane := sparseLane(t)
	lane.List("idle.gaps", []feature.Record{
		{"start_us": 5.0, "dur_us": 3.0, "op": "aten::item", "file": "train.py", "line": int64(88)},
		{"cause": "nowhere"},
	})
	o := judged(t, "when: gpu.idle_frac > 0\nmessage: m\nseverity: info\nlocations: [idle.gaps]\n", lane)
	want := feature.Place{Start: 5, Dur: 3, Track: "GPU 0", Op: "aten::item", File: "train.py", Line: 88}
	if p := o.Findings[0].Places; len(p) != 1 || p[0] != want {
		t.Errorf("places %+v, want %+v", p, want)
	}
	o = judged(t, "foreach: idle.causes\nwhen: it.gap_count == 1\nmessage: m\nseverity: info\n", lane)
	if p := o.Findings[0].Places; len(p) != 1 || p[0].Start != 300 || p[0].Dur != 100 {
		t.Errorf("place of a record: %+v", p)
	}
}

func TestPlacesLieInWhatIsClaimed(t *testing.T) {
	lane := sparseLane(t)
	lane.Spans("idle.host_late_spans", span.Set{{Start: 12_000, End: 14_000}, {Start: 30_000, End: 34_000}, {Start: 70_000, End: 70_100}})
	lane.List("idle.gaps", []feature.Record{
		{"start_us": 10.0, "dur_us": 8.0, "op": "mostly of another"},
		{"start_us": 20.0, "dur_us": 5.0, "op": "of another"},
		{"start_us": 30.0, "dur_us": 4.0, "op": "its own"},
		{"start_us": 70.0, "dur_us": 3.0, "op": "next to nothing"},
	})
	o := judged(t, "when: gpu.idle_frac > 0\nmessage: m\nseverity: info\nclaims: [idle.host_late_spans]\nlocations: [idle.gaps]\n", lane)
	want := []feature.Place{{Start: 30, Dur: 4, Track: "GPU 0", Op: "its own"}, {Start: 12, Dur: 2, Track: "GPU 0", Op: "mostly of another"}}
	if p := o.Findings[0].Places; !slices.Equal(p, want) {
		t.Errorf("places %+v, want %+v", p, want)
	}
	o = judged(t, "when: gpu.idle_frac > 0\nmessage: m\nseverity: info\nclaims: [idle.host_late_spans]\n", lane)
	want = []feature.Place{{Start: 30, Dur: 4, Track: "GPU 0"}, {Start: 12, Dur: 2, Track: "GPU 0"}}
	if p := o.Findings[0].Places; !slices.Equal(p, want) {
		t.Errorf("without locations %+v, want %+v", p, want)
	}
	o = judged(t, "when: gpu.idle_frac > 0\nmessage: m\nseverity: info\n", lane)
	if p := o.Findings[0].Places; len(p) > 0 {
		t.Errorf("without locations and claims %+v", p)
	}
}

func TestTheOpOfAGapIsWhatHoldsTheHost(t *testing.T) {
	for _, c := range []struct {
		gap       feature.Record
		op, frame string
	}{
		{feature.Record{"kind": "host-late", "cause": "compilation", "subject": "compile"}, "compile", ""},
		{feature.Record{"kind": "host-late", "cause": "frame", "subject": "a.py(7): f", "frame": "f"}, "", "f"},
		{feature.Record{"kind": "host-late", "cause": "unknown", "subject": ""}, "", ""},
		{feature.Record{"kind": "launch-call", "cause": "launch", "subject": "cudaLaunchKernel"}, "aten::copy_", ""},
	} {
		lane := sparseLane(t)
		c.gap["start_us"], c.gap["dur_us"], c.gap["op"] = 10.0, 8.0, "aten::copy_"
		lane.List("idle.gaps", []feature.Record{c.gap})
		o := judged(t, "when: gpu.idle_frac > 0\nmessage: m\nseverity: info\nlocations: [idle.gaps]\n", lane)
		if p := o.Findings[0].Places[0]; p.Op != c.op || p.Frame != c.frame {
			t.Errorf("%v: in op %q, frame %q", c.gap, p.Op, p.Frame)
		}
	}
}

func TestRemediesThatDoNotFitAreLeftOut(t *testing.T) {
	lane := sparseLane(t)
	o := judged(t, `when: gpu.idle_frac > 0
message: m
severity: info
fix:
  - always
  - {do: it fits, when: gpu.idle_frac > 0}
  - {do: it does not, when: gpu.idle_frac > 1}
  - {do: nobody knows, when: job.wait_us > 1}
`, lane)
	var got []string
	for _, f := range o.Findings[0].Fix {
		got = append(got, f.Do)
	}
	if want := []string{"always", "it fits", "nobody knows"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestARecordOfManyIntervalsHasItsLongestAsPlaces(t *testing.T) {
	lane := sparseLane(t)
	lane.List("idle.causes", []feature.Record{
		{"subject": "resize", "spans": span.Set{{Start: 0, End: 1000}, {Start: 2000, End: 5000}, {Start: 6000, End: 8000}, {Start: 9000, End: 9001}}},
		{"subject": "decode", "spans": span.Set{{Start: 20000, End: 21000}}},
	})
	o := judged(t, "when: gpu.idle_frac > 0\nmessage: m\nseverity: info\nlocations: [idle.causes]\n", lane)
	var got []float64
	for _, p := range o.Findings[0].Places {
		got = append(got, p.Start)
	}
	if want := []float64{2, 20, 6, 0}; !slices.Equal(got, want) {
		t.Errorf("places at %v, want %v", got, want)
	}
}

func TestOnlyRemediesThatMayFitAreGiven(t *testing.T) {
	o := judged(t, "when: gpu.idle_frac > 0\nmessage: m\nseverity: info\nfix:\n  - always\n  - {do: many, when: launch.count > 5}\n"+
		"  - {do: few, when: launch.count <= 5}\n  - {do: unknown, when: idle.host_late_frac > 0}\n", sparseLane(t))
	var got []string
	for _, f := range o.Findings[0].Fix {
		got = append(got, f.Do+f.When)
	}
	if want := []string{"always", "many", "unknown"}; !slices.Equal(got, want) {
		t.Errorf("remedies %q, want %q", got, want)
	}
	if want := "launch.count <= 5"; o.Rule.Fix[2].When != want {
		t.Errorf("a rule says when a remedy helps: %q, want %q", o.Rule.Fix[2].When, want)
	}
}

func TestUpperBoundStaysOutsideTheLedger(t *testing.T) {
	o := judged(t, "when: gpu.idle_frac > 0\nmessage: m\nseverity: info\nsaving: gpu.window_us * gpu.idle_frac\n", sparseLane(t))
	if f := o.Findings[0]; f.UpTo != 300 || f.Alone != 0 || f.Exclusive != 0 || !f.Decides() {
		t.Errorf("%+v", f)
	}
	o = judged(t, "when: gpu.idle_frac > 0\nmessage: m\nseverity: info\nsaving: idle.longest_us\n", sparseLane(t))
	if f := o.Findings[0]; f.UpTo != 0 {
		t.Errorf("an upper bound that is not known is %v", f.UpTo)
	}
}
