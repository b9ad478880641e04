package trace

import (
	"slices"

	"perflint/detectors/span"
)

// timeOrder is the order of rows by start; of those that start together by end, the longest first where outer is set, so
// that a parent stands before its children; then as they were added. It is nil where the rows have that order already.
//
// Files are nearly sorted, or are a few sorted tables one behind the other: these are merged. Anything else is sorted by radix.
func timeOrder(start, end []span.Time, outer bool) []uint32 {
	before := func(i, j uint32) bool {
		if start[i] != start[j] {
			return start[i] < start[j]
		}
		if outer {
			return end[i] > end[j]
		}
		return end[i] < end[j]
	}
	const fewRuns = 16
	runs := []int{0}
	for i := 1; i < len(start); i++ {
		if before(uint32(i), uint32(i-1)) {
			if runs = append(runs, i); len(runs) > fewRuns {
				return radixOrder(start, before)
			}
		}
	}
	if len(runs) == 1 {
		return nil
	}
	return mergeRuns(identity(len(start)), append(runs, len(start)), before)
}

func identity(n int) []uint32 {
	order := make([]uint32, n)
	for i := range order {
		order[i] = uint32(i)
	}
	return order
}

// mergeRuns sorts order, which consists of sorted runs between the bounds.
func mergeRuns(order []uint32, bounds []int, before func(i, j uint32) bool) []uint32 {
	spare := make([]uint32, len(order))
	for len(bounds) > 2 {
		next := []int{0}
		for k := 0; k+1 < len(bounds); k += 2 {
			from, mid := bounds[k], bounds[k+1]
			to := mid
			if k+2 < len(bounds) {
				to = bounds[k+2]
			}
			merge(spare[from:to], order[from:mid], order[mid:to], before)
			next = append(next, to)
		}
		order, spare, bounds = spare, order, next
	}
	return order
}

func merge(to, a, b []uint32, before func(i, j uint32) bool) {
	for k := range to {
		if len(b) == 0 || len(a) > 0 && !before(b[0], a[0]) {
			to[k], a = a[0], a[1:]
		} else {
			to[k], b = b[0], b[1:]
		}
	}
}

func radixOrder(start []span.Time, before func(i, j uint32) bool) []uint32 {
	keys, order := make([]uint64, len(start)), identity(len(start))
	for i, s := range start {
		keys[i] = uint64(s) ^ 1<<63
	}
	radixSort(keys, order)
	for i := 0; i < len(order); {
		j := i + 1
		for j < len(order) && keys[j] == keys[i] {
			j++
		}
		if j-i > 1 {
			slices.SortStableFunc(order[i:j], func(a, b uint32) int {
				switch {
				case before(a, b):
					return -1
				case before(b, a):
					return 1
				}
				return 0
			})
		}
		i = j
	}
	return order
}

// radixSort sorts keys and carries order along; equal keys keep their order. Times share their high bits: digits that all
// keys share are skipped.
func radixSort(keys []uint64, order []uint32) {
	const bits = 11
	const radix = 1 << bits
	var differs uint64
	for _, k := range keys {
		differs |= k ^ keys[0]
	}
	keys2, order2 := make([]uint64, len(keys)), make([]uint32, len(order))
	from, fromOrder, to, toOrder := keys, order, keys2, order2
	for shift := 0; shift < 64; shift += bits {
		if differs>>shift&(radix-1) == 0 {
			continue
		}
		var count [radix]int
		for _, k := range from {
			count[k>>shift&(radix-1)]++
		}
		sum := 0
		for d, c := range count {
			count[d], sum = sum, sum+c
		}
		for i, k := range from {
			d := k >> shift & (radix - 1)
			to[count[d]], toOrder[count[d]] = k, fromOrder[i]
			count[d]++
		}
		from, fromOrder, to, toOrder = to, toOrder, from, fromOrder
	}
	if len(from) > 0 && &from[0] != &keys[0] {
		copy(keys, from)
		copy(order, fromOrder)
	}
}
