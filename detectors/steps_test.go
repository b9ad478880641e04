package detectors

import (
	"math"
	"testing"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
)

func TestStepFeatures(t *testing.T) {
	// The first kernels start at 10, 110, 230 and 330: steps of 100, 120 and 100 on the GPU. The last launched too little.
	s := draw()
	for i, at := range []float64{0, 100, 220, 320} {
		s.annotation("ProfilerStep#"+string(rune('3'+i)), at, []float64{100, 220, 320, 420}[i])
		s.launch("a", at+1, at+2, 7, at+10, at+50)
		if i < 3 {
			s.launch("b", at+3, at+4, 7, at+50, at+70)
		}
	}
	set := s.features(t)
	mean := 320.0 / 3
	want{
		"steps.count": 4, "steps.steady_count": 3, "steps.source": "ProfilerStep", "steps.empty_count": 0, "steps.first_off": false,
		"steps.median_us": 100, "steps.mean_us": mean, "steps.cv_frac": math.Sqrt((2*(100-mean)*(100-mean)+(120-mean)*(120-mean))/3) / mean,
		"steps.max_over_median_ratio": 1.2, "steps.host_median_us": 100, "steps.boundary_idle_us": 50,
	}.check(t, set)
	got := records(t, set, "steps.list")
	// The window ends with the last steady mark, at 320: what is idle after it is outside.
	for i, fields := range []want{
		{"index": 3, "gpu_us": 100, "host_us": 100, "idle_us": 40, "boundary_idle_us": 40, "launch_count": 2, "steady": true, "spans": []span.Span{us(10, 110)}},
		{"index": 4, "gpu_us": 120, "host_us": 120, "idle_us": 60, "boundary_idle_us": 60},
		{"index": 5, "gpu_us": 100, "idle_us": 30, "boundary_idle_us": nil, "spans": []span.Span{us(230, 320)}},
		{"index": 6, "gpu_us": nil, "idle_us": nil, "boundary_idle_us": nil, "launch_count": 1, "steady": false, "spans": []span.Span{}},
	} {
		checkRecord(t, got[i], fields)
	}
	if spans, _ := set.SpansOf("steps.boundary_idle_spans"); spans.Total() != us(0, 100).End {
		t.Errorf("idle between the steps: %v", spans)
	}
}

func TestStepsThatSayTooLittle(t *testing.T) {
	for _, c := range []struct {
		name string
		set  *feature.Set
		want want
	}{
		{"none", func() *feature.Set { s := draw(); s.launch("a", 0, 1, 7, 2, 3); return s.features(t) }(), want{
			"steps.count": 0, "steps.steady_count": 0, "steps.source": "none", "steps.first_off": false, "steps.empty_count": 0, "steps.median_us": nil, "steps.host_median_us": nil, "steps.list": nil}},
		{"one", steps(1, 100, func(*sketch, int, float64) {}).features(t), want{
			"steps.count": 1, "steps.median_us": 10, "steps.mean_us": 10, "steps.cv_frac": nil, "steps.max_over_median_ratio": nil, "steps.boundary_idle_us": nil, "steps.host_median_us": 100}},
		{"two", steps(2, 100, func(*sketch, int, float64) {}).features(t), want{
			"steps.median_us": 100, "steps.cv_frac": nil, "steps.boundary_idle_us": 91, "steps.first_counts_off": false}},
		{"two, of which the first warms up", func() *feature.Set {
			s := draw()
			s.annotation("ProfilerStep#0", 0, 126)
			s.launch("a", 1, 2, 7, 10, 20)
			s.annotation("ProfilerStep#1", 126, 226)
			s.launch("a", 127, 128, 7, 136, 146)
			return s.features(t)
		}(), want{"steps.first_off": false, "steps.first_counts_off": true, "steps.steady_count": 2}},
		{"a first that warms up", func() *feature.Set {
			s := draw()
			at := 0.0
			for i, length := range []float64{300, 100, 100, 100} {
				s.annotation("ProfilerStep#"+string(rune('0'+i)), at, at+length)
				s.launch("a", at+1, at+2, 7, at+10, at+20)
				at += length
			}
			return s.features(t)
		}(), want{"steps.first_off": true, "steps.first_counts_off": false, "steps.steady_count": 3, "steps.median_us": 100}},
		{"steps that launch nothing", func() *feature.Set {
			s := draw()
			for i := range 3 {
				at := 100 * float64(i)
				s.annotation("ProfilerStep#"+string(rune('0'+i)), at, at+100)
				s.op("aten::add", at+1, at+2)
			}
			s.launch("a", 1, 2, 7, 10, 20)
			return s.features(t)
		}(), want{"steps.count": 3, "steps.empty_count": 2, "steps.median_us": nil, "steps.boundary_idle_us": nil, "steps.host_median_us": 100}},
		{"one of many, asked for", steps(4, 100, func(*sketch, int, float64) {}).features(t, timeline.Options{Step: 2}), want{
			"steps.count": 4, "steps.steady_count": 1, "steps.first_off": false, "steps.median_us": 100, "gpu.window_us": 100, "launch.per_step_count": 1}},
	} {
		t.Run(c.name, func(t *testing.T) { c.want.check(t, c.set) })
	}
}

func TestTheListOfStepsEnds(t *testing.T) {
	set := steps(150, 100, func(*sketch, int, float64) {}).features(t)
	want{"steps.count": 150}.check(t, set)
	if n := len(records(t, set, "steps.list")); n != feature.MaxRecords {
		t.Errorf("%d records", n)
	}
}
