package detectors

import (
	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
	"perflint/detectors/trace"
)

var _ = register(Detector{
	Name: "copy",
	Doc:  "Copies and fills: how much of them nothing hides, how large they are and whether their host memory is pinned.",
	Features: declare(
		duration("copy.total", "Time in which copies or fills run"),
		duration("copy.exposed", "Time in which copies or fills run and no kernel does"),
		number("copy.offload_frac", feature.Frac, "Share of the exposed time whose copies are launched inside ranges named after offloading; absent where they are exposed for less than 1 % of the window"),
		directionDecls("h2d", "host to device"),
		directionDecls("d2h", "device to host"),
		number("h2d.step_start_us", feature.Us, "Mean exposed host-to-device copy time at the start of a steady step"),
		number("h2d.step_start_frac", feature.Frac, "The same as a share of the median step"),
		number("h2d.step_start_steps_frac", feature.Frac, "Share of the steady steps in which it is above 1 % of the step"),
		feature.Decl{Name: "h2d.step_start_spans", Type: feature.Spans, Doc: "The same, as intervals"},
	),
	Needs:  GPUWork,
	Detect: detectCopies,
})

func directionDecls(ns, words string) []feature.Decl {
	return declare(
		count(ns+".count", "Copies from "+words),
		size(ns+".bytes", "Bytes copied from "+words),
		duration(ns+".total", "Time in which copies from "+words+" run"),
		duration(ns+".exposed", "Time in which copies from "+words+" run and no kernel does"),
		number(ns+".gbps", feature.Gbps, "Bytes over the summed duration of those copies"),
		count(ns+".pageable_count", "Those that read or write pageable host memory"),
		size(ns+".pageable_bytes", "Their bytes"),
		duration(ns+".pageable_exposed", "Time in which pageable copies from "+words+" of more than 64 KiB run and no kernel does, or the call stages them while the GPU idles"),
		duration(ns+".pageable_lost", "That time, and what the GPU idles because those copies let it run dry"),
	)
}

// smallCopy is the size up to which CUDA stages a copy from pageable memory without blocking.
const smallCopy = 64 << 10

func detectCopies(lane *timeline.Lane, set *feature.Set) error {
	putSharedDuration(set, lane, "copy.total", lane.Copies, lane.Copies.Total())
	putSharedDuration(set, lane, "copy.exposed", lane.ExposedCopy, lane.ExposedCopy.Total())
	putOffload(lane, set)
	putDirection(lane, set, "h2d", trace.HtoD)
	putDirection(lane, set, "d2h", trace.DtoH)
	putStepStart(lane, set)
	return nil
}

func putDirection(lane *timeline.Lane, set *feature.Set, ns string, dir trace.Direction) {
	w := &lane.Trace.Work
	n, pageable := 0, 0
	var bytes, pageableBytes int64
	var sum span.Time
	sizes, kinds := true, true
	for _, i := range lane.Moves() {
		a := lane.Act(i)
		if w.Kind[a.Row] != trace.Copy || w.Dir(a.Row) != dir {
			continue
		}
		n++
		sum += a.Len()
		size := w.Bytes(a.Row)
		sizes = sizes && size >= 0
		bytes += max(0, size)
		switch hostSide(w, a.Row) {
		case trace.PageableMem:
			pageable++
			pageableBytes += max(0, size)
		case trace.HostMem, trace.UnknownMem:
			kinds = false
		}
	}
	ofDir := func(a timeline.Act) bool { return a.Own && w.Kind[a.Row] == trace.Copy && w.Dir(a.Row) == dir }
	total := lane.UnionOf(lane.Moves(), ofDir)
	set.Int(ns+".count", int64(n))
	putDuration(set, lane, ns+".total", total)
	putDuration(set, lane, ns+".exposed", total.And(lane.ExposedCopy))
	putSizes(set, ns, n, bytes, sum, sizes)
	const unknownKind = "the trace does not say whether host memory is pinned (ROCm never does)"
	if !kinds {
		set.Missing(unknownKind, ns+".pageable_count", ns+".pageable_bytes")
		missingDuration(set, ns+".pageable_exposed", unknownKind)
		missingDuration(set, ns+".pageable_lost", unknownKind)
		return
	}
	set.Int(ns+".pageable_count", int64(pageable))
	if !sizes {
		set.Missing(unknownSize, ns+".pageable_bytes")
		missingDuration(set, ns+".pageable_exposed", unknownSize)
		missingDuration(set, ns+".pageable_lost", unknownSize)
		return
	}
	set.Int(ns+".pageable_bytes", pageableBytes)
	exposed, drained := pageableCost(lane, dir)
	putDuration(set, lane, ns+".pageable_exposed", exposed)
	putDuration(set, lane, ns+".pageable_lost", exposed.Or(drained))
}

const unknownSize = "the trace does not give the size of its copies"

func putSizes(set *feature.Set, ns string, n int, bytes int64, sum span.Time, known bool) {
	switch {
	case !known:
		set.Missing(unknownSize, ns+".bytes", ns+".gbps")
	case n == 0:
		set.Int(ns+".bytes", bytes)
		set.Missing("no such copy meets the window", ns+".gbps")
	case sum == 0:
		set.Int(ns+".bytes", bytes)
		set.Missing("the copies take no time that the trace's clock can tell", ns+".gbps")
	default:
		set.Int(ns+".bytes", bytes)
		set.Float(ns+".gbps", float64(bytes)/float64(sum))
	}
}

// pageableCost is the exposed time of larger pageable copies with the time in which the GPU idles before them because their
// call stages, and the idle time after those that let the GPU run dry.
func pageableCost(lane *timeline.Lane, dir trace.Direction) (exposed, drained span.Set) {
	w := &lane.Trace.Work
	pageable := func(row int32) bool {
		return w.Kind[row] == trace.Copy && w.Dir(row) == dir && hostSide(w, row) == trace.PageableMem && w.Bytes(row) > smallCopy
	}
	exposed = lane.UnionOf(lane.Moves(), func(a timeline.Act) bool { return pageable(a.Row) }).And(lane.ExposedCopy)
	var staged, costs []span.Span
	for i := range lane.Gaps {
		g := &lane.Gaps[i]
		if g.Next >= 0 && lane.Class[g.Next] == timeline.CopyWork && lane.Own[g.Next] && pageable(lane.Row(g.Next)) {
			staged = append(staged, g.LaunchCall())
		}
		if c := g.Drained; c >= 0 && lane.CallClass(c) != timeline.Sync {
			if row := lane.Trace.Calls.Work[c]; row >= 0 && pageable(row) {
				costs = append(costs, g.Cost())
			}
		}
	}
	return exposed.Or(span.Union(staged)), span.Union(costs)
}

// putStepStart measures the exposed copies to the device before the first computing kernel of each steady step, or within
// its first tenth if that comes later.
func putStepStart(lane *timeline.Lane, set *feature.Set) {
	starts := stepStarts(lane)
	if len(starts) == 0 {
		reason := "no steady step of the window has a duration on the GPU"
		if steadyCount(lane) == 0 {
			reason = stepless(lane)
		}
		set.Missing(reason, "h2d.step_start_us", "h2d.step_start_frac", "h2d.step_start_steps_frac", "h2d.step_start_spans")
		return
	}
	w := &lane.Trace.Work
	exposed := lane.UnionOf(lane.Moves(), func(a timeline.Act) bool {
		return a.Own && w.Kind[a.Row] == trace.Copy && w.Dir(a.Row) == trace.HtoD
	}).And(lane.ExposedCopy)
	var heads span.Builder
	above := 0
	for _, s := range starts {
		part := exposed.Clip(s.head)
		for _, p := range part {
			heads.Add(p)
		}
		if 100*part.Total() > s.whole.Len() {
			above++
		}
	}
	at := heads.Set()
	mean := float64(at.Total()) / float64(len(starts))
	set.Float("h2d.step_start_us", mean/1e3)
	set.Float("h2d.step_start_frac", min(1, mean/float64(stepLength(lane))))
	set.Float("h2d.step_start_steps_frac", float64(above)/float64(len(starts)))
	set.Spans("h2d.step_start_spans", at)
}

// stepStart is a steady step on the GPU and the part of it before it really begins to compute.
type stepStart struct{ whole, head span.Span }

func stepStarts(lane *timeline.Lane) []stepStart {
	works := stepWorks(lane)
	var out []stepStart
	for k, s := range lane.Steady {
		w := works[s]
		if w.first == never {
			continue
		}
		whole := lane.Steps[s].GPU
		if whole.Empty() {
			whole = span.Span{Start: w.first, End: lane.W.End}
			if k+1 < len(lane.Steady) {
				continue // a step whose successor launched nothing has no duration
			}
		}
		head := span.Span{Start: whole.Start, End: max(w.kernel, whole.Start+whole.Len()/10)}
		if !head.Empty() && !whole.Empty() {
			out = append(out, stepStart{whole, head})
		}
	}
	return out
}
