package detectors

import (
	"fmt"
	"testing"

	"perflint/detectors/span"
)

// loop draws steps of 10 ms with 9 ms of GPU work each, whose first kernel is launched 1 ms into them, and lets between draw
// what the host does in the meantime.
func loop(steps int, between func(s *sketch, at float64)) *sketch {
	s := draw()
	for i := range steps {
		at := 10_000 * float64(i)
		s.annotation(fmt.Sprintf("ProfilerStep#%d", i), at, at+9990)
		if between != nil {
			between(s, at)
		}
		s.launch("gemm", at+990, at+995, 7, at+1000, at+10_000)
	}
	return s
}

func TestIdleTimeBetweenSteps(t *testing.T) {
	s := loop(5, func(s *sketch, at float64) {
		s.frame("train.py(7): log_metrics", at+10, at+900)
		s.op("aten::mean", at+20, at+100)
	})
	want{
		"steps.boundary_idle_us": 1000, "steps.boundary_lost_us": 1000, "steps.boundary_lost_frac": 0.1, "steps.boundary_steps_frac": 1,
		"steps.boundary_cause": "frame", "steps.boundary_subject": "log_metrics",
	}.check(t, s.features(t))
}

func TestWhatPassesBetweenStepsIsNamedNotWhereItPasses(t *testing.T) {
	s := loop(5, func(s *sketch, at float64) {
		s.frame("train.py(7): main", at+5, at+900)
		s.annotation("gc.collect", at+10, at+890)
	})
	want{"steps.boundary_cause": "gc", "steps.boundary_subject": "gc.collect"}.check(t, s.features(t))
}

func TestTheProfilersOwnStepIsNotBetweenSteps(t *testing.T) {
	s := loop(5, func(s *sketch, at float64) { s.frame("torch/profiler/profiler.py(788): step", at+10, at+900) })
	want{
		"steps.boundary_idle_us": 1000, "steps.boundary_lost_us": 0, "steps.boundary_lost_frac": 0, "steps.boundary_steps_frac": 0,
		"steps.boundary_cause": "unknown", "steps.boundary_subject": "",
	}.check(t, s.features(t))
}

// What a step that writes a checkpoint waits for is no habit of the loop.
func TestOneLongWaitIsNoHabitOfTheLoop(t *testing.T) {
	s, at := draw(), 0.0
	for i := range 6 {
		more := 1000.
		if i == 3 {
			more = 20_000
			s.frame("ckpt.py(4): save", at+10, at+more-10)
		} else {
			s.frame("train.py(7): log_metrics", at+10, at+990)
		}
		s.annotation(fmt.Sprintf("ProfilerStep#%d", i), at, at+more+9000)
		s.launch("gemm", at+more-10, at+more-5, 7, at+more, at+more+9000)
		at += more + 9000
	}
	want{
		"steps.boundary_lost_us": 1000, "steps.boundary_steps_frac": 1, "steps.boundary_subject": "log_metrics",
		"steps.boundary_lost_spans": []span.Span{us(10_000, 11_000), us(20_000, 21_000), us(59_000, 60_000), us(69_000, 70_000)},
	}.check(t, s.features(t))
}

func TestStepsWithoutASuccessorHaveNoBoundary(t *testing.T) {
	want{"steps.boundary_idle_us": nil, "steps.boundary_lost_frac": nil, "steps.boundary_cause": nil}.check(t, loop(1, nil).features(t))
	s := draw()
	s.launch("gemm", 0, 5, 7, 10, 20)
	want{"steps.boundary_idle_us": nil, "steps.boundary_lost_spans": nil}.check(t, s.features(t))
}
