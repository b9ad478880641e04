package trace

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestDetailsAreKeptOnce compares the table with a map, for few details, for as many as there are rows, and for ones that
// differ in a single field.
func TestDetailsAreKeptOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	base := WorkRow{Bytes: -1, Blocks: 8, Threads: 64, BlocksPerSM: -1}
	single := []func(*WorkRow){
		func(r *WorkRow) {}, func(r *WorkRow) { r.Bytes = 0 }, func(r *WorkRow) { r.Blocks = 1 << 40 }, func(r *WorkRow) { r.Threads = 65 },
		func(r *WorkRow) { r.BlocksPerSM = float32(math.NaN()) }, func(r *WorkRow) { r.BlocksPerSM = 0 },
		func(r *WorkRow) { r.BlocksPerSM = float32(math.Copysign(0, -1)) }, func(r *WorkRow) { r.Collective = 1 },
		func(r *WorkRow) { r.Dir = DtoH }, func(r *WorkRow) { r.Src = ArrayMem }, func(r *WorkRow) { r.Dst = ArrayMem }, func(r *WorkRow) { r.Node = true },
	}
	for name, row := range map[string]func(i int) WorkRow{
		"few":           func(i int) WorkRow { r := base; r.Blocks = rng.Int64N(40); return r },
		"all different": func(i int) WorkRow { r := base; r.Bytes = int64(i); return r },
		"in one field":  func(i int) WorkRow { r := base; single[rng.IntN(len(single))](&r); return r },
	} {
		var table detailTable
		known := map[detail]int32{}
		for i := range 20_000 {
			r := row(i)
			d := detailOf(&r)
			want, ok := known[d]
			if !ok {
				want = int32(len(known))
				known[d] = want
			}
			if got := table.index(&d); got != want || table.all[got] != d {
				t.Fatalf("%s: row %d has detail %d, want %d", name, i, got, want)
			}
		}
	}
}

func TestWorkSaysWhatItsRowSaid(t *testing.T) {
	b := NewBuilder("nsys")
	coll := b.Collective(Collective{Name: "allreduce"})
	rows := []WorkRow{
		{Start: 1, End: 2, Corr: -1, Process: 5, Device: 1, Bytes: 77, Blocks: 12, Threads: 256, BlocksPerSM: 1.5, Kind: Copy, Dir: DtoH, Src: DeviceMem, Dst: PinnedMem},
		{Start: 3, End: 4, Corr: -1, Process: 6, Device: 2, Bytes: -1, BlocksPerSM: -1, Collective: coll, Node: true},
		{Start: 5, End: 6, Corr: -1, Process: 5, Device: 1, Bytes: 77, Blocks: 12, Threads: 256, BlocksPerSM: 1.5, Kind: Copy, Dir: DtoH, Src: DeviceMem, Dst: PinnedMem},
	}
	for _, r := range rows {
		b.AddWork(r)
	}
	w := &b.Build().Work
	for i, r := range rows {
		i := int32(i)
		got := WorkRow{Start: r.Start, End: r.End, Corr: -1, Process: w.Process(i), Device: w.Device(i), Bytes: w.Bytes(i), Blocks: w.Blocks(i), Threads: w.Threads(i),
			BlocksPerSM: w.BlocksPerSM(i), Collective: w.Collective(i), Kind: w.Kind[i], Dir: w.Dir(i), Src: w.Src(i), Dst: w.Dst(i), Node: w.Node(i)}
		if got != r {
			t.Errorf("got %+v, want %+v", got, r)
		}
	}
	if len(w.details) != 2 {
		t.Errorf("%d details of two", len(w.details))
	}
}
