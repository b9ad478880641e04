package trace

import "slices"

// slabRows is the length of a slab: long enough to make the slices of slabs short, short enough not to waste memory.
const slabRows = 1 << 15

// slabs is a growing list that never copies what it holds.
type slabs[T any] struct{ full [][]T }

func (s *slabs[T]) add(row T) {
	n := len(s.full)
	if n == 0 || len(s.full[n-1]) == slabRows {
		s.full = append(s.full, make([]T, 0, s.nextCap()))
		n++
	}
	s.full[n-1] = append(s.full[n-1], row)
}

// nextCap lets the first slab grow as slices do, so that a small trace stays small.
func (s *slabs[T]) nextCap() int {
	if len(s.full) == 0 {
		return 64
	}
	return slabRows
}

func (s *slabs[T]) len() int {
	if n := len(s.full); n > 0 {
		return (n-1)*slabRows + len(s.full[n-1])
	}
	return 0
}

func (s *slabs[T]) at(i uint32) *T { return &s.full[i/slabRows][i%slabRows] }

func (s *slabs[T]) each(f func(*T)) {
	for _, slab := range s.full {
		for i := range slab {
			f(&slab[i])
		}
	}
}

// order is the indices of the rows sorted by key, then by before, then as they were added.
func (s *slabs[T]) order(key func(*T) int64, before func(x, y *T) bool) []uint32 {
	n := s.len()
	keys, order := make([]uint64, 0, n), make([]uint32, n)
	s.each(func(r *T) { keys = append(keys, uint64(key(r))^1<<63) })
	for i := range order {
		order[i] = uint32(i)
	}
	radixSort(keys, order)
	if before == nil {
		return order
	}
	for i := 0; i < n; {
		j := i + 1
		for j < n && keys[j] == keys[i] {
			j++
		}
		if j-i > 1 {
			slices.SortStableFunc(order[i:j], func(a, b uint32) int {
				x, y := s.at(a), s.at(b)
				switch {
				case before(x, y):
					return -1
				case before(y, x):
					return 1
				}
				return 0
			})
		}
		i = j
	}
	return order
}

// radixSort sorts keys and carries order along; equal keys keep their order. Files are nearly sorted and their times share
// their high bits, so sorted input costs one look and digits that all keys share are skipped.
func radixSort(keys []uint64, order []uint32) {
	if slices.IsSorted(keys) {
		return
	}
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
