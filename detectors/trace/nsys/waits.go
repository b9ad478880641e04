package nsys

import "perflint/detectors/trace"

// noNumber is how the exporter writes "no stream" and "no event".
const noNumber = 0xFFFFFFFF

// eventKey names a CUDA event: its numbers are unique only inside one process and context.
type eventKey struct{ process, context, event int64 }

// recorded is the streams on which an event was recorded: by its synchronisation id where the file has one (2026), else the
// only stream that ever recorded it.
type recorded struct {
	bySync map[int64]int64
	stream int64 // -1 when several
}

func (r *reader) readEvents() map[eventKey]*recorded {
	events := map[eventKey]*recorded{}
	columns := []column{{"globalPid", noGlobal}, {"contextId", 0}, {"eventId", -1}, {"eventSyncId", 0}, {"streamId", -1}}
	r.scanAll("CUPTI_ACTIVITY_KIND_CUDA_EVENT", columns, ints(func(v []int64) {
		key := eventKey{r.process(v[0]), v[1], v[2]}
		e := events[key]
		if e == nil {
			e = &recorded{bySync: map[int64]int64{}, stream: v[4]}
			events[key] = e
		}
		if e.stream != v[4] {
			e.stream = -1
		}
		if v[3] != 0 {
			e.bySync[v[3]] = v[4]
		}
	}))
	return events
}

var waitColumns = []column{
	{"start", noTime}, {"end", 0}, {"globalPid", noGlobal}, {"correlationId", -1}, {"deviceId", -1}, {"contextId", 0},
	{"streamId", noNumber}, {"eventId", noNumber}, {"eventSyncId", 0}, {"syncType", 0},
}

// readWaits must come after the calls: only the function that was called tells what a row of this table is.
func (r *reader) readWaits() {
	events := r.readEvents()
	r.scanAll("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", waitColumns, ints(func(v []int64) {
		row := trace.WaitRow{
			Start: v[0], End: v[1], Process: r.process(v[2]), Corr: v[3], Device: int32(v[4]), Stream: number(v[6]), OnStream: -1,
		}
		kind, ok := r.syncCalls[callKey{row.Process, row.Corr}]
		if !ok {
			kind = r.syncType(v[9], row.Stream)
		}
		row.Kind = kind
		if kind == trace.StreamWaitEvent || kind == trace.EventSync {
			if e := events[eventKey{row.Process, v[5], v[7]}]; e != nil {
				row.OnStream = e.on(v[8])
			}
		}
		r.last = max(r.last, v[1])
		r.b.AddWait(row)
	}))
	r.syncCalls = nil
}

func (e *recorded) on(sync int64) int64 {
	if s, ok := e.bySync[sync]; ok && sync != 0 {
		return s
	}
	return e.stream
}

func number(n int64) int64 {
	if n == noNumber {
		return -1
	}
	return n
}

// syncType is the kind of a row whose call is not in the file. The column changed its meaning twice without the table of its
// meanings (ENUM_CUPTI_SYNC_TYPE) ever changing; these are the values that were seen beside calls. 2024.5.4 writes 0.
func (r *reader) syncType(code, stream int64) trace.WaitKind {
	seen := map[int64]trace.WaitKind{1: trace.ContextSync, 2: trace.EventSync, 3: trace.StreamSync}
	switch {
	case r.schemaFrom(3, 25): // 2026.2
		seen = map[int64]trace.WaitKind{1: trace.EventSync, 2: trace.StreamWaitEvent, 3: trace.StreamSync, 4: trace.ContextSync}
	case r.schemaFrom(3, 14): // 2024.6 to 2026.1
		seen = map[int64]trace.WaitKind{2: trace.StreamSync, 4: trace.ContextSync}
	}
	if kind, ok := seen[code]; ok {
		return kind
	}
	if code == 0 && stream < 0 {
		return trace.ContextSync
	}
	return trace.UnknownWait
}
