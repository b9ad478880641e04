package trace

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

func TestLinkBySparseAndRepeatedIDs(t *testing.T) {
	for _, c := range []struct {
		name, format string
		calls        [][3]int64 // process, correlation id, start
		work         [][2]int64 // process, correlation id
		want         []int32
	}{
		{"close ids", "nsys", [][3]int64{{5, 7, 0}, {5, 8, 1}}, [][2]int64{{5, 8}, {5, 7}, {5, 9}, {5, 6}, {6, 7}}, []int32{1, 0, -1, -1, -1}},
		{"far ids", "nsys", [][3]int64{{5, 1, 0}, {5, 1 << 62, 1}}, [][2]int64{{5, 1 << 62}, {5, 1}, {5, 2}}, []int32{1, 0, -1}},
		{"no ids", "nsys", [][3]int64{{5, -1, 0}}, [][2]int64{{5, -1}}, []int32{-1}},
		{"the first call has it", "nsys", [][3]int64{{5, 3, 9}, {5, 3, 2}}, [][2]int64{{5, 3}}, []int32{0}},
		{"ids of two processes", "nsys", [][3]int64{{5, 3, 1}, {6, 3, 2}}, [][2]int64{{6, 3}, {5, 3}}, []int32{1, 0}},
		{"ids of the file", "kineto", [][3]int64{{5, 3, 1}, {6, 4, 2}}, [][2]int64{{0, 4}, {0, 3}}, []int32{1, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := NewBuilder(c.format)
			for _, call := range c.calls {
				b.AddCall(CallRow{Start: call[2], End: call[2] + 1, Corr: call[1], Thread: b.Thread(call[0], 1)})
			}
			for i, w := range c.work {
				b.AddWork(WorkRow{Start: 100 + int64(i), End: 200, Process: w[0], Corr: w[1]})
			}
			if got := b.Build().Work.Call; !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// TestCorrTable compares the table with a map, for ids however far apart.
func TestCorrTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for name, id := range map[string]func(i int) int64{
		"counted up":        func(i int) int64 { return int64(i) },
		"from far on":       func(i int) int64 { return 1<<31 - 3000 + int64(i) },
		"in clumps":         func(i int) int64 { return int64(i/300)*10_000 + int64(i%300) },
		"in small clumps":   func(i int) int64 { return int64(i/3)*9000 + int64(i%3) },
		"backwards":         func(i int) int64 { return int64(5000 - i) },
		"one here or there": func(i int) int64 { return rng.Int64N(math.MaxInt32) },
		"wide":              func(i int) int64 { return 1<<40 + int64(i) },
		"wide and not":      func(i int) int64 { return int64(i) << ((i + 30) % 3 * 20) },
		"some without":      func(i int) int64 { return int64(i%50) - 7 },
		"all without":       func(int) int64 { return -1 },
	} {
		for _, n := range []int{0, 1, 2, 700, 5000} {
			var wide wideIDs
			codes, want := make([]int32, n), map[int64]int32{}
			for i := range codes {
				corr := id(i)
				codes[i] = wide.code(corr)
				if _, ok := want[corr]; corr >= 0 && !ok {
					want[corr] = int32(i)
				}
			}
			var table corrTable
			table.widen(codes[:n/2])
			table.widen(codes[n/2:])
			table.plan()
			table.mark(codes)
			table.allocate()
			table.put(codes[:n/2], 0)
			table.put(codes[n/2:], n/2)
			if size := len(table.calls) + len(table.keys); size > 8*n+64*corrPage+2*corrPage {
				t.Errorf("%s: %d slots for %d calls", name, size, n)
			}
			for i := -10; i < n+10; i++ {
				for _, corr := range []int64{id(i), id(i) + 1, int64(i), rng.Int64N(1 << 33)} {
					call, ok := want[corr]
					if !ok {
						call = -1
					}
					if got := table.get(wide.code(corr)); got != call {
						t.Fatalf("%s, %d calls: id %d has call %d, want %d", name, n, corr, got, call)
					}
				}
			}
		}
	}
}
