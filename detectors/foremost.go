package detectors

import (
	"iter"
	"slices"
)

// foremost is the n first of all in an order, of equals the earlier. It sorts only those that may be among them.
func foremost[T any](all iter.Seq[T], n int, order func(a, b T) int) []T {
	var top []T
	full := false // top[n-1] is the last that may stay
	cut := func() {
		slices.SortStableFunc(top, order)
		top, full = top[:min(len(top), n)], len(top) >= n
	}
	for v := range all {
		if full && order(v, top[n-1]) >= 0 {
			continue
		}
		if top = append(top, v); len(top) == 2*n {
			cut()
		}
	}
	cut()
	return top
}
