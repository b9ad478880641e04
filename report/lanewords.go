package report

import (
	"fmt"
	"slices"
	"strings"
)

// laneName is how a lane is told from the others of its report: by rank where the ranks differ, else by GPU, else by both
// or by its file.
func (r *Report) laneName(i int) string {
	by := r.naming()
	if by.noun == "" {
		return fmt.Sprintf("lane %d (%s)", i, r.labelOf(Finding{Lane: i}))
	}
	return fmt.Sprintf("%s %d", by.noun, *by.of(r.Lanes[i].ID))
}

type laneNumber struct {
	noun string
	of   func(LaneID) *int
}

// naming finds the number that differs on every lane; of several files the rank is the better known one.
func (r *Report) naming() laneNumber {
	names := []laneNumber{{"GPU", func(l LaneID) *int { return l.GPU }}, {"rank", func(l LaneID) *int { return l.Rank }}}
	if len(r.Traces) > 1 {
		slices.Reverse(names)
	}
	for _, by := range names {
		seen := map[int]bool{}
		for _, l := range r.Lanes {
			if n := by.of(l.ID); n != nil {
				seen[*n] = true
			}
		}
		if len(seen) == len(r.Lanes) {
			return by
		}
	}
	return laneNumber{}
}

// onLane is " on GPU 3" where there is more than one lane.
func (r *Report) onLane(i int) string {
	if len(r.Lanes) < 2 || i < 0 {
		return ""
	}
	return " on " + r.laneName(i)
}

// lanesOf says where a finding holds: "GPU 0–7, worst GPU 3", empty when there is only one lane.
func (r *Report) lanesOf(f Finding) string {
	if len(r.Lanes) < 2 || len(f.Lanes) == 0 {
		return ""
	}
	s := r.group(f.Lanes)
	if len(f.Lanes) > 1 && r.gain(f) != "" {
		s += ", worst " + r.laneName(f.Lanes[0])
	}
	return s
}

func (r *Report) group(lanes []int) string {
	if len(lanes) == 1 {
		return r.laneName(lanes[0])
	}
	by := r.naming()
	if by.noun == "" {
		return fmt.Sprintf("%d of %d lanes", len(lanes), len(r.Lanes))
	}
	var numbers []int
	for _, i := range lanes {
		numbers = append(numbers, *by.of(r.Lanes[i].ID))
	}
	return by.noun + " " + ranges(numbers)
}

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
