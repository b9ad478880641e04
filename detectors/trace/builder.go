package trace

import (
	"cmp"
	"slices"

	"perflint/detectors/span"
)

// The rows that readers add. Times are nanoseconds of the file's own clock; Build subtracts the earliest.
type (
	// WorkRow is a GPU activity. Corr is -1 where the file gives none.
	WorkRow struct {
		Start, End      int64
		Corr            int64
		Process         int64 // 0 when the file does not say; Build takes that of the launching call
		Context, Stream int64
		Bytes           int64 // -1 unknown
		Blocks          int64
		Device          int32
		Threads         int32
		Collective      int32
		BlocksPerSM     float32 // -1 unknown
		Name            Text
		Kind            WorkKind
		Dir             Direction
		Src, Dst        MemKind
		Node            bool
	}
	// CallRow is a runtime or driver call. Corr is -1 where the file gives none.
	CallRow struct {
		Start, End int64
		Corr       int64
		Name       Text
		Thread     int32
		Failed     bool
	}
	// RangeRow is a host range.
	RangeRow struct {
		Start, End  int64
		Name, Shape Text
		Thread      int32
		Kind        RangeKind
	}
	// WaitRow is a recorded synchronisation.
	WaitRow struct {
		Start, End       int64
		Corr             int64
		Process          int64
		Stream, OnStream int64
		Device           int32
		Kind             WaitKind
	}
	// OverheadRow is time that the profiler or driver took.
	OverheadRow struct {
		Start, End int64
		Name       Text
	}
	// MemoryRow is an allocator event.
	MemoryRow struct {
		At                         int64
		Bytes, Allocated, Reserved int64
		Device                     int32
	}
)

// Builder collects the rows of one file, in any order. It is not safe for concurrent use: a parallel reader gives each
// worker its own and joins them with Absorb.
type Builder struct {
	Meta
	Names       *Names
	work        slabs[WorkRow]
	calls       slabs[CallRow]
	ranges      slabs[RangeRow]
	waits       slabs[WaitRow]
	overheads   slabs[OverheadRow]
	memory      slabs[MemoryRow]
	threads     []Thread
	threadIndex map[[2]int64]int32
	collectives []Collective
	collIndex   map[Collective]int32
	notes       []Note
}

// NewBuilder starts a trace of that format.
func NewBuilder(format string) *Builder {
	return &Builder{
		Meta:        Meta{Format: format, Rank: -1, WorldSize: -1},
		Names:       NewNames(),
		threadIndex: map[[2]int64]int32{},
		collectives: []Collective{{InElems: -1, OutElems: -1}},
		collIndex:   map[Collective]int32{},
	}
}

// AddWork adds a GPU activity.
func (b *Builder) AddWork(r WorkRow) { b.work.add(r) }

// AddCall adds a runtime or driver call.
func (b *Builder) AddCall(r CallRow) { b.calls.add(r) }

// AddRange adds a host range.
func (b *Builder) AddRange(r RangeRow) { b.ranges.add(r) }

// AddWait adds a recorded synchronisation.
func (b *Builder) AddWait(r WaitRow) { b.waits.add(r) }

// AddOverhead adds time of the profiler or driver.
func (b *Builder) AddOverhead(r OverheadRow) { b.overheads.add(r) }

// AddMemory adds an allocator event.
func (b *Builder) AddMemory(r MemoryRow) { b.memory.add(r) }

// Note records what was dropped, repaired or missing.
func (b *Builder) Note(code, text string) { b.notes = append(b.notes, Note{code, text}) }

// Thread returns the index of a host thread, adding it when it is new.
func (b *Builder) Thread(pid, tid int64) int32 {
	key := [2]int64{pid, tid}
	if i, ok := b.threadIndex[key]; ok {
		return i
	}
	i := int32(len(b.threads))
	b.threads = append(b.threads, Thread{PID: pid, TID: tid})
	b.threadIndex[key] = i
	return i
}

// NameThread gives a thread the name that the file has for it.
func (b *Builder) NameThread(pid, tid int64, name string) { b.threads[b.Thread(pid, tid)].Name = name }

// Collective returns the index of those arguments, adding them when they are new.
func (b *Builder) Collective(c Collective) int32 {
	if i, ok := b.collIndex[c]; ok {
		return i
	}
	i := int32(len(b.collectives))
	b.collectives = append(b.collectives, c)
	b.collIndex[c] = i
	return i
}

// Rows is the number of rows added so far.
func (b *Builder) Rows() int {
	return b.work.len() + b.calls.len() + b.ranges.len() + b.waits.len() + b.overheads.len() + b.memory.len()
}

// Build sorts, links, checks and freezes. The builder must not be used afterwards.
func (b *Builder) Build() *Trace {
	b.rebase()
	t := &Trace{Meta: b.Meta, Names: b.Names, Threads: b.threads, Collective: b.collectives, Notes: b.notes}
	slices.SortFunc(t.Devices, func(x, y Device) int { return cmp.Compare(x.ID, y.ID) })
	slices.Sort(t.Credentials)
	t.Credentials = slices.Compact(t.Credentials)

	calls := b.buildCalls(t)
	works := b.buildWork(t)
	link(t, calls, works)
	b.buildRanges(t)
	b.buildWaits(t, calls)
	b.buildOverheads(t)
	b.buildMemory(t)
	return t
}

// rebase makes the earliest start zero. Metadata carries times too, which are no events: they are no rows.
func (b *Builder) rebase() {
	first := int64(1<<63 - 1)
	b.work.each(func(r *WorkRow) { first = min(first, r.Start) })
	b.calls.each(func(r *CallRow) { first = min(first, r.Start) })
	b.ranges.each(func(r *RangeRow) { first = min(first, r.Start) })
	b.waits.each(func(r *WaitRow) { first = min(first, r.Start) })
	b.overheads.each(func(r *OverheadRow) { first = min(first, r.Start) })
	b.memory.each(func(r *MemoryRow) { first = min(first, r.At) })
	if first == 1<<63-1 {
		first = 0
	}
	b.Origin = first
}

func (b *Builder) at(t int64) span.Time { return span.Time(t - b.Origin) }

// buildWork fills the columns of GPU work and returns its correlation keys in the same order.
func (b *Builder) buildWork(t *Trace) []corrKey {
	n := b.work.len()
	order := b.work.order(func(r *WorkRow) int64 { return r.Start }, func(x, y *WorkRow) bool { return x.End < y.End })
	w := &t.Work
	w.Start, w.End = make([]span.Time, n), make([]span.Time, n)
	w.Name, w.Kind, w.Device = make([]Text, n), make([]WorkKind, n), make([]int32, n)
	w.Stream, w.Process, w.Call = make([]int32, n), make([]int64, n), make([]int32, n)
	w.HasCorr, w.Bytes, w.Dir = make([]bool, n), make([]int64, n), make([]Direction, n)
	w.Src, w.Dst, w.Node = make([]MemKind, n), make([]MemKind, n), make([]bool, n)
	w.Blocks, w.Threads, w.BlocksPerSM = make([]int64, n), make([]int32, n), make([]float32, n)
	w.Collective = make([]int32, n)
	keys := make([]corrKey, n)
	for i, at := range order {
		r := b.work.at(at)
		w.Start[i], w.End[i] = b.at(r.Start), b.at(max(r.Start, r.End))
		w.Name[i], w.Kind[i], w.Device[i], w.Process[i] = r.Name, r.Kind, r.Device, r.Process
		w.HasCorr[i], w.Bytes[i], w.Dir[i] = r.Corr >= 0, r.Bytes, r.Dir
		w.Src[i], w.Dst[i], w.Node[i] = r.Src, r.Dst, r.Node
		w.Blocks[i], w.Threads[i], w.BlocksPerSM[i], w.Collective[i] = r.Blocks, r.Threads, r.BlocksPerSM, r.Collective
		w.Call[i] = -1
		keys[i] = corrKey{r.Process, r.Corr}
	}
	b.streams(t, order)
	b.work = slabs[WorkRow]{}
	return keys
}

// streams numbers the queues; the process of each is settled by link.
func (b *Builder) streams(t *Trace, order []uint32) {
	index := map[Stream]int32{}
	for i, at := range order {
		r := b.work.at(at)
		s := Stream{r.Process, r.Device, r.Context, r.Stream}
		k, ok := index[s]
		if !ok {
			k = int32(len(t.Streams))
			t.Streams = append(t.Streams, s)
			index[s] = k
		}
		t.Work.Stream[i] = k
	}
}

func (b *Builder) buildCalls(t *Trace) []corrKey {
	n := b.calls.len()
	order := b.calls.order(func(r *CallRow) int64 { return r.Start }, func(x, y *CallRow) bool { return x.End > y.End })
	c := &t.Calls
	c.Start, c.End, c.Name = make([]span.Time, n), make([]span.Time, n), make([]Text, n)
	c.Thread, c.Failed = make([]int32, n), make([]bool, n)
	c.Work, c.WorkCount = make([]int32, n), make([]int32, n)
	keys := make([]corrKey, n)
	for i, at := range order {
		r := b.calls.at(at)
		c.Start[i], c.End[i] = b.at(r.Start), b.at(max(r.Start, r.End))
		c.Name[i], c.Thread[i], c.Failed[i], c.Work[i] = r.Name, r.Thread, r.Failed, -1
		keys[i] = corrKey{b.threads[r.Thread].PID, r.Corr}
	}
	b.calls = slabs[CallRow]{}
	return keys
}

func (b *Builder) buildRanges(t *Trace) {
	n := b.ranges.len()
	order := b.ranges.order(func(r *RangeRow) int64 { return r.Start }, func(x, y *RangeRow) bool { return x.End > y.End })
	g := &t.Ranges
	g.Start, g.End, g.Name = make([]span.Time, n), make([]span.Time, n), make([]Text, n)
	g.Kind, g.Thread, g.Shape = make([]RangeKind, n), make([]int32, n), make([]Text, n)
	for i, at := range order {
		r := b.ranges.at(at)
		g.Start[i], g.End[i] = b.at(r.Start), b.at(max(r.Start, r.End))
		g.Name[i], g.Kind[i], g.Thread[i], g.Shape[i] = r.Name, r.Kind, r.Thread, r.Shape
	}
	b.ranges = slabs[RangeRow]{}
}

func (b *Builder) buildWaits(t *Trace, calls []corrKey) {
	order := b.waits.order(func(r *WaitRow) int64 { return r.Start }, func(x, y *WaitRow) bool { return x.End < y.End })
	var byKey map[corrKey]int32
	if len(order) > 0 {
		byKey = firstCalls(t, calls)
	}
	w := &t.Waits
	for _, at := range order {
		r := b.waits.at(at)
		w.Start, w.End = append(w.Start, b.at(r.Start)), append(w.End, b.at(max(r.Start, r.End)))
		w.Kind, w.Device = append(w.Kind, r.Kind), append(w.Device, r.Device)
		w.Stream, w.OnStream = append(w.Stream, r.Stream), append(w.OnStream, r.OnStream)
		call, ok := byKey[t.corrKey(r.Process, r.Corr)]
		if !ok {
			call = -1
		}
		w.Call = append(w.Call, call)
	}
}

func (b *Builder) buildOverheads(t *Trace) {
	o := &t.Overheads
	order := b.overheads.order(func(r *OverheadRow) int64 { return r.Start }, func(x, y *OverheadRow) bool { return x.End > y.End })
	for _, at := range order {
		r := b.overheads.at(at)
		o.Start, o.End = append(o.Start, b.at(r.Start)), append(o.End, b.at(max(r.Start, r.End)))
		o.Name = append(o.Name, r.Name)
	}
}

func (b *Builder) buildMemory(t *Trace) {
	m := &t.Memory
	for _, at := range b.memory.order(func(r *MemoryRow) int64 { return r.At }, nil) {
		r := b.memory.at(at)
		m.At, m.Bytes = append(m.At, b.at(r.At)), append(m.Bytes, r.Bytes)
		m.Allocated, m.Reserved = append(m.Allocated, r.Allocated), append(m.Reserved, r.Reserved)
		m.Device = append(m.Device, r.Device)
	}
}
