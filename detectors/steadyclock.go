package detectors

import (
	"perflint/detectors/span"
	"perflint/detectors/timeline"
)

// steadyClock tells of moments that come in order whether they lie in a steady step, without a search for each.
type steadyClock struct {
	lane *timeline.Lane
	next int // the first step that has not begun
}

func (c *steadyClock) in(t span.Time) bool {
	steps := c.lane.Steps
	for c.next < len(steps) && steps[c.next].Host.Start <= t {
		c.next++
	}
	return c.next > 0 && t < steps[c.next-1].Host.End && c.lane.IsSteady(int32(c.next-1))
}
