// Package timeline is what follows from a trace, computed once: lanes, steps, the window, gaps and their causes, phases.
package timeline

import "perflint/detectors/feature"

// Lane is one GPU of one process.
type Lane struct {
	ID   feature.Lane
	Acts []int32
}

// Absence tells why the lane has no GPU work.
func (l *Lane) Absence() string { return "" }
