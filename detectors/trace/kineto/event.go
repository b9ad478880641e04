package kineto

import "perflint/detectors/trace"

// text is a stretch of the buffer: the raw inside of a string, or a raw value.
type text struct{ from, to int }

// field is a bit for each value of an event that has been read.
type field uint32

const (
	hasPhase field = 1 << iota
	hasCat
	hasName
	hasTime
	hasDur
	hasPID
	hasTID
	hasArgs
	hasCorr
	hasStream
	hasDevice
	hasContext
	hasBytes
	hasGrid
	hasBlock
	hasPerSM
	hasNode
	hasCollective
	hasIn
	hasOut
	hasDtype
	hasGroupSize
	hasGroup
	hasGroupDesc
	hasKind
	hasDims
	hasArgName
	hasAllocated
	hasReserved
	hasDeviceType
	hasOnStream
)

// event is the one event that is being read. Values are valid where their bit in has is set.
type event struct {
	has     field
	fixes   fix // what had to be repaired to read it
	skipped bool
	phase   byte
	cat     category

	name, kind, dims, argName, collective, dtype, group, groupDesc text

	guess  *guess     // that the name is, nil where it was not guessed
	exact  bool       // the name was read without any repair
	dimsAs trace.Text // the raw string that the dimensions are, 0 where they were not guessed

	ts, dur                                         int64 // nanoseconds
	pid, tid, corr, stream, onStream, context       int64
	bytes, blocks, threads, allocated, reserved     int64
	in, out, groupSize, device, deviceType, nodeNum int64
	perSM                                           float32
}

func (e *event) is(f field) bool { return e.has&f != 0 }

// whole tells an event from any other object, where it is not certain that an event starts.
func (e *event) whole() bool { return e.is(hasPhase) && e.is(hasPID) }

// mark notes that a value was read, and that it was there before. encoding/json lets the last of two win, and so do we.
func (e *event) mark(f field) {
	if e.has&f != 0 {
		e.fixes |= fixDuplicate
	}
	e.has |= f
}

// member reads the value at i of a key of an event and returns the index behind it, -1 when it cannot be read.
func (s *scanner) member(key keyID, i int) int {
	e := &s.e
	switch key {
	case phaseKey:
		return s.phase(i)
	case catKey:
		return s.category(i)
	case nameKey:
		return s.name(i)
	case timeKey:
		return s.time(&e.ts, hasTime, i)
	case durKey:
		return s.time(&e.dur, hasDur, i)
	case pidKey:
		return s.id(&e.pid, hasPID, i)
	case tidKey:
		return s.id(&e.tid, hasTID, i)
	case argsKey:
		return s.arguments(i)
	}
	return s.skip(i)
}

// spelling is a category as the file spells it, with its quotes.
type spelling struct {
	raw [padding]byte
	n   int
	is  category
}

func (s *scanner) category(i int) int {
	seen := &s.cats[word(s.b, i)*0x9E3779B97F4A7C15>>60]
	if n := seen.n; n > 0 && !s.loose && string(s.b[i:i+n]) == string(seen.raw[:n]) {
		s.e.mark(hasCat)
		s.e.cat = seen.is
		return i + n
	}
	t, next := s.string(i)
	s.e.mark(hasCat)
	s.e.cat = noCat
	if next >= 0 && t.from <= t.to {
		s.e.cat = categoryOf(s.plain(t))
		if n := next - i; n < padding && !s.loose && s.e.fixes&fixControl == 0 {
			seen.n, seen.is = copy(seen.raw[:], s.b[i:next]), s.e.cat
		}
	}
	return next
}

func (s *scanner) phase(i int) int {
	b := s.b
	if b[i] == '"' && b[i+2] == '"' && b[i+1] > ' ' && b[i+1] != '\\' {
		s.e.mark(hasPhase)
		if s.e.phase = b[i+1]; s.e.flows() && !s.careful && !s.lost {
			return s.pass(i + 3)
		}
		return i + 3
	}
	t, next := s.string(i)
	s.e.mark(hasPhase)
	s.e.phase = '?'
	if next >= 0 && t.from <= t.to {
		if word := s.plain(t); len(word) == 1 {
			s.e.phase = word[0]
		}
	}
	return next
}

// flows tells a flow: two in five events of a file with many launches, and of no use to us.
func (e *event) flows() bool { return e.phase == 's' || e.phase == 'f' || e.phase == 't' }

// arguments reads the args object, or only what is needed of it as far as what came before it tells.
func (s *scanner) arguments(i int) int {
	e := &s.e
	e.mark(hasArgs)
	e.has &= 2*hasArgs - 1 // of two, the last holds
	if s.b[i] != '{' {
		return s.skip(i)
	}
	if !s.careful && (e.is(hasCat) && e.cat != noCat || e.flows()) {
		switch {
		case !readsArgs[e.cat] || e.cat == noCat:
			e.skipped = true
			return s.skip(i)
		case e.cat == opCat:
			return s.lone(i)
		}
	}
	return s.object(i, inArgs)
}

// argument reads the value at i of a key of args.
func (s *scanner) argument(key keyID, i int) int {
	e := &s.e
	switch key {
	case otherKey:
		return s.skip(i)
	case corrKey:
		return s.number(&e.corr, hasCorr, i)
	case streamKey:
		return s.id(&e.stream, hasStream, i)
	case deviceKey:
		return s.id(&e.device, hasDevice, i)
	case deviceIDKey:
		return s.number(&e.device, hasDevice, i)
	case contextKey:
		return s.id(&e.context, hasContext, i)
	case bytesKey:
		return s.number(&e.bytes, hasBytes, i)
	case gridKey:
		return s.product(&e.blocks, hasGrid, i)
	case blockKey:
		return s.product(&e.threads, hasBlock, i)
	case perSMKey:
		return s.ratio(&e.perSM, hasPerSM, i)
	case nodeKey:
		return s.number(&e.nodeNum, hasNode, i)
	case dimsKey:
		return s.dims(i)
	case kindKey:
		return s.text(&e.kind, hasKind, i)
	case onStreamKey:
		return s.number(&e.onStream, hasOnStream, i)
	case nameKey:
		return s.text(&e.argName, hasArgName, i)
	case allocatedKey:
		return s.number(&e.allocated, hasAllocated, i)
	case reservedKey:
		return s.number(&e.reserved, hasReserved, i)
	case deviceTypeKey:
		return s.number(&e.deviceType, hasDeviceType, i)
	}
	return s.collectiveArgument(key, i)
}

func (s *scanner) collectiveArgument(key keyID, i int) int {
	e := &s.e
	switch key {
	case collectiveKey:
		return s.text(&e.collective, hasCollective, i)
	case inKey:
		return s.number(&e.in, hasIn, i)
	case outKey:
		return s.number(&e.out, hasOut, i)
	case dtypeKey:
		return s.text(&e.dtype, hasDtype, i)
	case groupSizeKey:
		return s.number(&e.groupSize, hasGroupSize, i)
	case groupKey:
		return s.text(&e.group, hasGroup, i)
	case groupDescKey:
		return s.text(&e.groupDesc, hasGroupDesc, i)
	}
	return s.skip(i)
}
