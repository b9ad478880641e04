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

// putStreamWaits lists who waited for whom. Where much of the waiting is unexplained and no event was recorded, nobody knows.
func putStreamWaits(lane *timeline.Lane, set *feature.Set) {
	outside := waits(lane, timeline.ByOutside).Total()
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
	spans      []span.Span
	next       map[trace.Text]span.Time
	call       map[trace.Text]int32 // a launching call of each
}

func streamWaitRecords(lane *timeline.Lane) []feature.Record {
	type pair struct{ stream, on int64 }
	byPair := map[pair]*streamWait{}
	for i := range lane.Gaps {
		g := &lane.Gaps[i]
		if g.WaitCause != timeline.ByStreamWait {
			continue
		}
		next := lane.Act(g.Next)
		k := pair{lane.Trace.Streams[next.Stream].Number, int64(g.Producer)}
		w := byPair[k]
		if w == nil {
			w = &streamWait{stream: k.stream, on: k.on, next: map[trace.Text]span.Time{}, call: map[trace.Text]int32{}}
			byPair[k] = w
		}
		w.count++
		w.spans = append(w.spans, g.DeviceWait())
		name := lane.Trace.Work.Name[next.Row]
		w.next[name] += g.DeviceWait().Len()
		w.call[name] = next.Call
	}
	total := func(w *streamWait) span.Time { return span.Set(w.spans).Total() } // gaps do not overlap
	all := slices.SortedFunc(maps.Values(byPair), func(a, b *streamWait) int {
		return cmp.Or(cmp.Compare(total(b), total(a)), cmp.Compare(a.stream, b.stream), cmp.Compare(a.on, b.on))
	})
	var out []feature.Record
	for _, w := range all[:min(len(all), feature.MaxRecords)] {
		name := mostTime(w.next)
		r := feature.Record{
			"stream": w.stream, "count": int64(w.count), "total_us": total(w).Micros(), "spans": span.Set(w.spans),
			"frac": float64(total(w)) / float64(lane.W.Len()), "next": shortKernelName(lane.Name(name)), "op": lane.Name(lane.Enclosing(w.call[name]).Op),
		}
		if w.on >= 0 {
			r["on_stream"] = w.on
		}
		out = append(out, r)
	}
	return out
}
