package detectors

import (
	"cmp"
	"slices"
	"strings"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
	"perflint/detectors/trace"
)

var tinyRunFields = []feature.Decl{
	text("names", "Its kernels in order, the first two, long names cut"),
	text("op", "Op that launched the first of them"),
	count("length", "Kernels in it"),
	count("count", "How often it runs"),
	number("total_us", feature.Us, "Summed duration of its kernels"),
	number("frac", feature.Frac, "The same as a share of the summed duration of all computing kernels"),
}

// tinyRun is at least three tiny kernels one behind the other on a stream, with nothing else between them.
type tinyRun struct {
	names         []trace.Text // the first two
	op            trace.Text
	length, count int
	total         span.Time
}

const (
	runLeast = 3
	runShown = 2
	runName  = 26 // characters of a name: two of them fit into the sixty that a report shows of a value
)

// tinyRuns lists the runs of tiny kernels that repeat, most time first: what could be one kernel.
func tinyRuns(lane *timeline.Lane, all span.Time) []feature.Record {
	type state struct {
		hash  uint64
		first int32 // call that launched the first kernel, -1 none
		names [runShown]trace.Text
		n     int
		total span.Time
	}
	runs := map[uint64]*tinyRun{}
	streams := make([]state, len(lane.Trace.Streams))
	end := func(s *state) {
		if s.n >= runLeast {
			r := runs[s.hash]
			if r == nil {
				r = &tinyRun{names: slices.Clone(s.names[:min(s.n, runShown)]), length: s.n}
				if s.first >= 0 {
					r.op = lane.Enclosing(s.first).Op
				}
				runs[s.hash] = r
			}
			r.count++
			r.total += s.total
		}
		*s = state{}
	}
	for _, i := range lane.In {
		a := lane.Act(i)
		s := &streams[a.Stream]
		if !a.Own || a.Class != timeline.Compute || a.Len() >= tinyKernel {
			end(s)
			continue
		}
		name := lane.Trace.Work.Name[a.Row]
		if s.n == 0 {
			s.first = a.Call
		}
		if s.n < runShown {
			s.names[s.n] = name
		}
		s.hash = mix(s.hash + uint64(name) + 1)
		s.n++
		s.total += a.Len()
	}
	for i := range streams {
		end(&streams[i])
	}
	var repeated []*tinyRun
	for _, r := range runs {
		if r.count > 1 {
			repeated = append(repeated, r)
		}
	}
	slices.SortFunc(repeated, func(a, b *tinyRun) int {
		return cmp.Or(cmp.Compare(b.total, a.total), cmp.Compare(b.count, a.count), slices.Compare(a.names, b.names), cmp.Compare(a.length, b.length))
	})
	var out []feature.Record
	for _, r := range repeated[:min(len(repeated), feature.MaxRecords)] {
		out = append(out, r.record(lane, all))
	}
	return out
}

func (r *tinyRun) record(lane *timeline.Lane, all span.Time) feature.Record {
	var names []string
	for _, n := range r.names {
		names = append(names, cutName(ownName(shortKernelName(lane.Name(n)))))
	}
	if r.length > len(names) {
		names = append(names, "…")
	}
	return feature.Record{
		"names": strings.Join(names, " → "), "op": lane.Name(r.op), "length": int64(r.length), "count": int64(r.count),
		"total_us": r.total.Micros(), "frac": float64(r.total) / float64(all),
	}
}

// ownName leaves out the namespaces that a function lies in.
func ownName(name string) string {
	end := strings.IndexByte(name, '<')
	if end < 0 {
		end = len(name)
	}
	if i := strings.LastIndex(name[:end], "::"); i >= 0 {
		return name[i+2:]
	}
	return name
}

// cutName leaves out the middle of a long name.
func cutName(name string) string {
	runes := []rune(name)
	if len(runes) <= runName {
		return name
	}
	const tail = runName / 3
	return string(runes[:runName-tail-1]) + "…" + string(runes[len(runes)-tail:])
}
