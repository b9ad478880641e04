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
	Name: "topkernels",
	Doc:  "The kernels that take most time.",
	Features: declare(
		list("kernel.top", "The kernels that take most time", kernelFields...),
	),
	Long:  true,
	Needs: GPUWork,
	Detect: func(lane *timeline.Lane, set *feature.Set) error {
		set.List("kernel.top", topKernels(lane))
		return nil
	},
})

var kernelFields = []feature.Decl{
	text("name", "Short name"),
	text("full_name", "Name as the trace has it"),
	count("count", "Launches"),
	number("total_us", feature.Us, "Summed duration inside the window"),
	number("frac", feature.Frac, "Summed duration as a share of the compute time"),
	number("mean_us", feature.Us, "Mean duration"),
	number("cv_frac", feature.Frac, "Standard deviation of the durations over their mean, which is no share: above 100 % where a few last far longer"),
	text("op", "Op that launched most of it"),
	text("shape", "Input dimensions of the ops that launched most of it; empty where not recorded"),
	count("shape_count", "Different input dimensions with which it was launched; absent where not recorded"),
	{Name: "spans", Type: feature.Spans, Doc: "When it runs"},
}

// usage is what one kernel name takes.
type usage struct {
	name, full   string
	count        int
	total        span.Time
	sum, squares float64
	around       map[int32]span.Time // by what encloses the launch, as timeline.Lane.Enclosures numbers it
	last         int32               // whose time is not in around yet, -1 none
	lastTime     span.Time
	spans        *span.Packer // of the top ones, else nil
}

func topKernels(lane *timeline.Lane) []feature.Record {
	top, by, busy := ranking(lane)
	for _, u := range top {
		u.spans = &span.Packer{}
	}
	for _, i := range lane.In {
		if lane.Class[i] == timeline.Compute && lane.Own[i] {
			if u := by[lane.WorkName[i]]; u.spans != nil {
				u.spans.Add(lane.ActSpan(i).Clip(lane.W))
			}
		}
	}
	var out []feature.Record
	for _, u := range top {
		out = append(out, u.record(lane, busy))
	}
	return out
}

// ranking is the kernel names that take most time, the use of each full name, and the time in which any kernel computes: the
// compute of a lane holds graphs without kernels too. Spans are left to a second pass: of most names nobody asks.
func ranking(lane *timeline.Lane) (top []*usage, by []*usage, busy span.Time) {
	var all []*usage
	byName := map[string]*usage{}
	by = make([]*usage, lane.Trace.Names.Len())
	of, _ := lane.Enclosures()
	var any span.Length
	for _, i := range lane.In {
		if lane.Class[i] != timeline.Compute || !lane.Own[i] {
			continue
		}
		full := lane.WorkName[i]
		u := by[full]
		if u == nil {
			name := shortKernelName(lane.Name(full))
			if u = byName[name]; u == nil {
				u = &usage{name: name, full: lane.Name(full), last: -1}
				byName[name] = u
				all = append(all, u)
			}
			by[full] = u
		}
		at := lane.ActSpan(i)
		clipped := at.Clip(lane.W)
		any.Add(clipped)
		u.add(at.Len(), clipped.Len())
		if c := lane.Call[i]; c >= 0 {
			u.launchedIn(of[c], clipped.Len())
		}
	}
	top = foremost(slices.Values(all), feature.MaxRecords, func(a, b *usage) int {
		return cmp.Or(cmp.Compare(b.total, a.total), cmp.Compare(a.name, b.name))
	})
	return top, by, any.Total()
}

func (u *usage) add(length, inWindow span.Time) {
	d := length.Micros()
	u.count++
	u.total += inWindow
	u.sum, u.squares = u.sum+d, u.squares+d*d
}

// launchedIn notes what enclosed a launch. Kernels of one name mostly come from one place.
func (u *usage) launchedIn(place int32, t span.Time) {
	if place != u.last {
		u.flush()
		u.last = place
	}
	u.lastTime += t
}

func (u *usage) flush() {
	if u.last < 0 {
		return
	}
	if u.around == nil {
		u.around = map[int32]span.Time{}
	}
	u.around[u.last] += u.lastTime
	u.last, u.lastTime = -1, 0
}

// places is the time of the kernels by op and by input dimensions.
func (u *usage) places(lane *timeline.Lane) (ops, shapes map[trace.Text]span.Time) {
	u.flush()
	_, kinds := lane.Enclosures()
	ops, shapes = map[trace.Text]span.Time{0: 0}, map[trace.Text]span.Time{}
	for place, t := range u.around {
		ops[kinds[place].Op] += t
		if shape := kinds[place].Shape; shape != 0 {
			shapes[shape] += t
		}
	}
	return ops, shapes
}

func (u *usage) record(lane *timeline.Lane, busy span.Time) feature.Record {
	mean := u.sum / float64(u.count)
	ops, shapes := u.places(lane)
	r := feature.Record{
		"name": u.name, "full_name": u.full, "count": int64(u.count), "total_us": u.total.Micros(), "mean_us": mean,
		"op": lane.Name(mostTime(ops)), "spans": u.spans.Packed(), "cv_frac": 0.0, "frac": 0.0,
	}
	if lane.Trace.HasShapes {
		r["shape"], r["shape_count"] = lane.Name(mostTime(shapes)), int64(len(shapes))
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
