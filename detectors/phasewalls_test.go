package detectors

import "testing"

func TestThePassesPartTheWindow(t *testing.T) {
	s := draw()
	s.annotation("ProfilerStep#0", 0, 400)
	s.launch("forward", 5, 8, 7, 10, 100)
	s.annotation("autograd::engine::evaluate_function: MmBackward0", 20, 60)
	s.launch("backward", 30, 35, 7, 120, 200)
	s.launch("beside", 40, 45, 8, 90, 130) // of the backward pass, beside the forward one
	s.annotation("Optimizer.step#AdamW.step", 240, 330)
	s.launch("update", 290, 300, 7, 310, 320)
	set := s.features(t)
	total := 0.
	for _, r := range records(t, set, "phase.list") {
		total += r["wall_us"].(float64)
		expected := map[string][3]float64{"forward": {100, 0.9, 10}, "backward": {100, 1, 0}, "optimizer": {130, 10. / 130, 120}}[r["phase"].(string)]
		if !equal(r["wall_us"], expected[0]) || !equal(r["busy_frac"], expected[1]) || !equal(r["idle_us"], expected[2]) {
			t.Errorf("%v, want %v", r, expected)
		}
	}
	if w, _ := set.Number("gpu.window_us"); total != w {
		t.Errorf("%v of %v µs", total, w)
	}
}
