package kineto

import (
	"bytes"

	"perflint/detectors/trace"
)

// emit turns the event that was read, which stands at that place of the file, into the row that it gives, if any. Marks,
// flows and metadata give none, whatever times they carry.
func (s *scanner) emit(at int64) {
	e := &s.e
	s.tally.events++
	if e.is(hasPhase) {
		s.tally.phased++
	}
	if e.cat != noCat {
		s.tally.known++
	}
	switch e.phase {
	case 'X':
		s.complete()
	case 'i', 'I':
		if e.cat == memoryCat || e.cat == noCat {
			s.memory()
		}
	case 'M':
		if e.cat == noCat {
			s.metadata()
		}
	case 'B', 'E':
		s.tally.pairs++
	}
	if e.fixes != 0 {
		s.tally.repaired(e.fixes, at)
	}
}

// complete handles an event with a duration.
func (s *scanner) complete() {
	e := &s.e
	switch {
	case e.cat == noCat:
		s.tally.unknown++
		return
	case e.cat == idleCat || e.cat == memoryCat:
		return
	case e.cat >= mtiaCat:
		s.tally.foreign[e.cat-mtiaCat]++
		return
	case e.cat == counterCat:
		s.tally.counters++
		return
	case !e.is(hasTime):
		s.tally.noTime++
		return
	case !e.is(hasDur):
		s.tally.noDur++
		return
	}
	if e.dur < 0 {
		s.tally.negative++ // Kineto clamps since August 2022
		e.dur = 0
	}
	if end := e.ts + e.dur; end > maxTime {
		s.tally.noTime++
		return
	}
	switch e.cat {
	case kernelCat, copyCat, fillCat:
		s.work()
	case callCat:
		s.out.AddCall(trace.CallRow{Start: e.ts, End: e.ts + e.dur, Corr: e.correlation(), Name: s.callName(),
			Thread: s.hostThread()})
	case syncCat:
		s.wait()
	case overheadCat:
		s.out.AddOverhead(trace.OverheadRow{Start: e.ts, End: e.ts + e.dur, Name: s.named().text})
	default:
		s.hostRange()
	}
}

func (e *event) nameText() text {
	if e.is(hasName) {
		return e.name
	}
	return text{}
}

func (e *event) correlation() int64 {
	if e.is(hasCorr) && e.corr >= 0 {
		return e.corr
	}
	return -1
}

// hostThread is the index of the thread of the event. Events come thread by thread, mostly.
func (s *scanner) hostThread() int32 {
	pid, tid := s.e.owner()
	if t := &s.thread; !t.known || t.pid != pid || t.tid != tid {
		t.pid, t.tid, t.known, t.index = pid, tid, true, s.out.Thread(pid, tid)
	}
	return s.thread.index
}

func (e *event) owner() (pid, tid int64) {
	if e.is(hasPID) {
		pid = e.pid
	}
	if e.is(hasTID) {
		tid = e.tid
	}
	return pid, tid
}

func (s *scanner) hostRange() {
	e := &s.e
	n := s.named()
	r := trace.RangeRow{Start: e.ts, End: e.ts + e.dur, Name: n.text, Kind: trace.Op}
	switch {
	case e.cat == frameCat:
		r.Kind = trace.Frame
		s.tally.frames = true
	case e.cat == annotationCat || n.asAnnotation:
		r.Kind = trace.Annotation
		s.tally.ops = true
	default:
		s.tally.ops = true
		if e.is(hasDims) {
			r.Shape = s.shape()
			s.tally.shapes = true
		}
	}
	r.Thread = s.hostThread()
	s.out.AddRange(r)
}

// memory handles an allocator event. Those of 2021 have no category and no totals.
func (s *scanner) memory() {
	e := &s.e
	if !e.is(hasName) || string(s.plain(e.name)) != "[memory]" || !e.is(hasBytes) {
		return
	}
	if !e.is(hasTime) {
		s.tally.noTime++
		return
	}
	r := trace.MemoryRow{At: e.ts, Bytes: e.bytes, Allocated: -1, Reserved: -1, Device: -1}
	if e.is(hasAllocated) {
		r.Allocated = e.allocated
	}
	if e.is(hasReserved) {
		r.Reserved = e.reserved
	}
	if e.is(hasDeviceType) && e.deviceType != 0 && e.is(hasDevice) {
		r.Device = int32(e.device)
	}
	s.tally.memory = true
	s.out.AddMemory(r)
}

// systemName is what the operating system calls a thread, which Kineto writes as "thread 639 (pt_autograd_0)".
func systemName(name []byte) []byte {
	if _, rest, ok := bytes.Cut(name, []byte(" (")); ok && bytes.HasPrefix(name, []byte("thread ")) && bytes.HasSuffix(rest, []byte(")")) {
		return rest[:len(rest)-1]
	}
	return name
}

// metadata handles the names of threads; those of processes tell other programs' traces from Kineto's.
func (s *scanner) metadata() {
	e := &s.e
	if !e.is(hasName) || !e.is(hasArgName) {
		return
	}
	name := s.b[e.argName.from:e.argName.to]
	switch string(s.plain(e.name)) {
	case "thread_name":
		if plain, fixes := meaning(name); plain != nil {
			name = plain
			e.fixes |= fixes
		}
		pid, tid := e.owner()
		s.out.NameThread(pid, tid, string(systemName(name)))
	case "process_name":
		s.tally.ascend = s.tally.ascend || bytes.Equal(name, []byte("Ascend Hardware")) || bytes.Equal(name, []byte("CANN"))
		s.tally.tensorflow = s.tally.tensorflow || bytes.HasPrefix(name, []byte("/device:")) || bytes.HasPrefix(name, []byte("/host:"))
	}
}
