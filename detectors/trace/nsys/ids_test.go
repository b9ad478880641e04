package nsys

import (
	"math"
	"testing"
)

// TestByID asks for ids again and again: each is made once.
func TestByID(t *testing.T) {
	ids := []int64{0, 1, -1, 5, idPage - 1, idPage, 3 * idPage, 1000, denseIDs - 1, denseIDs, denseIDs + 1, math.MaxInt64, math.MinInt64, 7_000_000, 2}
	var m byID[int64]
	made := map[int64]int{}
	for range 3 {
		for _, id := range ids {
			if got := m.get(id, func(id int64) int64 { made[id]++; return id ^ 5 }); got != id^5 {
				t.Errorf("id %d has the value %d", id, got)
			}
		}
	}
	for _, id := range ids {
		if made[id] != 1 {
			t.Errorf("the value of id %d was made %d times", id, made[id])
		}
	}
}
