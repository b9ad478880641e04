package detectors

import (
	"math/rand/v2"
	"slices"
	"testing"

	"perflint/detectors/span"
	"perflint/detectors/timeline"
)

// The median without sorting is that of all durations sorted.
func TestMedianIsThatOfSortedDurations(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for _, most := range []int64{1, 3, 1000, digit, 3 * digit, 5_000_000_000, 1 << 62} {
		for _, n := range []int{0, 1, 2, 3, 10, 101, 1000} {
			durations, micros := make([]span.Time, n), make([]float64, n)
			for i := range durations {
				durations[i] = span.Time(draw.Int64N(most))
				if draw.IntN(3) == 0 && i > 0 {
					durations[i] = durations[i-1]
				}
				micros[i] = durations[i].Micros()
			}
			var l lengths
			for _, d := range durations {
				l.add(d)
			}
			got := l.medianMicros(slices.Values(durations))
			if want := timeline.Median(micros); got != want || l.n != n {
				t.Errorf("the median of %d up to %d is %v of %d, want %v", n, most, got, l.n, want)
			}
		}
	}
}
