package detectors

import (
	"cmp"
	"slices"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
	"perflint/detectors/trace"
)

// siteKey is what calls of one site share.
type siteKey struct {
	api, op, frame trace.Text
	dir            trace.Direction
	mem            trace.MemKind
	profiler       bool
	reads          bool // waits for the copy of a value that the thread has just asked for
}

type site struct {
	siteKey
	count, inSteady, drained int
	blocked, cost            span.Time
	bytes                    int64 // -1 once a copy of unknown size was met
	largest                  int64
	copies                   int
	costs, exposed           []span.Span
}

func siteRecords(lane *timeline.Lane) []feature.Record {
	sites, reads := map[siteKey]*site{}, readingSyncs(lane)
	for _, class := range []timeline.Class{timeline.Sync, timeline.BlockingCopy, timeline.AsyncCopy} {
		for _, c := range lane.CallsOf(class) {
			if !lane.Blocks(c) || lane.Captured(c) {
				continue
			}
			if lane.InWindow(c) {
				siteOf(lane, sites, reads, c).addCall(lane, c)
			}
			if lane.InSteady(c) {
				siteOf(lane, sites, reads, c).inSteady++
			}
		}
	}
	for i := range lane.Gaps {
		if g := &lane.Gaps[i]; g.Drained >= 0 {
			s := siteOf(lane, sites, reads, g.Drained)
			s.drained++
			s.cost += g.DrainCost
			s.costs = append(s.costs, g.Cost())
		}
	}
	all := make([]*site, 0, len(sites))
	for _, s := range sites {
		if s.count+s.drained > 0 {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b *site) int {
		return cmp.Or(cmp.Compare(b.cost, a.cost), cmp.Compare(b.blocked, a.blocked), cmp.Compare(a.api, b.api),
			cmp.Compare(a.op, b.op), cmp.Compare(a.frame, b.frame), cmp.Compare(a.dir, b.dir), cmp.Compare(a.mem, b.mem),
			order(a.profiler, b.profiler), order(a.reads, b.reads))
	})
	var out []feature.Record
	for _, s := range all[:min(len(all), feature.MaxRecords)] {
		out = append(out, s.record(lane))
	}
	return out
}

// readingSyncs are the synchronisations that follow within 10 µs on a thread that has just asked for the copy of a value to the
// host: what `.item()` looks like where no ops are recorded.
func readingSyncs(lane *timeline.Lane) map[int32]bool {
	const soon = 10_000 // ns
	calls, w := &lane.Trace.Calls, &lane.Trace.Work
	asked := make([]span.Time, len(lane.Trace.Threads)) // when the copy's call returned; 0 where the last call was none
	out := map[int32]bool{}
	for _, c := range lane.Calls() {
		th, row := calls.Thread[c], calls.Work[c]
		if asked[th] > 0 && calls.Start[c]-asked[th] <= soon && lane.CallClass(c) == timeline.Sync {
			out[c] = true
		}
		asked[th] = 0
		if row >= 0 && w.Kind[row] == trace.Copy && w.Dir(row) == trace.DtoH && w.Bytes(row) >= 0 && w.Bytes(row) <= itemBytes {
			asked[th] = calls.End[c]
		}
	}
	return out
}

// order puts no before yes.
func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func siteOf(lane *timeline.Lane, sites map[siteKey]*site, reads map[int32]bool, c int32) *site {
	e := lane.Enclosing(c)
	k := siteKey{api: lane.Trace.Calls.Name[c], op: e.Op, frame: e.Frame, profiler: e.Profiler, reads: reads[c]}
	if work := lane.Trace.Calls.Work[c]; work >= 0 && lane.CallClass(c) != timeline.Sync {
		w := &lane.Trace.Work
		k.dir, k.mem = w.Dir(work), hostSide(w, work)
	}
	s := sites[k]
	if s == nil {
		s = &site{siteKey: k}
		sites[k] = s
	}
	return s
}

// hostSide is the kind of host memory that a copy reads or writes.
func hostSide(w *trace.Work, row int32) trace.MemKind {
	switch w.Dir(row) {
	case trace.HtoD:
		return w.Src(row)
	case trace.DtoH:
		return w.Dst(row)
	}
	return trace.UnknownMem
}

func (s *site) addCall(lane *timeline.Lane, c int32) {
	s.count++
	s.blocked += lane.Trace.Calls.Span(c).Len()
	if work := lane.Trace.Calls.Work[c]; work >= 0 && s.dir != trace.NoDirection {
		s.copies++
		bytes := lane.Trace.Work.Bytes(work)
		s.largest = max(s.largest, bytes)
		if bytes < 0 || s.bytes < 0 {
			s.bytes = -1
		} else {
			s.bytes += bytes
		}
		s.exposed = append(s.exposed, lane.Trace.Work.Span(work).Clip(lane.W))
	}
}

const itemBytes = 64 // a copy to the host of at most this size reads a value

func (s *site) record(lane *timeline.Lane) feature.Record {
	exposed := span.Union(s.exposed).And(lane.ExposedCopy)
	cost := span.Union(s.costs)
	lost := cost.Or(exposed)
	r := feature.Record{
		"api": lane.Name(s.api), "op": lane.Name(s.op), "count": int64(s.count), "blocked_us": s.blocked.Micros(),
		"drained_count": int64(s.drained), "drained_us": s.cost.Micros(), "direction": directionName(s.dir), "memory": memoryName(s.mem),
		"drained_frac": float64(s.cost) / float64(lane.W.Len()),
		"exposed_us":   exposed.Total().Micros(), "spans": cost, "exposed_spans": lost,
		"lost_us": lost.Total().Micros(), "lost_frac": float64(lost.Total()) / float64(lane.W.Len()),
		"item":     isItem(lane.Name(s.op)) || s.reads || s.dir == trace.DtoH && s.copies > 0 && s.bytes >= 0 && s.largest <= itemBytes,
		"profiler": s.profiler,
	}
	putFrame(r, lane, s.frame)
	if s.copies > 0 && s.bytes >= 0 {
		r["bytes"] = s.bytes
	}
	if n := steadyCount(lane); n > 0 {
		r["per_step_count"] = float64(s.inSteady) / float64(n)
	}
	return r
}

func isItem(op string) bool {
	switch op {
	case "aten::item", "aten::_local_scalar_dense", "aten::is_nonzero":
		return true
	}
	return false
}

func directionName(d trace.Direction) string {
	switch d {
	case trace.HtoD:
		return "HtoD"
	case trace.DtoH:
		return "DtoH"
	case trace.DtoD:
		return "DtoD"
	case trace.PtoP:
		return "PtoP"
	}
	return ""
}

func memoryName(m trace.MemKind) string {
	switch m {
	case trace.PageableMem:
		return "pageable"
	case trace.PinnedMem:
		return "pinned"
	case trace.HostMem:
		return "host"
	}
	return ""
}
