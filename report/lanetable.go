package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"perflint/detectors/feature"
)

const maxLaneRows = 16

// laneRows compares the lanes of a report of several under a row of headings; lanes that read the same share a row. Where
// there are many, the idlest are shown, and more says how many rows are left out.
func (r *Report) laneRows() (rows [][]string, more string) {
	order := r.busyLanes()
	if len(order) < 2 {
		return nil, ""
	}
	same := map[string][]int{}
	var figures [][]string
	for _, i := range order {
		row := r.laneFigures(i)
		key := strings.Join(row, "|")
		if same[key] == nil {
			figures = append(figures, row)
		}
		same[key] = append(same[key], i)
	}
	rows = [][]string{{"lane", r.budgetOf(order[0]).noun(), "compute", "communication", "copies", "idle"}}
	for _, f := range figures[:min(maxLaneRows, len(figures))] {
		rows = append(rows, append([]string{r.group(same[strings.Join(f, "|")])}, f...))
	}
	if n := len(figures) - maxLaneRows; n > 0 {
		more = counted(n, "further row") + " of lanes that idle less in the JSON report."
	}
	return rows, more
}

// laneFigures is the length of a step of a lane and where it goes.
func (r *Report) laneFigures(i int) []string {
	b := r.budgetOf(i)
	out := []string{feature.Micros(b.whole())}
	for _, n := range []string{"gpu.compute_us", "comm.exposed_us", "copy.exposed_us", "gpu.idle_us"} {
		out = append(out, feature.Share(r.Lanes[i].number(n)/b.window))
	}
	return out
}

func (m markdown) laneTable() string {
	rows, more := m.r.laneRows()
	if len(rows) == 0 {
		return ""
	}
	for _, row := range rows[1:] {
		row[0] = literal(row[0])
	}
	t := table{head: rows[0], right: 1, rightTo: 5, rows: rows[1:]}
	return t.String() + "\n" + more
}

// busyLanes is the lanes with GPU work in the order of their numbers; where there are more than a table has rows, the idlest
// first.
func (r *Report) busyLanes() []int {
	var out []int
	for i, l := range r.Lanes {
		if l.number("gpu.window_us") > 0 {
			out = append(out, i)
		}
	}
	by := r.naming()
	switch {
	case len(out) > maxLaneRows:
		idle := func(i int) float64 { return r.Lanes[i].number("gpu.idle_us") / r.Lanes[i].number("gpu.window_us") }
		slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(idle(b), idle(a)) })
	case by.noun != "":
		number := func(i int) int { // a broken trace has work of no GPU
			if n := by.of(r.Lanes[i].ID); n != nil {
				return *n
			}
			return math.MaxInt
		}
		slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(number(a), number(b)) })
	}
	return out
}
