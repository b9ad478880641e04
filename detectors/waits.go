package detectors

import (
	"cmp"
	"maps"
	"slices"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
	"perflint/detectors/trace"
)

var waitFields = []feature.Decl{
	count("stream", "Number of the stream that waited"),
	count("on_stream", "Number of the stream that it waited for; absent where nothing tells"),
	count("count", "Gaps"),
	number("total_us", feature.Us, "Idle time while it waited"),
	number("frac", feature.Frac, "The same as a share of the window"),
	text("next", "The work that waited longest in all"),
	text("op", "Op that launched it"),
	{Name: "spans", Type: feature.Spans, Doc: "When"},
}

// unexplainedWait is the share of the window from which on waits that nothing explains are worth recording events for.
const unexplainedWait = 0.05

// putWaits measures what queued work waited for.
func putWaits(lane *timeline.Lane, set *feature.Set) {
	var streams, elsewhere span.Packer
	unexplained := span.Time(0)
	for i := range lane.Gaps {
		g := &lane.Gaps[i]
		switch g.WaitCause {
		case timeline.ByStreamWait:
			streams.Add(g.DeviceWait())
		case timeline.ByOutside:
			unexplained += g.DeviceWait().Len()
			elsewhere.Add(g.DeviceWait())
		case timeline.ByDispatch, timeline.ByGraph:
			elsewhere.Add(g.DeviceWait())
		}
	}
	putPackedDuration(set, lane, "idle.stream_wait", streams.Packed())
	putPackedDuration(set, lane, "idle.outside", elsewhere.Packed())
	putStreamWaits(lane, set, unexplained)
}

// putStreamWaits lists who waited for whom. Where much of the waiting is unexplained and no event was recorded, nobody knows.
func putStreamWaits(lane *timeline.Lane, set *feature.Set, outside span.Time) {
	if !namesWaits(&lane.Trace.Waits) && float64(outside) > unexplainedWait*float64(lane.W.Len()) {
		reason := "much queued work waits, and the trace does not say for what"
		if !lane.ROCm() { // records no events
			reason += "; record with " + byFormat(lane, "`enable_cuda_sync_events=True`", "`--cuda-event-trace=true`")
		}
		set.Missing(reason, "idle.stream_waits")
		return
	}
	set.List("idle.stream_waits", streamWaitRecords(lane))
}

// namesWaits reports whether any recorded event says which stream was waited for. Nsight Systems lists the calls that make one
// stream wait for another even where it did not record the events.
func namesWaits(w *trace.Waits) bool {
	for i, kind := range w.Kind {
		if kind == trace.StreamWaitEvent && w.OnStream[i] >= 0 {
			return true
		}
	}
	return false
}

type streamWait struct {
	stream, on int64
	count      int
	total      span.Time
	spans      span.Packer
	next       map[trace.Text]*nextWork
}

// nextWork is the work of one name that waited.
type nextWork struct {
	total span.Time
	call  int32 // that launched the last of it
}

func (w *streamWait) add(name trace.Text, call int32, wait span.Span) {
	w.count++
	w.total += wait.Len()
	w.spans.Add(wait)
	n := w.next[name]
	if n == nil {
		n = &nextWork{}
		w.next[name] = n
	}
	n.total += wait.Len()
	n.call = call
}

// longest is the name of the work that waited longest in all, the smaller of equals.
func (w *streamWait) longest() (name trace.Text, n *nextWork) {
	for t, other := range w.next {
		if n == nil || other.total > n.total || other.total == n.total && t < name {
			name, n = t, other
		}
	}
	return name, n
}

func streamWaitRecords(lane *timeline.Lane) []feature.Record {
	type pair struct{ stream, on int64 }
	byPair := map[pair]*streamWait{}
	for i := range lane.Gaps {
		g := &lane.Gaps[i]
		if g.WaitCause != timeline.ByStreamWait {
			continue
		}
		k := pair{lane.Trace.Streams[lane.Stream[g.Next]].Number, int64(g.Producer)}
		w := byPair[k]
		if w == nil {
			w = &streamWait{stream: k.stream, on: k.on, next: map[trace.Text]*nextWork{}}
			byPair[k] = w
		}
		w.add(lane.WorkName[g.Next], lane.Call[g.Next], g.DeviceWait())
	}
	all := slices.SortedFunc(maps.Values(byPair), func(a, b *streamWait) int {
		return cmp.Or(cmp.Compare(b.total, a.total), cmp.Compare(a.stream, b.stream), cmp.Compare(a.on, b.on))
	})
	var out []feature.Record
	for _, w := range all[:min(len(all), feature.MaxRecords)] {
		name, next := w.longest()
		r := feature.Record{
			"stream": w.stream, "count": int64(w.count), "total_us": w.total.Micros(), "spans": w.spans.Packed(),
			"frac": float64(w.total) / float64(lane.W.Len()), "next": shortKernelName(lane.Name(name)), "op": lane.Name(lane.Enclosing(next.call).Op),
		}
		if w.on >= 0 {
			r["on_stream"] = w.on
		}
		out = append(out, r)
	}
	return out
}
