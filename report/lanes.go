package report

import (
	"cmp"
	"container/heap"
	"encoding/json"
	"slices"

	"perflint/detectors/feature"
	"perflint/detectors/span"
)

// MaxSpans is how many intervals of one set the documents keep: the longest, in order of time.
const MaxSpans = 1000

// Lane is the measured features of one GPU of one process.
type Lane struct {
	ID LaneID `json:"lane"`
	Measured
	Strip *Strip `json:"strip,omitempty"`
}

// LaneID says whose features a Lane holds.
type LaneID struct {
	Trace   int    `json:"trace"`
	Process int64  `json:"process,omitempty"`
	Rank    *int   `json:"rank"` // null: the trace does not say
	GPU     *int   `json:"gpu"`  // null: a process without GPU work
	Name    string `json:"name,omitempty"`
}

// Measured is a feature set as JSON: numbers in base units, missing ones null with their reason beside, and the sets of
// intervals apart, as pairs of start and length in ns since the trace's first event.
type Measured struct {
	Features map[string]any       `json:"features"`
	Missing  map[string]string    `json:"missing"`
	Spans    map[string]intervals `json:"spans,omitempty"`
}

// intervals gives pairs of start and length. Only documents hold them: what has millions is looked at when one is written.
type intervals func() [][2]int64

// MarshalJSON writes what it gives.
func (i intervals) MarshalJSON() ([]byte, error) { return json.Marshal(i()) }

// UnmarshalJSON reads what it shall give.
func (i *intervals) UnmarshalJSON(text []byte) error {
	var pairs [][2]int64
	*i = func() [][2]int64 { return pairs }
	return json.Unmarshal(text, &pairs)
}

func laneList(sets []*feature.Set) []Lane {
	out := make([]Lane, 0, len(sets))
	for _, s := range sets {
		out = append(out, Lane{ID: laneID(s.Lane), Measured: measured(s, false), Strip: stripOf(s)})
	}
	return out
}

func laneID(l feature.Lane) LaneID {
	id := LaneID{Trace: l.Trace, Process: l.Process, Name: l.Name}
	if l.Rank >= 0 {
		id.Rank = &l.Rank
	}
	if l.GPU >= 0 {
		id.GPU = &l.GPU
	}
	return id
}

// measured leaves features of the job out of a lane, and those of a lane out of the job.
func measured(s *feature.Set, job bool) Measured {
	f := Measured{Features: map[string]any{}, Missing: map[string]string{}, Spans: map[string]intervals{}}
	if s == nil {
		return f
	}
	for _, name := range s.Schema().Names() {
		if (feature.Namespace(name) == "job") != job {
			continue
		}
		d, _ := s.Schema().Lookup(name)
		if !s.Has(name) {
			f.Missing[name] = s.Reason(name)
		}
		if d.Type == feature.Spans {
			if s.Has(name) {
				f.Spans[name] = longestOf(s, name)
			}
			continue
		}
		v, _ := s.Get(name)
		if list, ok := v.([]feature.Record); ok {
			v = records(list)
		}
		f.Features[name] = v
	}
	return f
}

func longestOf(s *feature.Set, name string) intervals {
	return func() [][2]int64 {
		set, _ := s.SpansOf(name)
		return longest(set, MaxSpans)
	}
}

// records leaves the intervals of records out: a list of a hundred of them would be most of the document.
func records(list []feature.Record) []map[string]any {
	out := make([]map[string]any, 0, len(list))
	for _, r := range list {
		m := make(map[string]any, len(r))
		for k, v := range r {
			switch v.(type) {
			case span.Set, span.Packed:
			default:
				m[k] = v
			}
		}
		out = append(out, m)
	}
	return out
}

// longest is the n longest intervals in their order, of equals the earlier. Sets may hold millions, so it takes one pass and
// keeps no more of them than the answer needs.
func longest(s span.Set, n int) [][2]int64 {
	kept := make(byLength, 0, min(n, len(s)))
	for _, x := range s {
		switch {
		case len(kept) < n:
			heap.Push(&kept, x)
		case x.Len() > kept[0].Len():
			kept[0] = x
			heap.Fix(&kept, 0)
		}
	}
	slices.SortFunc(kept, func(a, b span.Span) int { return cmp.Compare(a.Start, b.Start) })
	out := make([][2]int64, 0, len(kept))
	for _, x := range kept {
		out = append(out, [2]int64{int64(x.Start), int64(x.Len())})
	}
	return out
}

// byLength is a heap, the shortest first and of equals the latest.
type byLength span.Set

func (h byLength) Len() int { return len(h) }
func (h byLength) Less(i, j int) bool {
	if a, b := h[i].Len(), h[j].Len(); a != b {
		return a < b
	}
	return h[i].Start > h[j].Start
}
func (h byLength) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *byLength) Push(x any)   { *h = append(*h, x.(span.Span)) }

func (h *byLength) Pop() any {
	x := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return x
}

// number is the value of a numeric feature, zero when it is missing.
func (f Measured) number(name string) float64 {
	v, _ := f.lookup(name)
	return v
}

func (f Measured) lookup(name string) (float64, bool) {
	return toNumber(f.Features[name])
}

func (f Measured) text(name string) string {
	s, _ := f.Features[name].(string)
	return s
}
