package trace

import (
	"reflect"
	"sync"
	"testing"
)

// TestFillersFillOneBuilder compares rows that several goroutines put into their places with the same rows added in turn.
func TestFillersFillOneBuilder(t *testing.T) {
	const n, chunk = 20_000, 300
	work := func(i int64) WorkRow {
		return WorkRow{Start: i * 10, End: i*10 - 5 + i%9, Corr: i - 3 + i%50/49<<40, Process: 5 + i%2, Device: int32(i % 3), Context: i % 2, Stream: i % 97,
			Bytes: i / 7 % 900, Threads: int32(i % 2), Name: Text(i % 3), Kind: WorkKind(i % 3), Node: i%11 == 0}
	}
	call := func(i int64) CallRow {
		return CallRow{Start: i * 10, End: i*10 + i%4 - 1, Corr: i - 3 + i%50/49<<40, Name: Text(i % 3), Thread: int32(i % 2), Failed: i%5 == 0}
	}
	start := func() *Builder {
		b := NewBuilder("nsys")
		for _, name := range []string{"a", "b"} {
			b.Names.Intern(name)
		}
		b.Thread(5, 1)
		b.Thread(6, 1)
		return b
	}

	plain := start()
	for i := range int64(n) {
		plain.AddWork(work(i))
		plain.AddCall(call(i))
	}
	want := plain.Build()

	for _, room := range []int{0, n / 3, n} {
		b := start()
		b.Reserve(room, room, 0)
		var shared sync.Mutex
		var fillers sync.WaitGroup
		for from := 0; from < n; from += chunk {
			size := min(chunk, n-from)
			works, calls := b.WorkRoom(size), b.CallRoom(size)
			fillers.Go(func() {
				f := b.NewFiller(&shared)
				for i := range size {
					w, c := work(int64(from+i)), call(int64(from+i))
					f.Work(&works, i, &w)
					f.Call(&calls, i, &c)
				}
			})
		}
		fillers.Wait()
		got := b.Build()
		got.Names.slots = want.Names.slots
		if !reflect.DeepEqual(got, want) {
			t.Errorf("with room for %d rows the trace differs", room)
		}
	}
}
