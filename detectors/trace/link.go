package trace

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
)

// corrTable is the calls of one process by correlation id. Ids are counted up, so that a slice over their range is small;
// where they are not, it is a hash table with open addressing.
type corrTable struct {
	low   int64
	calls []int32 // index of the first call plus one, by id or by hash
	corrs []int64 // the ids of all calls; nil where calls is a slice over the range
	times uint64  // of the hash: odd, and not for a file to know
	shift int
}

func newCorrTable(low, high, count int64, corrs []int64) *corrTable {
	if size := high - low; size >= 0 && size < 4*count+1024 {
		return &corrTable{low: low, calls: make([]int32, size+1)}
	}
	n := bits.Len64(uint64(2*count - 1))
	return &corrTable{calls: make([]int32, 1<<n), corrs: corrs, times: rand.Uint64() | 1, shift: 64 - n}
}

// slot is where corr is, or would be, in calls.
func (c *corrTable) slot(corr int64) int {
	at := uint64(corr) * c.times >> c.shift
	for c.calls[at] != 0 && c.corrs[c.calls[at]-1] != corr {
		at = (at + 1) & uint64(len(c.calls)-1)
	}
	return int(at)
}

func (c *corrTable) put(corr int64, call int32) {
	at := int(corr - c.low)
	if c.corrs != nil {
		at = c.slot(corr)
	}
	if c.calls[at] == 0 {
		c.calls[at] = call + 1
	}
}

func (c *corrTable) get(corr int64) int32 {
	if c.corrs != nil {
		return c.calls[c.slot(corr)] - 1
	}
	if i := uint64(corr - c.low); corr >= c.low && i < uint64(len(c.calls)) {
		return c.calls[i] - 1
	}
	return -1
}

// callIndex finds the call that starts first of those with a correlation id: a driver call inside its runtime call shares
// it. In Kineto an id is unique in the file and GPU events do not name their process; in Nsight it is unique only inside
// one process.
type callIndex struct {
	whole  bool // ids are unique in the file
	tables map[int64]*corrTable
	last   int64
	table  *corrTable // of the process last
}

func (x *callIndex) process(p int64) int64 {
	if x.whole {
		return 0
	}
	return p
}

// find returns -1 where there is no such call.
func (x *callIndex) find(process, corr int64) int32 {
	if corr < 0 {
		return -1
	}
	if process = x.process(process); process != x.last || x.table == nil {
		x.last, x.table = process, x.tables[process]
	}
	if x.table == nil {
		return -1
	}
	return x.table.get(corr)
}

// indexCalls makes the index; corrs are the correlation ids of the calls.
func (b *Builder) indexCalls(t *Trace, corrs []int64) *callIndex {
	x := &callIndex{whole: t.Format == "kineto", tables: map[int64]*corrTable{}}
	type extent struct{ low, high, count int64 }
	extents := make([]extent, len(b.threads)) // by the first thread of each process
	first := make([]int32, len(b.threads))
	leader := map[int64]int32{}
	for i, thread := range b.threads {
		p := x.process(thread.PID)
		if _, ok := leader[p]; !ok {
			leader[p] = int32(i)
		}
		first[i] = leader[p]
	}
	for i, corr := range corrs {
		if corr < 0 {
			continue
		}
		e := &extents[first[t.Calls.Thread[i]]]
		if e.count++; e.count == 1 {
			e.low, e.high = corr, corr
		}
		e.low, e.high = min(e.low, corr), max(e.high, corr)
	}
	tables := make([]*corrTable, len(b.threads))
	for p, i := range leader {
		e := extents[i]
		if e.count == 0 {
			continue
		}
		c := newCorrTable(e.low, e.high, e.count, corrs)
		x.tables[p], tables[i] = c, c
	}
	for i, corr := range corrs {
		if corr >= 0 {
			tables[first[t.Calls.Thread[i]]].put(corr, int32(i))
		}
	}
	return x
}

// link connects GPU work with its launching calls and settles the process of work whose file does not name one.
func (b *Builder) link(t *Trace, x *callIndex, corrs []int64) {
	w, c := &t.Work, &t.Calls
	w.Call = make([]int32, len(corrs))
	owned := make([]ownedStream, len(b.streams))
	for i, corr := range corrs {
		s := w.Stream[i]
		p := b.streams[s].Process
		call := x.find(p, corr)
		w.Call[i] = call
		if call < 0 {
			continue
		}
		if c.Work[call] < 0 {
			c.Work[call] = int32(i)
		} else {
			c.Several[call] = true
		}
		if p == 0 {
			w.Stream[i] = owned[s].of(b, s, b.threads[c.Thread[call]].PID)
		}
	}
	b.adopt(t)
	b.numberStreams(t)
}

// ownedStream remembers which stream one without a process became when it was last given one.
type ownedStream struct {
	process int64 // 0 none yet
	stream  int32
}

func (o *ownedStream) of(b *Builder, s int32, process int64) int32 {
	if process == 0 {
		return s
	}
	if o.process != process {
		owned := b.streams[s]
		owned.Process = process
		*o = ownedStream{process, b.stream(owned)}
	}
	return o.stream
}

// adopt gives streams without a process the one that launched most on their device; where nothing of a device is linked, the
// only process that calls the GPU.
func (b *Builder) adopt(t *Trace) {
	rows := make([]int, len(b.streams))
	for _, s := range t.Work.Stream {
		rows[s]++
	}
	orphans := false
	count := map[int32]map[int64]int{} // of rows, by device and process
	for i, s := range b.streams {
		switch {
		case rows[i] == 0:
		case s.Process == 0:
			orphans = true
		case count[s.Device] == nil:
			count[s.Device] = map[int64]int{s.Process: rows[i]}
		default:
			count[s.Device][s.Process] += rows[i]
		}
	}
	if !orphans {
		return
	}
	only := b.onlyCaller(t)
	for i := range b.streams {
		if s := &b.streams[i]; s.Process == 0 {
			s.Process = cmp.Or(most(count[s.Device]), only)
		}
	}
}

// most is the process with the highest count, of several the lowest, 0 where there is none.
func most(count map[int64]int) int64 {
	best := int64(0)
	for p, n := range count {
		if m := count[best]; best == 0 || n > m || n == m && p < best {
			best = p
		}
	}
	return best
}

// onlyCaller is the process of all calls, 0 when there are several or none.
func (b *Builder) onlyCaller(t *Trace) int64 {
	only := int64(0)
	for _, th := range t.Calls.Thread {
		switch p := b.threads[th].PID; {
		case only == 0:
			only = p
		case p != only:
			return 0
		}
	}
	return only
}

// numberStreams numbers streams by their first activity. Two that were given the same process may have become one.
func (b *Builder) numberStreams(t *Trace) {
	first := map[Stream]int32{}
	same := make([]int32, len(b.streams))
	for i, s := range b.streams {
		if _, ok := first[s]; !ok {
			first[s] = int32(i)
		}
		same[i] = first[s]
	}
	n := numbers[int32]{now: make([]int32, len(b.streams))}
	for i, s := range t.Work.Stream {
		t.Work.Stream[i] = n.number(same[s])
	}
	for _, i := range n.order {
		t.Streams = append(t.Streams, b.streams[i])
	}
	t.Work.streams = t.Streams
}
