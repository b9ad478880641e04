package trace

import (
	"sort"

	"perflint/detectors/span"
)

// order is how rows are to be put. Files are nearly sorted, or are a few sorted tables one behind the other: these are merged.
// Anything else is sorted by radix. The zero order leaves rows as they are.
type order struct {
	runs   []int    // bounds of the sorted runs that are merged
	merged []uint8  // by row in the end: the run it is from
	sorted []uint32 // by row in the end: where it was
}

// fewRuns is up to how many runs are merged.
const fewRuns = 16

// timeOrder is the order of rows by start; of those that start together by end, the longest first where outer is set, so
// that a parent stands before its children; then as they were added.
func timeOrder(start, end []span.Time, outer bool) order {
	before := func(i, j int) bool {
		if start[i] != start[j] {
			return start[i] < start[j]
		}
		if outer {
			return end[i] > end[j]
		}
		return end[i] < end[j]
	}
	runs := []int{0}
	for i := 1; i < len(start); i++ {
		if start[i] > start[i-1] || !before(i, i-1) {
			continue
		}
		if runs = append(runs, i); len(runs) > fewRuns {
			return order{sorted: radixOrder(start, before)}
		}
	}
	if len(runs) == 1 {
		return order{}
	}
	runs = append(runs, len(start))
	return order{runs: runs, merged: mergeRuns(runs, before)}
}

// mergeRuns tells for each row in the end from which run it is. Of rows that are equal, that of the earlier run comes first.
func mergeRuns(bounds []int, before func(i, j int) bool) []uint8 {
	merged := make([]uint8, 0, bounds[len(bounds)-1])
	heads := append([]int(nil), bounds[:len(bounds)-1]...)
	comes := func(r, than int) bool {
		a, b := heads[r], heads[than]
		return before(a, b) || r < than && !before(b, a)
	}
	queue := make([]int, len(heads)) // of runs by their heads
	for r := range queue {
		queue[r] = r
	}
	sort.Slice(queue, func(i, j int) bool { return comes(queue[i], queue[j]) })
	for len(queue) > 0 {
		r, others := queue[0], queue[1:]
		for heads[r] < bounds[r+1] && (len(others) == 0 || comes(r, others[0])) {
			merged = append(merged, uint8(r))
			heads[r]++
		}
		if heads[r] == bounds[r+1] {
			queue = others
			continue
		}
		at := sort.Search(len(others), func(i int) bool { return comes(r, others[i]) })
		copy(queue, others[:at])
		queue[at] = r
	}
	return merged
}

// arrange puts rows in that order, in place if it can.
func arrange[T any](rows []T, o order) []T {
	switch {
	case o.merged != nil:
		mergeInPlace(rows, o)
	case o.sorted != nil:
		sorted := make([]T, len(rows))
		for i, at := range o.sorted {
			sorted[i] = rows[at]
		}
		return sorted
	}
	return rows
}

// mergeInPlace fills rows from the end. The first run, which in most files is by far the longest, needs no copy: none of its
// rows moves to the front.
func mergeInPlace[T any](rows []T, o order) {
	first := o.runs[1]
	others := append([]T(nil), rows[first:]...)
	tails := append([]int(nil), o.runs[1:]...) // ends of what is left of each run
	for i := len(rows) - 1; i >= 0; i-- {
		r := o.merged[i]
		tails[r]--
		if r == 0 {
			rows[i] = rows[tails[0]]
		} else {
			rows[i] = others[tails[r]-first]
		}
	}
}
