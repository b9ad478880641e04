package rules

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"perflint/detectors/feature"
	"perflint/detectors/span"
)

const windowUs = 1000.0

// randomFindings claim random intervals of a window of 1 ms, some of them refining others.
func randomFindings(rng *rand.Rand) []*finding {
	var out []*finding
	for i := range 1 + rng.IntN(8) {
		rule := &Rule{ID: fmt.Sprintf("rule-%d", i), Grain: Grain(rng.IntN(len(grainNames)))}
		if rng.IntN(3) == 0 {
			rule.Refines = []string{fmt.Sprintf("rule-%d", rng.IntN(8))}
		}
		f := &finding{rule: rule, window: windowUs, share: rng.Float64()}
		var spans []span.Span
		for range 1 + rng.IntN(5) {
			start := rng.IntN(900)
			spans = append(spans, span.Span{Start: span.Time(start * 1000), End: span.Time((start + rng.IntN(100)) * 1000)})
		}
		f.Claims = span.Union(spans)
		f.Alone = f.saved(f.Claims.Total())
		out = append(out, f)
	}
	return out
}

func TestExclusiveSavingsAddUpToNoMoreThanTheWindow(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 2000 {
		fs := randomFindings(rng)
		serve(serviceOrder(fs))
		sum := 0.0
		var all span.Set
		for _, f := range fs {
			if f.Exclusive > f.Alone+1e-9 || f.Exclusive < 0 {
				t.Fatalf("round %d: %s has %v exclusively of %v alone", round, f.rule.ID, f.Exclusive, f.Alone)
			}
			sum += f.Exclusive
			all = all.Or(f.Claims)
		}
		if sum > all.Total().Micros()+1e-6 || sum > windowUs {
			t.Fatalf("round %d: exclusive savings of %v µs out of %v", round, sum, all.Total().Micros())
		}
	}
}

func TestTheLedgerDoesNotDependOnTheOrderOfFindings(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		fs := randomFindings(rng)
		serve(serviceOrder(fs))
		before := map[string]float64{}
		for _, f := range fs {
			before[f.rule.ID] = f.Exclusive
		}
		rng.Shuffle(len(fs), func(i, j int) { fs[i], fs[j] = fs[j], fs[i] })
		serve(serviceOrder(fs))
		for _, f := range fs {
			if f.Exclusive != before[f.rule.ID] {
				t.Fatalf("%s has %v, in another order %v", f.rule.ID, before[f.rule.ID], f.Exclusive)
			}
		}
	}
}

func TestServiceOrder(t *testing.T) {
	make := func(id string, grain Grain, alone float64, refines ...string) *finding {
		f := &finding{rule: &Rule{ID: id, Grain: grain, Refines: refines}}
		f.Alone = alone
		return f
	}
	for name, c := range map[string]struct {
		in   []*finding
		want []string
	}{
		"finer first":       {[]*finding{make("a", GPUGrain, 9), make("b", FrameGrain, 1), make("c", CallGrain, 5)}, []string{"b", "c", "a"}},
		"then larger":       {[]*finding{make("a", OpGrain, 1), make("b", OpGrain, 2)}, []string{"b", "a"}},
		"then by id":        {[]*finding{make("b", OpGrain, 1), make("a", OpGrain, 1)}, []string{"a", "b"}},
		"loader=collective": {[]*finding{make("a", CollectiveGrain, 2), make("b", LoaderGrain, 1)}, []string{"a", "b"}},
		"refining first":    {[]*finding{make("a", CallGrain, 9), make("b", CallGrain, 6, "a")}, []string{"b", "a"}},
		"a detail does not": {[]*finding{make("a", CallGrain, 9), make("b", CallGrain, 5, "a")}, []string{"a", "b"}},
		"in a circle":       {[]*finding{make("a", OpGrain, 4, "b"), make("b", OpGrain, 3, "a")}, []string{"b", "a"}},
	} {
		var got []string
		for _, f := range serviceOrder(c.in) {
			got = append(got, f.rule.ID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: order %v, want %v", name, got, c.want)
		}
	}
}

// claimRule is a rule that fires always and claims idle.host_late_spans or another feature.
func claimRule(id, claims, more string) File {
	return File{Path: id + ".yaml", Data: []byte("id: " + id + "\ntitle: T\nwhen: gpu.window_us > 0\nmessage: m\nclaims: [" + claims + "]\n" + more)}
}

func evalRules(t *testing.T, lane func(*feature.Set), files ...File) map[string]Outcome {
	t.Helper()
	rs, diags := Load(testSchema(t), files...)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	s := feature.NewSet(testSchema(t), feature.Lane{Rank: -1})
	s.Float("gpu.window_us", windowUs)
	lane(s)
	out := map[string]Outcome{}
	for _, o := range rs.Eval(Input{Lanes: []*feature.Set{s}}, Config{}) {
		out[o.Rule.ID] = o
	}
	return out
}

func TestFolding(t *testing.T) {
	for name, c := range map[string]struct {
		fine, coarse span.Set
		refines      string
		folded       bool
	}{
		"the same time":                        {interval(0, 200), interval(0, 200), "", true},
		"nearly the same time":                 {interval(0, 200), interval(20, 200), "", true},
		"different times":                      {interval(0, 200), interval(200, 200), "", false},
		"half of it":                           {interval(0, 200), interval(100, 200), "", false},
		"a part that leaves less than it has":  {interval(0, 200), interval(0, 390), "", true},
		"a detail of something much larger":    {interval(0, 30), interval(0, 500), "", false},
		"half of it, but it refines the other": {interval(0, 200), interval(100, 200), "refines: [coarse]\n", true},
		"it refines the other elsewhere":       {interval(0, 200), interval(300, 200), "refines: [coarse]\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			out := evalRules(t, func(s *feature.Set) {
				s.Spans("idle.host_late_spans", c.fine)
				s.Spans("gpu.idle_spans", c.coarse)
			}, claimRule("coarse", "gpu.idle_spans", ""), claimRule("fine", "idle.host_late_spans", "grain: frame\n"+c.refines))
			fine, coarse := out["fine"].Findings[0], out["coarse"].Findings[0]
			if got := coarse.FoldedInto == "fine"; got != c.folded {
				t.Errorf("folded: %v, want %v", got, c.folded)
			}
			if got := slices.Contains(fine.SeenAs, "coarse"); got != c.folded {
				t.Errorf("seen as: %v, want %v", fine.SeenAs, c.folded)
			}
			if !fine.Decides() || coarse.Decides() == c.folded {
				t.Errorf("fine decides %v, coarse decides %v", fine.Decides(), coarse.Decides())
			}
		})
	}
}

func TestADetailOfTheSameGrainIsToldUnderTheWhole(t *testing.T) {
	for _, c := range []struct {
		detail  float64
		grain   string
		leading string
	}{
		{250, "call", "detail"}, // two thirds of it and more
		{240, "call", "whole"},
		{240, "op", "detail"}, // more precise
	} {
		out := evalRules(t, func(s *feature.Set) {
			s.Spans("idle.host_late_spans", interval(0, c.detail))
			s.Spans("gpu.idle_spans", interval(0, 370))
		}, claimRule("whole", "gpu.idle_spans", "grain: call\n"), claimRule("detail", "idle.host_late_spans", "grain: "+c.grain+"\nrefines: [whole]\n"))
		leader := out[c.leading].Findings[0]
		if leader.FoldedInto != "" || leader.Exclusive != leader.Alone {
			t.Errorf("%v of 370 µs, grain %s: %s does not lead: %+v", c.detail, c.grain, c.leading, leader)
		}
	}
}

// Synchronisation of a device is what most of the lost time after synchronisation comes from: one cause is one finding, however
// little is left of the other one.
func TestWhatIsRefinedIsToldUnderItUnlessMoreIsLeft(t *testing.T) {
	for _, c := range []struct {
		whole   float64
		refines string
		folded  bool
	}{
		{390, "refines: [whole]\n", true}, // 190 left of 200
		{410, "refines: [whole]\n", false},
		{390, "", false}, // nothing says that they are one cause: half of the leader's own is much
		{290, "", true},
	} {
		out := evalRules(t, func(s *feature.Set) {
			s.Spans("idle.host_late_spans", interval(0, 200))
			s.Spans("gpu.idle_spans", interval(0, c.whole))
		}, claimRule("whole", "gpu.idle_spans", "grain: call\n"), claimRule("detail", "idle.host_late_spans", "grain: op\n"+c.refines))
		if got := out["whole"].Findings[0].FoldedInto == "detail"; got != c.folded {
			t.Errorf("%v µs, %q: folded %v", c.whole, c.refines, got)
		}
	}
}

func TestWhatAFollowerClaimsBeyondItsLeaderIsFreeForOthers(t *testing.T) {
	out := evalRules(t, func(s *feature.Set) {
		s.Spans("idle.host_late_spans", interval(0, 200))
		s.Spans("gpu.idle_spans", interval(0, 300))
		s.Spans("sync.drained_spans", interval(250, 100))
	}, claimRule("coarse", "gpu.idle_spans", "grain: call\n"), claimRule("fine", "idle.host_late_spans", "grain: op\nrefines: [coarse]\n"),
		claimRule("other", "sync.drained_spans", "grain: call\n"))
	if fine, coarse, other := out["fine"].Findings[0], out["coarse"].Findings[0], out["other"].Findings[0]; coarse.FoldedInto != "fine" || fine.Exclusive != 200 || other.Exclusive != 100 {
		t.Errorf("coarse under %q; fine saves %v of 200 µs, the other %v of 100 µs", coarse.FoldedInto, fine.Exclusive, other.Exclusive)
	}
}

func TestWhatAFollowerClaimsBeyondItsLeaderIsNobodys(t *testing.T) {
	out := evalRules(t, func(s *feature.Set) {
		s.Spans("idle.host_late_spans", interval(0, 200))
		s.Spans("gpu.idle_spans", interval(0, 290))
	}, claimRule("coarse", "gpu.idle_spans", "grain: call\n"), claimRule("fine", "idle.host_late_spans", "grain: op\n"))
	if fine, coarse := out["fine"].Findings[0], out["coarse"].Findings[0]; fine.Exclusive != 200 || coarse.Exclusive != 0 {
		t.Errorf("fine saves %v of 200 µs, coarse under it %v", fine.Exclusive, coarse.Exclusive)
	}
}

func TestOneProblemHasOneSeverity(t *testing.T) {
	out := evalRules(t, func(s *feature.Set) {
		s.Spans("idle.host_late_spans", interval(0, 100))
		s.Spans("gpu.idle_spans", interval(0, 100))
	}, claimRule("coarse", "gpu.idle_spans", "severity: error\n"), claimRule("fine", "idle.host_late_spans", "grain: op\n"))
	if s := out["fine"].Findings[0].Severity; s != Error {
		t.Errorf("the leader is %s, what it leads is an error", s)
	}
}

func TestAHeldFindingDoesNotLeadAnotherOne(t *testing.T) {
	out := evalRules(t, func(s *feature.Set) {
		s.Spans("idle.host_late_spans", interval(0, 200))
		s.Spans("gpu.idle_spans", interval(0, 200))
	}, claimRule("coarse", "gpu.idle_spans", ""), claimRule("fine", "idle.host_late_spans", "grain: op\n"),
		File{Path: "holder.yaml", Data: []byte("id: holder\ntitle: T\nseverity: warning\nwhen: gpu.window_us > 0\nmessage: m\nholds: [{rules: [fine], at: info}]\n")})
	fine, coarse := out["fine"].Findings[0], out["coarse"].Findings[0]
	if fine.Severity != Info || fine.HeldBy != "holder" || coarse.Severity != Error || coarse.FoldedInto != "" {
		t.Errorf("fine %s held by %q; coarse %s folded into %q", fine.Severity, fine.HeldBy, coarse.Severity, coarse.FoldedInto)
	}
	if fine.Exclusive != 0 || coarse.Exclusive != coarse.Alone || fine.Decides() || !coarse.Decides() {
		t.Errorf("a held finding takes nothing from others: fine has %v exclusively, coarse %v of %v", fine.Exclusive, coarse.Exclusive, coarse.Alone)
	}
}

func TestEvalDoesNotDependOnTheOrderOfFiles(t *testing.T) {
	files := []File{claimRule("a", "gpu.idle_spans", ""), claimRule("b", "idle.host_late_spans", ""), claimRule("c", "sync.drained_spans", "refines: [a]\n")}
	lane := func(s *feature.Set) {
		s.Spans("gpu.idle_spans", interval(0, 500))
		s.Spans("idle.host_late_spans", interval(100, 300))
		s.Spans("sync.drained_spans", interval(150, 50))
	}
	want := fmt.Sprintf("%+v", brief(evalRules(t, lane, files...)))
	slices.Reverse(files)
	if got := fmt.Sprintf("%+v", brief(evalRules(t, lane, files...))); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func brief(out map[string]Outcome) map[string][3]any {
	m := map[string][3]any{}
	for id, o := range out {
		m[id] = [3]any{o.Findings[0].Alone, o.Findings[0].Exclusive, o.Findings[0].FoldedInto}
	}
	return m
}
