package rules

import (
	"testing"

	"perflint/detectors/feature"
)

func TestNumbersAreShownToTheDigitsThatCount(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 0.22146466: "0.2215", 0.2: "0.2", 1: "1", 12.5: "12.5", 1234567.25: "1234567.25", 0.000012344: "0.00001234", 100: "100", -0.5: "-0.5", 1e-30: "0",
	} {
		if got := fewDigits(v); got != want {
			t.Errorf("%v is shown as %s, want %s", v, got, want)
		}
	}
}

func TestTheSidesOfAComparisonDifferWhereTheirValuesDo(t *testing.T) {
	rs := load(t, "id: a\ntitle: T\nmessage: m\nwhen: gpu.idle_frac > params.max and gpu.idle_us > 3\nparams: {max: 20%}\n")
	for idle, want := range map[float64]string{
		20.000001: "gpu.idle_frac (0.20000001) > params.max (0.2): true",
		20:        "gpu.idle_frac (0.2) > params.max (0.2): false",
		31.23456:  "gpu.idle_frac (0.3123) > params.max (0.2): true",
	} {
		s := rs.Explain(rs.All()[0], Input{Lanes: []*feature.Set{idleLane(t, 0, idle)}}, Config{})[0].Steps[0]
		if got := s.Text + ": " + s.Result; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
