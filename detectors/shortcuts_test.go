package detectors

import (
	"math/rand/v2"
	"slices"
	"testing"

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

func TestPhasesOfAllActivitiesAreThoseOfEach(t *testing.T) {
	known := 0
	everyLane(500, func(l *timeline.Lane) {
		for i, phase := range l.Phases() {
			if want := l.PhaseOf(l.Act(int32(i))); phase != want {
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
