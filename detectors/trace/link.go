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
func indexCalls(t *Trace, corrs []int64) *callIndex {
	x := &callIndex{whole: t.Format == "kineto", tables: map[int64]*corrTable{}}
	type extent struct{ low, high, count int64 }
	extents := make([]extent, len(t.Threads)) // by the first thread of each process
	first := make([]int32, len(t.Threads))
	leader := map[int64]int32{}
	for i, thread := range t.Threads {
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
	tables := make([]*corrTable, len(t.Threads))
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
func link(t *Trace, x *callIndex, corrs []int64) {
	orphans := false
	for i, corr := range corrs {
		if call := x.find(t.Work.Process[i], corr); call >= 0 {
			t.Work.Call[i] = call
			if t.Calls.WorkCount[call]++; t.Calls.Work[call] < 0 {
				t.Calls.Work[call] = int32(i)
			}
			if t.Work.Process[i] == 0 {
				t.Work.Process[i] = t.Threads[t.Calls.Thread[call]].PID
			}
		}
		orphans = orphans || t.Work.Process[i] == 0
	}
	if orphans {
		adopt(t)
	}
	renumber(t)
}

// adopt gives work without a process the one that launched most on its device; where nothing of a device is linked, the only
// process that calls the GPU.
func adopt(t *Trace) {
	only := onlyCaller(t)
	count := map[int32]map[int64]int{}
	for i, p := range t.Work.Process {
		if p != 0 {
			d := t.Work.Device[i]
			if count[d] == nil {
				count[d] = map[int64]int{}
			}
			count[d][p]++
		}
	}
	main := map[int32]int64{}
	for d, byProcess := range count {
		best := int64(0)
		for p, n := range byProcess {
			if m := byProcess[best]; best == 0 || n > m || n == m && p < best {
				best = p
			}
		}
		main[d] = best
	}
	for i, p := range t.Work.Process {
		if p == 0 {
			t.Work.Process[i] = cmp.Or(main[t.Work.Device[i]], only)
		}
	}
}

// onlyCaller is the process of all calls, 0 when there are several or none.
func onlyCaller(t *Trace) int64 {
	only := int64(0)
	for _, th := range t.Calls.Thread {
		switch p := t.Threads[th].PID; {
		case only == 0:
			only = p
		case p != only:
			return 0
		}
	}
	return only
}

// renumber numbers streams by their first activity and makes those distinct where two processes turned out to share one.
func renumber(t *Trace) {
	old := t.Streams
	t.Streams = nil
	index := map[Stream]int32{}
	type settled struct {
		process int64
		stream  int32
		known   bool
	}
	last := make([]settled, len(old))
	for i, p := range t.Work.Process {
		at := &last[t.Work.Stream[i]]
		if !at.known || at.process != p {
			s := old[t.Work.Stream[i]]
			s.Process = p
			k, ok := index[s]
			if !ok {
				k = int32(len(t.Streams))
				t.Streams = append(t.Streams, s)
				index[s] = k
			}
			*at = settled{p, k, true}
		}
		t.Work.Stream[i] = at.stream
	}
}
