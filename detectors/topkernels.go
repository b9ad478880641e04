package detectors

import (
	"cmp"
	"math"
	"slices"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
	"perflint/detectors/trace"
)

// usage is what one kernel name takes.
type usage struct {
	name, full   string
	count        int
	total        span.Time
	sum, squares float64
	ops          map[trace.Text]span.Time
	lastOp       trace.Text // whose time is not in ops yet
	lastTime     span.Time
	shapes       map[trace.Text]span.Time // nil where none are recorded
	spans        []span.Span
}

func topKernels(lane *timeline.Lane) []feature.Record {
	top, by := ranking(lane)
	top = top[:min(len(top), feature.MaxRecords)]
	for _, u := range top {
		u.spans = make([]span.Span, 0, u.count)
	}
	any := lane.Builder() // kernels alone: the compute of a lane holds graphs without kernels too
	eachKernel(lane, func(a timeline.Act) {
		at := a.Clip(lane.W)
		any.Add(at)
		if u := by[lane.Trace.Work.Name[a.Row]]; cap(u.spans) > 0 {
			u.spans = append(u.spans, at)
		}
	})
	busy := any.Set().Total()
	var out []feature.Record
	for _, u := range top {
		out = append(out, u.record(lane, busy))
	}
	return out
}

// ranking is the use of each kernel name, most time first, and that of each full name. Spans are left to a second pass: of
// most names nobody asks.
func ranking(lane *timeline.Lane) (all []*usage, by []*usage) {
	byName := map[string]*usage{}
	by = make([]*usage, lane.Trace.Names.Len())
	eachKernel(lane, func(a timeline.Act) {
		full := lane.Trace.Work.Name[a.Row]
		if by[full] == nil {
			name := shortKernelName(lane.Name(full))
			if byName[name] == nil {
				byName[name] = &usage{name: name, full: lane.Name(full), ops: map[trace.Text]span.Time{}}
				if lane.Trace.HasShapes {
					byName[name].shapes = map[trace.Text]span.Time{}
				}
			}
			by[full] = byName[name]
		}
		by[full].add(lane, a)
	})
	for _, u := range byName {
		all = append(all, u)
	}
	slices.SortFunc(all, func(a, b *usage) int { return cmp.Or(cmp.Compare(b.total, a.total), cmp.Compare(a.name, b.name)) })
	return all, by
}

// eachKernel visits the computing kernels of the window.
func eachKernel(lane *timeline.Lane, visit func(timeline.Act)) {
	for _, i := range lane.In {
		if a := lane.Act(i); a.Own && a.Class == timeline.Compute {
			visit(a)
		}
	}
}

func (u *usage) add(lane *timeline.Lane, a timeline.Act) {
	u.count++
	u.total += a.Clip(lane.W).Len()
	d := a.Len().Micros()
	u.sum, u.squares = u.sum+d, u.squares+d*d
	if a.Call < 0 {
		return
	}
	e := lane.Enclosing(a.Call)
	if e.Op != u.lastOp { // kernels of one name mostly come from one op
		u.ops[u.lastOp] += u.lastTime
		u.lastOp, u.lastTime = e.Op, 0
	}
	u.lastTime += a.Clip(lane.W).Len()
	if u.shapes != nil && e.Shape != 0 {
		u.shapes[e.Shape] += a.Clip(lane.W).Len()
	}
}

func (u *usage) record(lane *timeline.Lane, busy span.Time) feature.Record {
	mean := u.sum / float64(u.count)
	u.ops[u.lastOp] += u.lastTime
	r := feature.Record{
		"name": u.name, "full_name": u.full, "count": int64(u.count), "total_us": u.total.Micros(), "mean_us": mean,
		"op": lane.Name(mostTime(u.ops)), "spans": span.Union(u.spans), "cv_frac": 0.0, "frac": 0.0,
	}
	if u.shapes != nil {
		r["shape"], r["shape_count"] = lane.Name(mostTime(u.shapes)), int64(len(u.shapes))
	}
	if mean > 0 {
		r["cv_frac"] = math.Sqrt(max(0, u.squares/float64(u.count)-mean*mean)) / mean
	}
	if busy > 0 {
		r["frac"] = min(1, float64(u.total)/float64(busy))
	}
	return r
}

// mostTime is the text with most time, the smaller of equals; 0 of none.
func mostTime(times map[trace.Text]span.Time) trace.Text {
	best, most := trace.Text(0), span.Time(-1)
	for t, d := range times {
		if d > most || d == most && t < best {
			best, most = t, d
		}
	}
	return best
}
