package trace

import "cmp"

// link connects GPU work with its launching calls, whose indices take the place of the codes of correlation ids, and settles
// the process of work whose file does not name one.
func (b *Builder) link(t *Trace, x *callIndex, codes []int32) {
	w, c := &t.Work, &t.Calls
	links := make([]streamLink, len(b.streams))
	for i, s := range b.streams {
		links[i] = streamLink{calls: x.of(s.Process), orphan: s.Process == 0}
	}
	w.Call = codes
	for i, code := range codes {
		link := &links[w.Stream[i]]
		call := link.calls.get(code)
		codes[i] = call
		if call < 0 {
			continue
		}
		if c.Work[call] < 0 {
			c.Work[call] = int32(i)
		} else {
			c.Several[call] = true
		}
		if link.orphan {
			w.Stream[i] = link.owned(b, w.Stream[i], b.threads[c.Thread[call]].PID)
		}
	}
	b.adopt(t)
	b.numberStreams(t)
}

// streamLink is what the linking of a stream's activities needs.
type streamLink struct {
	calls   *corrTable // of its process
	orphan  bool       // the file does not name its process
	process int64      // that the latest activity was given, 0 none yet
	stream  int32      // that it became
}

func (l *streamLink) owned(b *Builder, s int32, process int64) int32 {
	if process == 0 {
		return s
	}
	if l.process != process {
		owned := b.streams[s]
		owned.Process = process
		l.process, l.stream = process, b.stream(owned)
	}
	return l.stream
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
