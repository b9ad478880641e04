package report

import (
	"math"

	"perflint/detectors/feature"
	"perflint/detectors/span"
)

// stripColumns is how many slices a strip has: as many as a picture of it has room for.
const stripColumns = 400

// Strip is one typical step of a lane, cut into slices of equal length: enough to draw it, whatever the number of events.
type Strip struct {
	StartNs int64            `json:"start_ns"`
	LenNs   int64            `json:"len_ns"`
	Step    int              `json:"step"`  // index of the step's mark, -1 when this is the whole window
	Share   map[string][]int `json:"share"` // part of the window → per cent of each slice; zero everywhere: absent
}

// band is a part of the window in the strip. Those of a stack add up to the slice; the others run beside it.
type band struct {
	name, label, spans string
	stacked            bool
}

var bands = []band{
	{"compute", "compute", "gpu.compute_spans", true},
	{"comm", "communication, no compute beside it", "comm.exposed_spans", true},
	{"copy", "copies, nothing beside them", "copy.exposed_spans", true},
	{"foreign", "work launched before the window", "gpu.foreign_spans", true},
	{"late", "idle, nothing launched", "idle.host_late_spans", true},
	{"call", "idle, inside a launch call", "idle.launch_call_spans", true},
	{"latency", "idle, launch on its way", "idle.launch_latency_spans", true},
	{"wait", "idle, queued work waits", "idle.device_wait_spans", true},
	{"unknown", "idle, cause unknown", "idle.unknown_spans", true},
	{"micro", "idle, pauses under 2 µs", "idle.micro_spans", true},
	{"allcomm", "all communication", "comm.total_spans", false},
	{"allcopy", "all copies", "copy.total_spans", false},
}

// stripOf is the strip of a lane, nil without GPU work.
func stripOf(s *feature.Set) *Strip {
	w, step := typical(s)
	if w.Empty() {
		return nil
	}
	out := &Strip{StartNs: int64(w.Start), LenNs: int64(w.Len()), Step: step, Share: map[string][]int{}}
	for _, b := range bands {
		if shares, any := sliced(s.SpansNear(b.spans, w), w); any {
			out.Share[b.name] = shares
		}
	}
	if len(out.Share) == 0 {
		return nil
	}
	return out
}

func sliced(set span.Set, w span.Span) (shares []int, any bool) {
	shares = make([]int, stripColumns)
	at := func(i int) span.Time { return w.Start + span.Time(float64(w.Len())*float64(i)/stripColumns) }
	for i := range shares {
		c := span.Span{Start: at(i), End: at(i + 1)}
		if c.Empty() {
			continue
		}
		shares[i] = int(math.Round(float64(set.Overlap(c)) / float64(c.Len()) * 100))
		any = any || shares[i] > 0
	}
	return shares, any
}

// typical is the steady step whose duration is nearest to the median, else the window.
func typical(s *feature.Set) (w span.Span, step int) {
	median, _ := s.Number("steps.median_us")
	list, _ := s.Get("steps.list")
	records, _ := list.([]feature.Record)
	best := math.Inf(1)
	step = -1
	for _, r := range records {
		set, _ := r.SpansOf("spans")
		if steady, _ := r["steady"].(bool); !steady || len(set) == 0 {
			continue
		}
		at := span.Span{Start: set[0].Start, End: set[len(set)-1].End}
		if off := math.Abs(at.Len().Micros() - median); off < best {
			index, _ := r["index"].(int64)
			best, w, step = off, at, int(index)
		}
	}
	if step >= 0 {
		return w, step
	}
	return extent(s), -1
}

// extent is the window, as far as the parts that it consists of reach.
func extent(s *feature.Set) span.Span {
	var w span.Span
	for _, b := range bands {
		at := s.ExtentOf(b.spans)
		if at.Empty() {
			continue
		}
		if w.Empty() {
			w = at
		} else {
			w = span.Span{Start: min(w.Start, at.Start), End: max(w.End, at.End)}
		}
	}
	return w
}
