package detectors

import (
	"fmt"
	"testing"

	"perflint/detectors/span"
)

func TestAnEngineWithoutRequestsIsOfferedNoWork(t *testing.T) {
	s := draw()
	for i, at := range []float64{0, 2000, 13_000, 15_000} {
		s.annotation(fmt.Sprintf("execute_context_0(0)_generation_8(%d)", i), at, at+1900)
		s.launch("gemm", at+100, at+105, 7, at+110, at+1900)
	}
	// Between the second and the third step nothing runs for longer than a step; the third begins with host work of its own.
	want{"idle.unoffered_spans": []span.Span{us(3900, 13_000)}, "steps.source": "serving"}.check(t, s.features(t))
}

func TestOtherJobsAreAlwaysOfferedWork(t *testing.T) {
	want{"idle.unoffered_us": 0}.check(t, loop(5, nil).features(t))
}

func TestAStepThatWritesACheckpointIsRare(t *testing.T) {
	// Each step works for 10 ms; some then do so many µs of something else.
	epoch := func(us ...float64) *sketch {
		s, at := draw(), 0.0
		for i, more := range us {
			s.annotation(fmt.Sprintf("ProfilerStep#%d", i), at, at+10_100+more)
			s.launch("gemm", at+50, at+55, 7, at+100, at+10_100)
			at += 10_100 + more
		}
		return s
	}
	want{"idle.rare_us": 20_100, "idle.rare_spans": []span.Span{us(30_300, 50_400)}}.check(t, epoch(0, 0, 20_000, 0, 0, 0).features(t))
	want{"idle.rare_us": 0}.check(t, epoch(0, 20_000, 0, 20_000, 0, 0).features(t)) // every third is no exception
	want{"idle.rare_us": 0}.check(t, epoch(0, 0, 20_000, 0).features(t))            // of four steps nobody knows
	want{"idle.rare_us": 0}.check(t, epoch(0, 0, 4_000, 0, 0, 0).features(t))       // not that much longer
	want{"idle.rare_us": 0}.check(t, func() *sketch { s := draw(); s.launch("a", 0, 1, 7, 10, 20); return s }().features(t))
}

func TestProgramsThatShowFrames(t *testing.T) {
	frames := func(n int, at func(i int) float64) *sketch {
		s := draw()
		for i := range n {
			s.launch("draw", at(i), at(i)+5, 7, at(i)+10, at(i)+3000)
		}
		return s
	}
	even := func(i int) float64 { return 16_667 * float64(i) }
	want{"idle.frame_us": 16_667}.check(t, frames(12, even).features(t))
	want{"idle.frame_us": nil}.check(t, frames(10, even).features(t)) // nine gaps
	want{"idle.frame_us": nil}.check(t, frames(12, func(i int) float64 { return 16_667*float64(i) + 6000*float64(i%2) }).features(t))
	for name, explain := range map[string]func(s *sketch){
		"an op": func(s *sketch) { s.op("simulate", 20, 200_000) },
		"marks of steps": func(s *sketch) {
			for i := range 12 {
				s.annotation(fmt.Sprintf("ProfilerStep#%d", i), even(i), even(i)+16_000)
				s.op("aten::add", even(i), even(i)+4)
			}
		},
		"code loading in a launch": func(s *sketch) {
			for i := range 11 {
				s.launch("draw", even(i)+4000, even(i)+16_660, 7, even(i)+16_662, even(i)+16_664)
				s.call("cuLibraryLoadData", even(i)+4001, even(i)+16_650)
			}
		},
	} {
		s := frames(12, even)
		explain(s)
		if set := s.features(t); set.Reason("idle.frame_us") == "" {
			t.Errorf("%s explains them", name)
		}
	}
}

func TestTheStartOfTheWorkersIsKeptApart(t *testing.T) {
	// Each step waits so many µs for its batch, then works for 10 ms.
	waits := func(us ...float64) *sketch {
		s, at := draw(), 0.0
		for i, wait := range us {
			s.annotation(fmt.Sprintf("ProfilerStep#%d", i), at, at+10+wait+10_000)
			s.annotation("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", at, at+wait)
			s.launch("gemm", at+wait, at+wait+5, 7, at+wait+10, at+wait+10_010)
			at += 10 + wait + 10_000
		}
		return s
	}
	want{"loader.exposed_us": 6400, "loader.first_us": 6000, "loader.steady_us": 400}.check(t, waits(100, 100, 6000, 100, 100).features(t))
	want{"loader.exposed_us": 12_300, "loader.first_us": 0}.check(t, waits(100, 6000, 6000, 100, 100).features(t)) // it comes back
	want{"loader.first_us": 0, "loader.steady_us": 1300}.check(t, waits(100, 100, 900, 100, 100).features(t))
}
