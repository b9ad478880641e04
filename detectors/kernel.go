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

var _ = register(Detector{
	Name: "kernel",
	Doc:  "Which kernels the GPU runs, and how many of them are too short to be fed.",
	Features: declare(
		count("kernel.count", "Kernels of this window, computing and communicating"),
		number("kernel.median_us", feature.Us, "Median of their durations"),
		number("kernel.tiny_count_frac", feature.Frac, "Share of the computing kernels that are shorter than 10 µs"),
		number("kernel.tiny_time_frac", feature.Frac, "Share of the summed time of computing kernels in those shorter than 10 µs"),
		duration("kernel.tiny", "Time in which computing kernels shorter than 10 µs run"),
		feature.Decl{Name: "kernel.queued_spans", Type: feature.Spans, Doc: "Compute time in which the next activity was already launched: only there a faster kernel wins time"},
		list("kernel.top", "The kernels that take most time", kernelFields...),
	),
	Needs:  GPUWork,
	Detect: detectKernel,
})

var kernelFields = []feature.Decl{
	text("name", "Short name"),
	text("full_name", "Name as the trace has it"),
	count("count", "Launches"),
	number("total_us", feature.Us, "Summed duration inside the window"),
	number("frac", feature.Frac, "Summed duration as a share of the compute time"),
	number("mean_us", feature.Us, "Mean duration"),
	number("cv_frac", feature.Frac, "Standard deviation of the durations over their mean"),
	text("op", "Op that launched most of it"),
	{Name: "spans", Type: feature.Spans, Doc: "When it runs"},
}

func detectKernel(lane *timeline.Lane, set *feature.Set) error {
	var durations []float64
	var tiny, all span.Time
	tinyCount, computing := 0, 0
	for _, i := range lane.In {
		a := lane.Act(i)
		if !a.Own || a.Class != timeline.Compute && a.Class != timeline.Comm {
			continue
		}
		durations = append(durations, a.Len().Micros())
		if a.Class != timeline.Compute {
			continue
		}
		computing++
		all += a.Len()
		if a.Len() < tinyKernel {
			tinyCount++
			tiny += a.Len()
		}
	}
	set.Int("kernel.count", int64(len(durations)))
	if len(durations) == 0 {
		set.Missing("no kernel meets the window", "kernel.median_us")
	} else {
		set.Float("kernel.median_us", timeline.Median(durations))
	}
	if computing == 0 {
		set.Missing("no computing kernel meets the window", "kernel.tiny_count_frac")
	} else {
		set.Float("kernel.tiny_count_frac", float64(tinyCount)/float64(computing))
	}
	putShare(set, "kernel.tiny_time_frac", tiny, all, "no computing kernel meets the window")
	putDuration(set, lane, "kernel.tiny", lane.Union(func(a timeline.Act) bool {
		return a.Own && a.Class == timeline.Compute && a.Len() < tinyKernel
	}))
	set.Spans("kernel.queued_spans", queued(lane))
	set.List("kernel.top", topKernels(lane))
	return nil
}

// queued is the compute time during which the call that launches the next activity of the lane had already ended.
func queued(lane *timeline.Lane) span.Set {
	var spans []span.Span
	for k, i := range lane.In[:max(0, len(lane.In)-1)] {
		a, next := lane.Act(i), lane.Act(lane.In[k+1])
		if a.Own && a.Class == timeline.Compute && next.Call >= 0 {
			s := a.Clip(lane.W)
			if s.Start = max(s.Start, lane.Trace.Calls.End[next.Call]); !s.Empty() {
				spans = append(spans, s)
			}
		}
	}
	return span.Union(spans)
}

// usage is what one kernel name takes.
type usage struct {
	name, full   string
	count        int
	total        span.Time
	sum, squares float64
	ops          map[trace.Text]span.Time
	spans        []span.Span
}

func topKernels(lane *timeline.Lane) []feature.Record {
	short := map[trace.Text]string{}
	byName := map[string]*usage{}
	for _, i := range lane.In {
		a := lane.Act(i)
		if !a.Own || a.Class != timeline.Compute {
			continue
		}
		full := lane.Trace.Work.Name[a.Row]
		name, ok := short[full]
		if !ok {
			name = shortKernelName(lane.Name(full))
			short[full] = name
		}
		u := byName[name]
		if u == nil {
			u = &usage{name: name, full: lane.Name(full), ops: map[trace.Text]span.Time{}}
			byName[name] = u
		}
		u.add(lane, a)
	}
	var all []*usage
	for _, u := range byName {
		all = append(all, u)
	}
	slices.SortFunc(all, func(a, b *usage) int { return cmp.Or(cmp.Compare(b.total, a.total), cmp.Compare(a.name, b.name)) })
	var out []feature.Record
	for _, u := range all[:min(len(all), feature.MaxRecords)] {
		out = append(out, u.record(lane))
	}
	return out
}

func (u *usage) add(lane *timeline.Lane, a timeline.Act) {
	clipped := a.Clip(lane.W)
	u.count++
	u.total += clipped.Len()
	d := a.Len().Micros()
	u.sum, u.squares = u.sum+d, u.squares+d*d
	u.spans = append(u.spans, clipped)
	if a.Call >= 0 {
		u.ops[lane.Enclosing(a.Call).Op] += clipped.Len()
	}
}

func (u *usage) record(lane *timeline.Lane) feature.Record {
	mean := u.sum / float64(u.count)
	r := feature.Record{
		"name": u.name, "full_name": u.full, "count": int64(u.count), "total_us": u.total.Micros(), "mean_us": mean,
		"op": lane.Name(mostTime(u.ops)), "spans": span.Union(u.spans), "cv_frac": 0.0, "frac": 0.0,
	}
	if mean > 0 {
		r["cv_frac"] = math.Sqrt(max(0, u.squares/float64(u.count)-mean*mean)) / mean
	}
	if busy := lane.Compute.Total(); busy > 0 {
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
