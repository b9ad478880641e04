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
		s.out.AddCall(trace.CallRow{Start: e.ts, End: e.ts + e.dur, Corr: e.correlation(), Name: s.callName(e.nameText()),
			Thread: s.hostThread()})
	case syncCat:
		s.wait()
	case overheadCat:
		s.out.AddOverhead(trace.OverheadRow{Start: e.ts, End: e.ts + e.dur, Name: s.learn(e.nameText()).text})
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

// place is the device and stream of a GPU event: its arguments say, else its row in the viewer. A host pid may be as small
// as a device's number (containers), so pid alone tells neither.
func (e *event) place() (device int32, stream int64) {
	pid, tid := e.owner()
	if e.is(hasDevice) {
		pid = e.device
	}
	if e.is(hasStream) {
		tid = e.stream
	}
	return int32(pid), tid
}

func (s *scanner) hostRange() {
	e := &s.e
	n := s.learn(e.nameText())
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
			r.Shape = s.out.Names.InternBytes(s.b[e.dims.from:e.dims.to])
			s.tally.shapes = true
		}
	}
	r.Thread = s.hostThread()
	s.out.AddRange(r)
}

func (s *scanner) work() {
	e := &s.e
	if e.ts == 0 && e.dur == 0 {
		s.tally.clocked++ // CUPTI had no time for it
		return
	}
	s.tally.gpu++
	n := s.learn(e.nameText())
	r := trace.WorkRow{Start: e.ts, End: e.ts + e.dur, Corr: e.correlation(), Name: n.text, Kind: n.kind, Bytes: -1, BlocksPerSM: -1}
	r.Device, r.Stream = e.place()
	if e.is(hasContext) {
		r.Context = e.context
	}
	r.Node = e.is(hasNode) && e.nodeNum != 0
	switch {
	case e.cat == copyCat:
		s.copyWork(&r, n)
	case e.cat == fillCat:
		r.Kind = trace.Fill
	case r.Kind != trace.Kernel:
		r.Dir = n.dir
		s.out.AddWork(r)
		return
	default:
		s.kernel(&r)
		s.out.AddWork(r)
		return
	}
	if e.is(hasBytes) && e.bytes >= 0 {
		r.Bytes = e.bytes
	}
	s.out.AddWork(r)
}

func (s *scanner) copyWork(r *trace.WorkRow, n *learned) {
	if !n.isCopy {
		n.isCopy = true
		n.dir, n.src, n.dst = copyName([]byte(s.out.Names.String(n.text)))
	}
	r.Kind, r.Dir, r.Src, r.Dst = trace.Copy, n.dir, n.src, n.dst
	if r.Dir == trace.NoDirection && s.e.is(hasKind) {
		r.Dir = directionOf(s.b[s.e.kind.from:s.e.kind.to])
	}
}

func (s *scanner) kernel(r *trace.WorkRow) {
	e := &s.e
	if e.is(hasGrid) {
		r.Blocks = e.blocks
	}
	if e.is(hasBlock) && e.threads <= 1<<30 {
		r.Threads = int32(e.threads)
	}
	if e.is(hasPerSM) && e.perSM >= 0 {
		r.BlocksPerSM = e.perSM
	}
	if e.is(hasCollective) {
		r.Collective = s.out.Collective(s.collective())
	}
}

func (s *scanner) collective() trace.Collective {
	e := &s.e
	c := trace.Collective{Name: s.meant(e.collective), InElems: -1, OutElems: -1}
	if e.is(hasIn) {
		c.InElems = e.in
	}
	if e.is(hasOut) {
		c.OutElems = e.out
	}
	if e.is(hasDtype) {
		c.Dtype = s.meant(e.dtype)
	}
	if e.is(hasGroup) {
		c.Group = s.meant(e.group)
	}
	if e.is(hasGroupDesc) {
		c.GroupDesc = s.meant(e.groupDesc)
	}
	if e.is(hasGroupSize) && e.groupSize > 0 && e.groupSize < 1<<31 {
		c.GroupSize = int(e.groupSize)
	}
	return c
}

// meant is the string that t means, without a new copy of one that is known.
func (s *scanner) meant(t text) string { return s.out.Names.String(s.learn(t).text) }

func (s *scanner) wait() {
	e := &s.e
	kind := e.nameText()
	if e.is(hasKind) {
		kind = e.kind
	}
	r := trace.WaitRow{Start: e.ts, End: e.ts + e.dur, Corr: e.correlation(), Kind: waitKind(s.b[kind.from:kind.to]), Stream: -1, OnStream: -1}
	r.Device, r.Stream = e.place()
	// Since April 2026 the row in the viewer is stream + 1000000; none is -1, or all bits set.
	if !e.is(hasStream) && r.Stream >= 1_000_000 {
		r.Stream -= 1_000_000
	}
	if r.Stream < 0 || r.Stream >= 1<<32-1 {
		r.Stream = -1
	}
	if e.is(hasOnStream) && e.onStream >= 0 && e.onStream < 1<<32-1 {
		r.OnStream = e.onStream
	}
	s.out.AddWait(r)
}

func waitKind(name []byte) trace.WaitKind {
	switch string(name) {
	case "Stream Sync", "Stream Synchronize":
		return trace.StreamSync
	case "Event Sync", "Event Synchronize":
		return trace.EventSync
	case "Context Sync", "Context Synchronize", "Device Sync":
		return trace.ContextSync
	case "Stream Wait Event":
		return trace.StreamWaitEvent
	}
	return trace.UnknownWait
}

// memory handles an allocator event. Those of 2021 have no category and no totals.
func (s *scanner) memory() {
	e := &s.e
	if !e.is(hasName) || string(s.b[e.name.from:e.name.to]) != "[memory]" || !e.is(hasBytes) {
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
	switch string(s.b[e.name.from:e.name.to]) {
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
