package detectors

import (
	"fmt"
	"testing"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// epoch draws steps of 1 ms, each with the kernels that names says, launched from an op with those input dimensions.
func epoch(steps int, names func(step int) []string, shape func(step int) string) *sketch {
	s := draw()
	for i := range steps {
		at := 1000 * float64(i)
		s.annotation(fmt.Sprintf("ProfilerStep#%d", i), at, at+999)
		for k, name := range names(i) {
			from := at + 100*float64(k)
			if shape != nil {
				s.HasShapes = true
				s.AddRange(trace.RangeRow{Start: nanos(from + 8), End: nanos(from + 18), Name: s.Names.Intern("aten::" + name), Shape: s.Names.Intern(shape(i)), Thread: s.thread(1), Kind: trace.Op})
			}
			s.launch(name, from+10, from+15, int64(7+k%2), from+20, from+50)
		}
	}
	return s
}

func always(names ...string) func(int) []string { return func(int) []string { return names } }

func TestStepsThatRepeat(t *testing.T) {
	s := epoch(5, always("a", "b", "c"), nil)
	want{
		"steps.repeat_frac": 1, "steps.repeat_shapes_frac": nil, "steps.sequence_count": 3,
		"steps.repeat_spans": []span.Span{us(20, 4250)},
	}.check(t, s.features(t))
}

func TestStepsThatDiffer(t *testing.T) {
	s := epoch(5, func(step int) []string {
		return [][]string{{"a", "b"}, {"a", "b"}, {"b", "a"}, {"a", "b"}, {"a", "b", "b"}}[step]
	}, nil)
	want{"steps.repeat_frac": 0.6, "steps.sequence_count": 2}.check(t, s.features(t))
}

func TestStepsOfChangingShapes(t *testing.T) {
	names := always("a", "b", "c")
	s := epoch(4, names, func(int) string { return "[[8, 4]]" })
	want{"steps.repeat_frac": 1, "steps.repeat_shapes_frac": 1}.check(t, s.features(t))
	s = epoch(4, names, func(step int) string { return fmt.Sprintf("[[%d, 4]]", step/2) })
	want{"steps.repeat_frac": 1, "steps.repeat_shapes_frac": 0.5}.check(t, s.features(t))
}

func TestTheOrderBetweenStreamsIsChance(t *testing.T) {
	s := draw()
	for i, swapped := range []bool{false, true, false} {
		at := 1000 * float64(i)
		s.annotation(fmt.Sprintf("ProfilerStep#%d", i), at, at+999)
		first, second := at+20, at+30
		if swapped {
			first, second = second, first
		}
		s.launch("a", at+1, at+5, 7, first, first+50)
		s.launch("b", at+6, at+10, 8, second, second+50)
	}
	want{"steps.repeat_frac": 1}.check(t, s.features(t))
}

func TestASingleStepRepeatsNothing(t *testing.T) {
	want{"steps.repeat_frac": nil, "steps.repeat_spans": nil}.check(t, epoch(1, always("a"), nil).features(t))
}
