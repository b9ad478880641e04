package detectors

import (
	"cmp"
	"slices"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
	"perflint/detectors/trace"
)

var _ = register(Detector{
	Name: "transfers",
	Doc:  "Copies between host and device that are too many, or too slow for the link.",
	Features: declare(
		list("copy.small", "Copies of 64 KiB and less that the program makes, by direction", smallFields...),
		list("copy.links", "Copies of 4 MB and more between pinned memory and the device that had the link to themselves, by direction", linkFields...),
	),
	Needs:  GPUWork,
	Detect: detectTransfers,
})

var smallFields = []feature.Decl{
	words("direction", "HtoD or DtoH"),
	count("count", "Copies"),
	number("per_step_count", feature.Count, "Copies a steady step; absent without steps"),
	number("mean_bytes", feature.Bytes, "Mean size"),
	number("lost_us", feature.Us, "Idle time inside their calls, and in gaps shorter than 1 ms before them"),
	number("lost_frac", feature.Frac, "The same as a share of the window"),
	text("op", "Op that makes most of them"),
	text("frame", "Python function of user or library code in which it does"),
	text("file", "Its file"),
	count("line", "Line where it is defined"),
	{Name: "spans", Type: feature.Spans, Doc: "The lost time"},
}

var linkFields = []feature.Decl{
	words("direction", "HtoD or DtoH"),
	count("count", "Copies that had the link to themselves"),
	count("contended_count", "Further copies that shared it with another direction or GPU"),
	number("median_gbps", feature.Gbps, "Median bandwidth"),
	number("p95_gbps", feature.Gbps, "Bandwidth that one in twenty exceeds"),
	size("bytes", "Bytes copied"),
	number("exposed_us", feature.Us, "Time in which they run and nothing else does"),
	number("exposed_frac", feature.Frac, "The same as a share of the window"),
	{Name: "spans", Type: feature.Spans, Doc: "When they run and nothing else does"},
}

func detectTransfers(lane *timeline.Lane, set *feature.Set) error {
	set.List("copy.small", smallCopies(lane))
	set.List("copy.links", links(lane))
	return nil
}

// smallCopies describes each direction in which the program makes small copies; nodes of graphs are not made one by one.
func smallCopies(lane *timeline.Lane) []feature.Record {
	var out []feature.Record
	for _, dir := range []trace.Direction{trace.HtoD, trace.DtoH} {
		if r := smallOf(lane, dir); r != nil {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b feature.Record) int { return cmp.Compare(b["lost_us"].(float64), a["lost_us"].(float64)) })
	return out
}

func smallOf(lane *timeline.Lane, dir trace.Direction) feature.Record {
	w := &lane.Trace.Work
	small := func(i int32) bool {
		row := lane.Row(i)
		return lane.Own[i] && w.Kind[row] == trace.Copy && w.Dir(row) == dir && lane.Call[i] >= 0 && !launchedByGraph(lane, i) &&
			w.Bytes(row) >= 0 && w.Bytes(row) <= smallCopy
	}
	type place struct{ op, frame trace.Text }
	places := map[place]int{}
	n, inSteady, bytes := 0, 0, int64(0)
	var calls []span.Span
	for _, i := range lane.Moves() {
		if !small(i) {
			continue
		}
		a := lane.Act(i)
		n++
		bytes += w.Bytes(a.Row)
		calls = append(calls, lane.Trace.Calls.Span(a.Call))
		e := lane.Enclosing(a.Call)
		places[place{e.Op, e.Frame}]++
		if lane.IsSteady(a.Step) {
			inSteady++
		}
	}
	if n == 0 {
		return nil
	}
	before := lane.GapTime(func(g *timeline.Gap) span.Span {
		if g.Len() >= timeline.LongGap || g.Next < 0 || !small(g.Next) {
			return span.Span{} // what takes a millisecond is not the making of a copy
		}
		return span.Span{Start: g.Start, End: g.LaunchCall().End}
	})
	lost := before.Or(span.Union(calls).And(lane.GapTime((*timeline.Gap).HostLate)))
	var most place
	for p, count := range places {
		if cmp.Or(cmp.Compare(count, places[most]), cmp.Compare(most.op, p.op), cmp.Compare(most.frame, p.frame)) > 0 {
			most = p
		}
	}
	r := feature.Record{
		"direction": directionName(dir), "count": int64(n), "mean_bytes": float64(bytes) / float64(n), "op": lane.Name(most.op),
		"lost_us": lost.Total().Micros(), "lost_frac": float64(lost.Total()) / float64(lane.W.Len()), "spans": lost,
	}
	putFrame(r, lane, most.frame)
	if steps := steadyCount(lane); steps > 0 {
		r["per_step_count"] = float64(inSteady) / float64(steps)
	}
	return r
}

// linkCopy is the size from which on a copy tells the bandwidth of its link.
const linkCopy = 4_000_000

// links measures the bandwidth of large pinned copies. Copies in the other direction, and those of other GPUs of the host, share
// the link or the switch: what runs beside them is counted and not judged.
func links(lane *timeline.Lane) []feature.Record {
	w := &lane.Trace.Work
	large := map[trace.Direction][]timeline.Act{}
	for _, i := range lane.Moves() {
		a := lane.Act(i)
		if w.Kind[a.Row] == trace.Copy && hostSide(w, a.Row) == trace.PinnedMem && w.Bytes(a.Row) >= linkCopy && a.Len() > 0 {
			large[w.Dir(a.Row)] = append(large[w.Dir(a.Row)], a)
		}
	}
	if len(large) == 0 {
		return nil
	}
	var out []feature.Record
	others := foreignCopies(lane)
	for _, dir := range []trace.Direction{trace.HtoD, trace.DtoH} {
		if len(large[dir]) > 0 {
			beside := others.Or(lane.UnionOf(lane.Moves(), func(a timeline.Act) bool {
				return w.Kind[a.Row] == trace.Copy && w.Dir(a.Row) == opposite(dir)
			}))
			if r := linkOf(lane, dir, large[dir], beside); r != nil {
				out = append(out, r)
			}
		}
	}
	return out
}

func opposite(dir trace.Direction) trace.Direction {
	if dir == trace.HtoD {
		return trace.DtoH
	}
	return trace.HtoD
}

// foreignCopies is when other GPUs of the file copy from or to the host.
func foreignCopies(lane *timeline.Lane) span.Set {
	w := &lane.Trace.Work
	spans := lane.Builder()
	foreign := func(row int32) bool {
		return (w.Dir(row) == trace.HtoD || w.Dir(row) == trace.DtoH) && int(w.Device(row)) != lane.ID.GPU
	}
	for i, kind := range w.Kind {
		if kind == trace.Copy && foreign(int32(i)) {
			spans.Add(w.Span(int32(i)).Clip(lane.W))
		}
	}
	return spans.Set()
}

func linkOf(lane *timeline.Lane, dir trace.Direction, copies []timeline.Act, beside span.Set) feature.Record {
	var rates []float64
	var alone []span.Span
	contended, bytes := 0, int64(0)
	for _, a := range copies {
		if beside.Overlap(a.Span) > 0 {
			contended++
			continue
		}
		size := lane.Trace.Work.Bytes(a.Row)
		bytes += size
		rates = append(rates, float64(size)/float64(a.Len()))
		alone = append(alone, a.Clip(lane.W))
	}
	if len(rates) == 0 {
		return nil
	}
	exposed := span.Union(alone).And(lane.ExposedCopy)
	median := timeline.Median(rates) // sorts them
	return feature.Record{
		"direction": directionName(dir), "count": int64(len(rates)), "contended_count": int64(contended), "bytes": bytes,
		"median_gbps": median, "p95_gbps": rates[(len(rates)*95-1)/100],
		"exposed_us": exposed.Total().Micros(), "exposed_frac": float64(exposed.Total()) / float64(lane.W.Len()), "spans": exposed,
	}
}
