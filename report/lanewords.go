package report

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// peers is the lanes that a reader compares: those with a GPU or, where its number is not known, with work; or all where none
// has any.
func (r *Report) peers() []int {
	var all, gpus []int
	for i, l := range r.Lanes {
		all = append(all, i)
		if l.ID.GPU != nil || l.number("gpu.window_us") > 0 {
			gpus = append(gpus, i)
		}
	}
	if len(gpus) > 0 {
		return gpus
	}
	return all
}

// laneName is how a lane is told from the others of its report, as plain text: by the number that differs on every lane, else
// by its file, else by its process.
func (r *Report) laneName(i int) string {
	id := r.Lanes[i].ID
	if by := r.naming(); by.noun != "" && by.of(id) != nil {
		return fmt.Sprintf("%s %d", by.noun, *by.of(id))
	}
	var parts []string
	if id.GPU != nil {
		parts = append(parts, fmt.Sprintf("GPU %d", *id.GPU))
	}
	if len(r.Traces) > 1 && id.Trace < len(r.Traces) {
		if r.lanesOfFile(id.Trace) == 1 {
			return r.fileName(id.Trace)
		}
		parts = append(parts, r.fileName(id.Trace))
	}
	if r.ambiguous(i) {
		parts = append(parts, fmt.Sprintf("process %d", id.Process))
	}
	return strings.Join(parts, " of ")
}

// fileName is the last part of a trace's path, all of it where another one ends alike.
func (r *Report) fileName(trace int) string {
	base := path.Base(r.Traces[trace].Path)
	for i, t := range r.Traces {
		if i != trace && path.Base(t.Path) == base {
			return clean(r.Traces[trace].Path)
		}
	}
	return cut(clean(base), inTable)
}

func (r *Report) lanesOfFile(trace int) int {
	n := 0
	for _, i := range r.peers() {
		if r.Lanes[i].ID.Trace == trace {
			n++
		}
	}
	return n
}

// ambiguous reports whether file and GPU do not tell a lane from all others.
func (r *Report) ambiguous(i int) bool {
	same := func(a, b *int) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }
	id := r.Lanes[i].ID
	return id.GPU == nil || slices.ContainsFunc(r.peers(), func(o int) bool {
		other := r.Lanes[o].ID
		return o != i && other.Trace == id.Trace && same(other.GPU, id.GPU)
	})
}

type laneNumber struct {
	noun string
	of   func(LaneID) *int
}

// naming finds the number that differs on every lane with a GPU; of several files the rank is the better known one.
func (r *Report) naming() laneNumber {
	names := []laneNumber{{"GPU", func(l LaneID) *int { return l.GPU }}, {"rank", func(l LaneID) *int { return l.Rank }}}
	if len(r.Traces) > 1 {
		slices.Reverse(names)
	}
	peers := r.peers()
	for _, by := range names {
		seen := map[int]bool{}
		for _, i := range peers {
			if n := by.of(r.Lanes[i].ID); n != nil {
				seen[*n] = true
			}
		}
		if len(seen) == len(peers) {
			return by
		}
	}
	return laneNumber{}
}

// alone reports whether a lane is the only one that a reader would think of.
func (r *Report) alone(i int) bool {
	peers := r.peers()
	return len(peers) == 1 && peers[0] == i
}

// onLane is " on GPU 3" where there is more than one lane, as Markdown.
func (r *Report) onLane(i int) string {
	if i < 0 || r.alone(i) {
		return ""
	}
	return " on " + literal(r.laneName(i))
}

// lanesOf says where a finding holds: "GPU 0–7, worst GPU 3", as Markdown; empty when there is only one lane.
func (r *Report) lanesOf(f Finding) string {
	if len(f.Lanes) == 0 || len(f.Lanes) == 1 && r.alone(f.Lanes[0]) {
		return ""
	}
	s := literal(r.group(f.Lanes))
	if len(f.Lanes) > 1 && r.gain(f) != "" {
		s += ", worst " + literal(r.laneName(f.Lanes[0]))
	}
	return s
}

// group names several lanes as plain text: "GPU 0–3", the names of a few, or how many of how many.
func (r *Report) group(lanes []int) string {
	by := r.naming()
	var numbers []int
	var names []string
	for _, i := range lanes {
		names = append(names, r.laneName(i))
		if by.noun != "" && by.of(r.Lanes[i].ID) != nil {
			numbers = append(numbers, *by.of(r.Lanes[i].ID))
		}
	}
	switch {
	case len(numbers) == len(lanes):
		return by.noun + " " + ranges(numbers)
	case len(names) <= fewLanes:
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%d of %d lanes", len(lanes), len(r.peers()))
}

// fewLanes is how many lanes without numbers are named one by one.
const fewLanes = 3

// ranges prints numbers as "0–3, 5, 7".
func ranges(numbers []int) string {
	slices.Sort(numbers)
	var out []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		switch {
		case j == i:
			out = append(out, fmt.Sprint(numbers[i]))
		case j == i+1:
			out = append(out, fmt.Sprint(numbers[i]), fmt.Sprint(numbers[j]))
		default:
			out = append(out, fmt.Sprintf("%d–%d", numbers[i], numbers[j]))
		}
		i = j + 1
	}
	return strings.Join(out, ", ")
}
