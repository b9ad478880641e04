package detectors

import (
	"math/rand/v2"
	"slices"
	"testing"

	"perflint/detectors/span"
	"perflint/detectors/timeline"
)

// everyLane visits the lanes of traces that are made at random.
func everyLane(n int, visit func(l *timeline.Lane)) {
	r := rand.New(rand.NewPCG(21, 22))
	for i := range n {
		tm := &times{soup: random{r}, length: 4_000_000, grid: []int64{1, 1000, 50_000}[i%3]}
		tr := stir(random{r}, 5+r.IntN(120), tm).build()
		for _, l := range timeline.Lanes(tr, soupOptions(random{r}, tm)) {
			visit(l)
		}
	}
}

// phaseOf is the phase of one activity as the definition has it.
func phaseOf(l *timeline.Lane, a timeline.Act) timeline.Phase {
	if a.Call < 0 {
		return timeline.NoPhase
	}
	if p := l.Enclosing(a.Call).Phase; p != timeline.NoPhase {
		return p
	}
	for c := range int32(l.Trace.Calls.Len()) {
		if l.Enclosing(c).Phase == timeline.BackwardPhase {
			return timeline.ForwardPhase
		}
	}
	if a.Step >= 0 {
		return timeline.ForwardPhase
	}
	return timeline.NoPhase
}

func TestPhasesOfAllActivitiesAreThoseOfEach(t *testing.T) {
	known := 0
	everyLane(500, func(l *timeline.Lane) {
		for i, phase := range l.Phases() {
			if want := phaseOf(l, l.Act(int32(i))); phase != want {
				t.Fatalf("activity %d is of phase %d, not %d", i, phase, want)
			}
			if phase != timeline.NoPhase {
				known++
			}
		}
	})
	if known == 0 {
		t.Error("no activity has a phase")
	}
}

func TestCallsOfAClassAreThoseOfThatClass(t *testing.T) {
	most := 0
	everyLane(300, func(l *timeline.Lane) {
		for class := timeline.GraphLaunch; class <= timeline.QueueFull; class++ {
			want := slices.Clone(l.Calls())
			want = slices.DeleteFunc(want, func(c int32) bool { return l.CallClass(c) != class })
			if got := l.CallsOf(class); !slices.Equal(got, want) {
				t.Fatalf("%v: got %v, want %v", class, got, want)
			}
			most = max(most, len(want))
		}
		for c := range int32(l.Trace.Calls.Len()) {
			if l.HasCall(c) != slices.Contains(l.Calls(), c) {
				t.Fatalf("the lane has call %d: %v", c, l.HasCall(c))
			}
		}
	})
	if most < 3 {
		t.Errorf("no class has more than %d calls", most)
	}
}

func TestSteadyClockTellsWhatASearchTells(t *testing.T) {
	steady := 0
	everyLane(1000, func(l *timeline.Lane) {
		clock := steadyClock{lane: l}
		for _, c := range l.Calls() {
			if got, want := clock.in(l.Trace.Calls.Start[c]), l.InSteady(c); got != want {
				t.Fatalf("call %d lies in a steady step: %v, want %v", c, got, want)
			} else if got {
				steady++
			}
		}
	})
	if steady == 0 {
		t.Error("no call lies in a steady step")
	}
}

// What is told gap by gap is what sets of all gaps say.
func TestPartsOfGapsAreThoseOfSets(t *testing.T) {
	others := kindsOf(timeline.ByLoader, timeline.ByProfiler, timeline.ByOp, timeline.ByLaunch)
	blamed := func(l *timeline.Lane, k kinds) span.Set {
		return l.GapTime(func(g *timeline.Gap) span.Span {
			if k.has(l.HostCause(g).Kind) {
				return g.HostLate()
			}
			return span.Span{}
		}).Or(l.GapTime(func(g *timeline.Gap) span.Span {
			if k.has(l.CallCause(g).Kind) {
				return g.LaunchCall()
			}
			return span.Span{}
		}))
	}
	issues := 0
	everyLane(1000, func(l *timeline.Lane) {
		whole := l.GapTime((*timeline.Gap).HostLate).Or(l.GapTime((*timeline.Gap).LaunchCall))
		left := gapTime(l, func(g *timeline.Gap) span.Span { return paced(l, g, others) }).Set()
		if want := whole.Minus(blamed(l, others)); !slices.Equal(left, want) {
			t.Fatalf("without some culprits the gaps are %v, want %v", left, want)
		}
		short := l.GapTime(func(g *timeline.Gap) span.Span {
			if g.Len() >= timeline.LongGap {
				return span.Span{}
			}
			return span.Span{Start: g.Start, End: g.LaunchCall().End}
		})
		slow := gapTime(l, func(g *timeline.Gap) span.Span { return slowIssue(l, g) }).Set()
		if want := short.Minus(l.GapTime((*timeline.Gap).Cost)).Minus(blamed(l, particular)); !slices.Equal(slow, want) {
			t.Fatalf("the slow issue is %v, want %v", slow, want)
		}
		issues += len(slow)
	})
	if issues == 0 {
		t.Error("nothing is issued slowly")
	}
}
