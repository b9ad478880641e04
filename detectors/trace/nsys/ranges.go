package nsys

import "perflint/detectors/trace"

// The event types of NVTX_EVENTS that matter; 75 and 76 create and destroy domains, 33 names a category, 34 is a mark.
const (
	nvtxPush, nvtxPop   = 35, 36 // the two halves of a push/pop range, in some exports
	nvtxStart, nvtxStop = 37, 38 // the two halves of a start/end range
	nvtxThread          = 39     // names a thread
	nvtxPushPop         = 59
	nvtxStartEnd        = 60
)

// openEnd is the end of a range that the file does not end.
const openEnd = -1 << 63

var nvtxColumns = []column{
	{"start", noTime}, {"end", openEnd}, {"eventType", nvtxPushPop}, {"globalTid", noGlobal}, {"textId", -1}, {"domainId", 0}, {"rangeId", 0},
}

// readRanges reads what the host did: NVTX ranges and blocking calls of the operating system.
func (r *reader) readRanges() {
	var halves []half
	for _, t := range r.db.versions("NVTX_EVENTS") {
		r.scan(t, nvtxColumns, "text", rows(func(v []int64, text []byte) {
			switch v[2] {
			case nvtxPushPop, nvtxStartEnd:
				r.addRange(v, r.label(v[4], text))
			case nvtxPush, nvtxPop, nvtxStart, nvtxStop:
				halves = append(halves, half{at: v[0], kind: v[2], tid: v[3], domain: v[5], id: v[6], label: r.label(v[4], text), row: len(halves)})
			case nvtxThread:
				r.thread(v[3])
				r.nameThread(v[3], r.b.Names.String(r.rawText(v[4], text)), 1<<62)
			}
		}))
	}
	r.joinHalves(halves)
	r.scanAll("OSRT_API", []column{{"start", noTime}, {"end", 0}, {"globalTid", noGlobal}, {"nameId", -1}}, ints(func(v []int64) {
		r.last = max(r.last, v[1])
		r.b.AddRange(trace.RangeRow{Kind: trace.OSCall, Start: v[0], End: v[1], Thread: r.thread(v[2]), Name: r.name(v[3])})
	}))
}

// addRange adds an NVTX range; v is a row of nvtxColumns.
func (r *reader) addRange(v []int64, l label) {
	row := trace.RangeRow{Start: v[0], End: v[1], Thread: r.thread(v[3]), Name: l.name, Shape: l.shape, Kind: l.kind}
	if v[2] == nvtxStartEnd && l.kind == trace.Annotation {
		row.Kind = trace.Open
	}
	r.b.HasOps = true
	r.b.HasShapes = r.b.HasShapes || l.shape != 0
	if v[1] == openEnd {
		r.unfinished = append(r.unfinished, row)
		r.last = max(r.last, v[0])
		return
	}
	r.last = max(r.last, v[1])
	r.b.AddRange(row)
}
