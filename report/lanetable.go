package report

import (
	"cmp"
	"fmt"
	"slices"

	"perflint/detectors/feature"
)

const maxLaneRows = 16

// laneRows compares the lanes of a report of several, idlest first, under a row of headings; more says how many of them
// are left out.
func (r *Report) laneRows() (rows [][]string, more string) {
	order := r.busyLanes()
	if len(order) < 2 {
		return nil, ""
	}
	rows = [][]string{{"", r.budgetOf(order[0]).noun(), "compute", "communication", "copies", "idle"}}
	for _, i := range order[:min(maxLaneRows, len(order))] {
		b := r.budgetOf(i)
		row := []string{r.laneName(i), feature.Micros(b.whole())}
		for _, n := range []string{"gpu.compute_us", "comm.exposed_us", "copy.exposed_us", "gpu.idle_us"} {
			row = append(row, share(r.Lanes[i].number(n)/b.window))
		}
		rows = append(rows, row)
	}
	if n := len(order) - maxLaneRows; n > 0 {
		more = fmt.Sprintf("%d more idle less.", n)
	}
	return rows, more
}

func (m markdown) laneTable() string {
	rows, more := m.r.laneRows()
	if len(rows) == 0 {
		return ""
	}
	t := table{head: rows[0], right: 1, rightTo: 5, rows: rows[1:]}
	return t.String() + "\n" + more
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
