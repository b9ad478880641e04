package kineto

import "perflint/detectors/trace"

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

func (s *scanner) work() {
	e := &s.e
	if e.ts == 0 && e.dur == 0 {
		s.tally.clocked++ // CUPTI had no time for it
		return
	}
	s.tally.gpu++
	n := s.named()
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
func (s *scanner) meant(t text) string {
	n := &s.names[s.learn(t)]
	s.e.fixes |= n.fixes
	return s.out.Names.String(n.text)
}

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
