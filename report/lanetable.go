package report

import (
	"cmp"
	"fmt"
	"slices"

	"perflint/detectors/feature"
)

const maxLaneRows = 16

// laneTable compares the lanes of a report of several, idlest first.
func (m markdown) laneTable() string {
	order := m.r.busyLanes()
	if len(order) < 2 {
		return ""
	}
	t := table{head: []string{"", "Step", "Compute", "Communication", "Copies", "Idle"}, right: 1, rightTo: 5}
	if !m.r.budgetOf(order[0]).steps {
		t.head[1] = "Window"
	}
	for _, i := range order[:min(maxLaneRows, len(order))] {
		f, b := m.r.Lanes[i], m.r.budgetOf(i)
		row := []string{m.r.laneName(i), feature.Micros(b.whole())}
		for _, n := range []string{"gpu.compute_us", "comm.exposed_us", "copy.exposed_us", "gpu.idle_us"} {
			row = append(row, share(f.number(n)/b.window))
		}
		t.add(row...)
	}
	s := t.String()
	if n := len(order) - maxLaneRows; n > 0 {
		s += fmt.Sprintf("\n%d more idle less.\n", n)
	}
	return s
}

// busyLanes is the lanes with GPU work, idlest first.
func (r *Report) busyLanes() []int {
	var out []int
	for i, l := range r.Lanes {
		if l.number("gpu.window_us") > 0 {
			out = append(out, i)
		}
	}
	idle := func(i int) float64 { return r.Lanes[i].number("gpu.idle_us") / r.Lanes[i].number("gpu.window_us") }
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(idle(b), idle(a)) })
	return out
}
