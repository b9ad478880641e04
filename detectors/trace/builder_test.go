package trace

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"perflint/detectors/span"
)

func TestTimeOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	shapes := map[string]func(i, n int) int64{
		"sorted":        func(i, _ int) int64 { return int64(i) },
		"two runs":      func(i, n int) int64 { return int64(2 * (i % (n/2 + 1))) },
		"five runs":     func(i, n int) int64 { return int64(i % (n/5 + 1)) },
		"sixteen runs":  func(i, n int) int64 { return int64(i % (n/16 + 1) / 2) },
		"a short run":   func(i, n int) int64 { return int64((i + n/9) % n) },
		"a late row":    func(i, n int) int64 { return int64(i) - int64(i/max(1, n-1)*n/2) },
		"many runs":     func(i, _ int) int64 { return int64(i % 7) },
		"backwards":     func(i, n int) int64 { return int64(n - i) },
		"all the same":  func(int, int) int64 { return 5 },
		"random":        func(int, int) int64 { return rng.Int64N(100) },
		"far apart":     func(int, int) int64 { return rng.Int64() },
		"negative also": func(int, int) int64 { return rng.Int64N(1<<40) - 1<<39 },
	}
	for name, at := range shapes {
		for _, n := range []int{0, 1, 2, 3, 50, 1000} {
			for _, outer := range []bool{false, true} {
				start, end := make([]span.Time, n), make([]span.Time, n)
				for i := range start {
					start[i] = span.Time(at(i, n))
					end[i] = start[i] + span.Time(rng.IntN(3))
				}
				want := identity(n)
				slices.SortStableFunc(want, func(i, j uint32) int {
					ends := cmp.Compare(end[i], end[j])
					if outer {
						ends = -ends
					}
					return cmp.Or(cmp.Compare(start[i], start[j]), ends)
				})
				got := arrange(identity(n), timeOrder(start, end, outer))
				if !slices.Equal(got, want) {
					t.Fatalf("%s, %d rows, outer %v: got %v, want %v", name, n, outer, got, want)
				}
			}
		}
	}
}

// job adds rows of two processes on two devices; part picks some of them.
func job(b *Builder, part func(i int) bool) {
	for i := range 100_000 {
		if !part(i) {
			continue
		}
		at, process := int64(i)*10, int64(5+i%2)
		corr := int64(i/2) + int64(i%20/18)<<40
		name := b.Names.Intern(fmt.Sprint("call ", i%17))
		b.AddCall(CallRow{Start: at, End: at + 4, Corr: corr, Name: name, Thread: b.Thread(process, 1)})
		b.AddWork(WorkRow{Start: at + 5, End: at + 9, Corr: corr, Process: process, Device: int32(i % 2), Stream: int64(i % 3),
			Name: b.Names.Intern(fmt.Sprint("kernel ", i%1001)), Bytes: int64(i), Kind: WorkKind(i % 3),
			Collective: b.Collective(Collective{Name: fmt.Sprint(i % 5)})})
		b.AddRange(RangeRow{Start: at, End: at + 9, Name: name, Shape: b.Names.Intern(fmt.Sprint(i % 4)), Thread: b.Thread(process, int64(i%3))})
		if i%100 == 0 {
			b.AddWait(WaitRow{Start: at, End: at + 1, Corr: corr, Process: process})
			b.AddOverhead(OverheadRow{Start: at, End: at + 1, Name: name})
			b.AddMemory(MemoryRow{At: at, Bytes: 1})
		}
	}
	b.NameThread(5, 1, "main")
	b.Note("code", "text")
}

// plain is a trace with the texts, streams, threads and arguments themselves in place of their numbers.
func plain(t *Trace) []any {
	texts := func(ids []Text) []string { return each(ids, t.Names.String) }
	threads := func(ids []int32) []Thread { return each(ids, func(i int32) Thread { return t.Threads[i] }) }
	w, c, g := t.Work, t.Calls, t.Ranges
	out := []any{
		texts(w.Name), each(w.Stream, func(i int32) Stream { return t.Streams[i] }), details(t),
		texts(c.Name), threads(c.Thread), texts(g.Name), texts(g.Shape), threads(g.Thread), texts(t.Overheads.Name),
	}
	w.Name, w.Stream, w.detail, w.details, w.streams = nil, nil, nil, nil, nil
	c.Name, c.Thread = nil, nil
	g.Name, g.Shape, g.Thread = nil, nil, nil
	return append(out, w, c, g, t.Waits, t.Overheads.Start, t.Memory, t.Origin)
}

// details has those of each activity, with its collective itself in place of the index.
func details(t *Trace) []any {
	var all []any
	for i := range int32(t.Work.Len()) {
		d := *t.Work.detailOf(i)
		d.collective = 0
		all = append(all, d, t.Collective[t.Work.Collective(i)])
	}
	return all
}

func each[A, B any](in []A, f func(A) B) []B {
	out := make([]B, len(in))
	for i, v := range in {
		out[i] = f(v)
	}
	return out
}

func TestBuilderInPartsAndWithRoom(t *testing.T) {
	all := func(int) bool { return true }
	whole := NewBuilder("nsys")
	job(whole, all)
	want := whole.Build()

	roomy := NewBuilder("nsys")
	roomy.Reserve(100_000, 200_000, 10)
	job(roomy, all)
	if rows := roomy.Rows(); rows != 303_000 {
		t.Errorf("%d rows", rows)
	}
	if !reflect.DeepEqual(plain(roomy.Build()), plain(want)) {
		t.Error("with room made the trace differs")
	}

	first, second := NewBuilder("nsys"), NewBuilder("nsys")
	var parts []Part
	for k, b := range []*Builder{first, second, second, first, second} {
		job(b, func(i int) bool { return i/20_000 == k })
		parts = append(parts, b.Part())
	}
	job(second, all) // belongs to no part
	joined := NewBuilder("nsys")
	joined.Join(parts)
	got := joined.Build()
	got.Notes, got.Names.slots = want.Notes, want.Names.slots
	if !reflect.DeepEqual(got, want) {
		t.Error("in parts the trace differs")
	}
	if want.Threads[0].Name != "main" {
		t.Errorf("threads %v", want.Threads)
	}
}

func TestWorkThatNothingLinksIsOfTheOnlyCaller(t *testing.T) {
	for _, c := range []struct {
		what    string
		callers []int64
		want    int64
	}{
		{"one process calls the GPU", []int64{40, 40}, 40},
		{"two do", []int64{40, 41}, 0},
		{"none does", nil, 0},
	} {
		b := NewBuilder("kineto")
		for i, pid := range c.callers {
			b.AddCall(CallRow{Start: int64(i), End: int64(i) + 1, Thread: b.Thread(pid, 1), Name: b.Names.Intern("cudaLaunchKernel"), Corr: -1})
		}
		b.AddWork(WorkRow{Start: 10, End: 20, Corr: -1})
		if got := b.Build().Work.Process(0); got != c.want {
			t.Errorf("%s: the work is of process %d, want %d", c.what, got, c.want)
		}
	}
}

func TestWorkWithoutAProcess(t *testing.T) {
	b := NewBuilder("kineto")
	b.AddCall(CallRow{Start: 0, End: 1, Corr: 1, Thread: b.Thread(40, 1)})
	b.AddWork(WorkRow{Start: 2, End: 3, Corr: 1, Stream: 7})
	b.AddWork(WorkRow{Start: 4, End: 5, Corr: 9, Stream: 7})
	tr := b.Build()
	if a, b := tr.Work.Process(0), tr.Work.Process(1); a != 40 || b != 40 {
		t.Errorf("processes %d and %d", a, b)
	}
	if want := []Stream{{Process: 40, Number: 7}}; !reflect.DeepEqual(tr.Streams, want) {
		t.Errorf("streams %v", tr.Streams)
	}
}
