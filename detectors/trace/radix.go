package trace

import (
	"slices"

	"perflint/detectors/span"
)

// radixOrder sorts by start, then by before, then as they were added.
func radixOrder(start []span.Time, before func(i, j int) bool) []uint32 {
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
				case before(int(a), int(b)):
					return -1
				case before(int(b), int(a)):
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

func identity(n int) []uint32 {
	order := make([]uint32, n)
	for i := range order {
		order[i] = uint32(i)
	}
	return order
}
