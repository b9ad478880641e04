package trace

import (
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

// The rows of the three big kinds are kept as columns, which become those of the trace: nothing is held twice.
type (
	workColumns struct {
		start, end     column[span.Time]
		corr           column[int32] // codes of wideIDs
		name           column[Text]
		kind           column[WorkKind]
		stream, detail column[int32]
	}
	callColumns struct {
		start, end column[span.Time]
		corr       column[int32] // codes of wideIDs
		name       column[Text]
		thread     column[int32]
		failed     column[bool]
	}
	rangeColumns struct {
		start, end  column[span.Time]
		name, shape column[Text]
		thread      column[int32]
		kind        column[RangeKind]
	}
)

// Builder collects the rows of one file, in any order. It is not safe for concurrent use: a parallel reader gives each
// worker its own and joins their parts.
type Builder struct {
	Meta
	Names       *Names
	work        workColumns
	calls       callColumns
	ranges      rangeColumns
	waits       column[WaitRow]
	overheads   column[OverheadRow]
	memory      column[MemoryRow]
	threads     []Thread
	threadIndex map[[2]int64]int32
	streams     []Stream
	streamIndex map[Stream]int32
	lastStream  int32
	details     detailTable
	wide        wideIDs
	collectives []Collective
	collIndex   map[Collective]int32
	named       []named
	notes       []Note
}

// NewBuilder starts a trace of that format.
func NewBuilder(format string) *Builder {
	return &Builder{
		Meta:        Meta{Format: format, Rank: -1, WorldSize: -1},
		Names:       NewNames(),
		threadIndex: map[[2]int64]int32{},
		streamIndex: map[Stream]int32{},
		collectives: []Collective{{InElems: -1, OutElems: -1}},
		collIndex:   map[Collective]int32{},
	}
}

// Reserve makes room for that many rows, where the reader knows or can bound the number: their columns are then built in
// place.
func (b *Builder) Reserve(works, calls, ranges int) {
	w, c, g := &b.work, &b.calls, &b.ranges
	for _, reserve := range []func(int){
		w.start.reserve, w.end.reserve, w.corr.reserve, w.name.reserve, w.kind.reserve, w.stream.reserve, w.detail.reserve,
	} {
		reserve(works)
	}
	for _, reserve := range []func(int){
		c.start.reserve, c.end.reserve, c.corr.reserve, c.name.reserve, c.thread.reserve, c.failed.reserve,
	} {
		reserve(calls)
	}
	for _, reserve := range []func(int){
		g.start.reserve, g.end.reserve, g.name.reserve, g.shape.reserve, g.thread.reserve, g.kind.reserve,
	} {
		reserve(ranges)
	}
}

// AddWork adds a GPU activity.
func (b *Builder) AddWork(r WorkRow) {
	w := &b.work
	w.start.add(span.Time(r.Start))
	w.end.add(span.Time(max(r.Start, r.End)))
	w.corr.add(b.wide.code(r.Corr))
	w.name.add(r.Name)
	w.kind.add(r.Kind)
	w.stream.add(b.stream(Stream{r.Process, r.Device, r.Context, r.Stream}))
	d := detailOf(&r)
	w.detail.add(b.details.index(&d))
}

// AddCall adds a runtime or driver call.
func (b *Builder) AddCall(r CallRow) {
	c := &b.calls
	c.start.add(span.Time(r.Start))
	c.end.add(span.Time(max(r.Start, r.End)))
	c.corr.add(b.wide.code(r.Corr))
	c.name.add(r.Name)
	c.thread.add(r.Thread)
	c.failed.add(r.Failed)
}

// AddRange adds a host range.
func (b *Builder) AddRange(r RangeRow) {
	g := &b.ranges
	g.start.add(span.Time(r.Start))
	g.end.add(span.Time(max(r.Start, r.End)))
	g.name.add(r.Name)
	g.shape.add(r.Shape)
	g.thread.add(r.Thread)
	g.kind.add(r.Kind)
}

// AddWait adds a recorded synchronisation.
func (b *Builder) AddWait(r WaitRow) { b.waits.add(r) }

// AddOverhead adds time of the profiler or driver.
func (b *Builder) AddOverhead(r OverheadRow) { b.overheads.add(r) }

// AddMemory adds an allocator event.
func (b *Builder) AddMemory(r MemoryRow) { b.memory.add(r) }

// Note records what was dropped, repaired or missing, once.
func (b *Builder) Note(code, text string) {
	if n := (Note{code, text}); !slices.Contains(b.notes, n) {
		b.notes = append(b.notes, n)
	}
}

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

// stream returns the index of a queue; which process it belongs to may be settled only by its launching calls.
func (b *Builder) stream(s Stream) int32 {
	if n := b.lastStream; int(n) < len(b.streams) && b.streams[n] == s {
		return n
	}
	i, ok := b.streamIndex[s]
	if !ok {
		i = int32(len(b.streams))
		b.streams = append(b.streams, s)
		b.streamIndex[s] = i
	}
	b.lastStream = i
	return i
}

// NameThread gives a thread the name that the file has for it. The last of several names holds.
func (b *Builder) NameThread(pid, tid int64, name string) {
	b.named = append(b.named, named{pid, tid, name})
}

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
	return b.work.start.len() + b.calls.start.len() + b.ranges.start.len() + b.waits.len() + b.overheads.len() + b.memory.len()
}
