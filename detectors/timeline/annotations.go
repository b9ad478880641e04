package timeline

import (
	"cmp"
	"regexp"
	"slices"
	"sort"
	"strings"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// candidate is an annotation name that might mark the steps of the job.
type candidate struct {
	name   string
	ranges []int32
	steps  []Step
	inside span.Time // GPU time launched inside
}

// counters are what emit_nvtx appends to a name.
var counters = regexp.MustCompile(`, (seq|op_id) = \d+.*$`)

// userMarks are the ranges whose name the user gave.
func (l *Lane) userMarks(name string) []Step {
	if name == "" {
		return nil
	}
	var found []int32
	for r, kind := range l.Trace.Ranges.Kind {
		if kind != trace.Frame && kind != trace.OSCall && l.speaks(l.Trace.Ranges.Thread[r]) && l.Name(l.Trace.Ranges.Name[r]) == name {
			found = append(found, int32(r))
		}
	}
	return l.stepsOf(l.outermost(found))
}

// repeatedAnnotation picks the annotation that marks steps best: at least 3 repeats, at least half of the GPU work inside,
// not nested in another candidate or in a mark of a serving engine, whose parts are no steps; of several the one with most
// GPU time inside, then fewest repeats, then by name.
func (l *Lane) repeatedAnnotation() []Step {
	work := l.launchedWork()
	if work.total() == 0 {
		return nil
	}
	var fit []candidate
	for _, c := range l.candidates() {
		if c.steps = l.stepsOf(l.outermost(c.ranges)); len(c.steps) >= 3 {
			if c.inside = work.in(c.steps); 2*c.inside >= work.total() {
				fit = append(fit, c)
			}
		}
	}
	request := l.stepsOf(l.outermost(l.RangesOf(Serving)))
	var best *candidate
	for i := range fit {
		c := &fit[i]
		if l.nested(c, request) || slices.ContainsFunc(fit, func(o candidate) bool { return o.name != c.name && l.nested(c, o.steps) }) {
			continue
		}
		if best == nil || cmp.Or(cmp.Compare(best.inside, c.inside), cmp.Compare(len(c.ranges), len(best.ranges)), cmp.Compare(c.name, best.name)) < 0 {
			best = c
		}
	}
	if best == nil {
		return nil
	}
	return best.steps
}

func (l *Lane) candidates() []candidate {
	byName := map[trace.Text]int{}
	var out []candidate
	for r, kind := range l.Trace.Ranges.Kind {
		if kind != trace.Annotation && kind != trace.Open || !l.speaks(l.Trace.Ranges.Thread[r]) {
			continue
		}
		text := l.Trace.Ranges.Name[r]
		i, ok := byName[text]
		if !ok {
			name := l.Name(text)
			if i = len(out); strings.Contains(name, " = ") && counters.MatchString(name) || strings.HasPrefix(name, "aten::") || l.host.rangeClass(int32(r)) == Loader {
				i = -1
			} else {
				out = append(out, candidate{name: name})
			}
			byName[text] = i
		}
		if i >= 0 {
			out[i].ranges = append(out[i].ranges, int32(r))
		}
	}
	return out
}

// launched is GPU time by the moment of its launch: sums[i] is that of all launches before starts[i], the last sum of all.
type launched struct{ starts, sums []span.Time }

func (l *Lane) launchedWork() launched {
	type work struct{ at, len span.Time }
	var all []work
	for i, call := range l.Call {
		if call >= 0 {
			all = append(all, work{l.Trace.Calls.Start[call], l.ActSpan(int32(i)).Len()})
		}
	}
	slices.SortFunc(all, func(a, b work) int { return cmp.Compare(a.at, b.at) })
	w := launched{make([]span.Time, len(all)), make([]span.Time, len(all)+1)}
	for i, a := range all {
		w.starts[i], w.sums[i+1] = a.at, w.sums[i]+a.len
	}
	return w
}

func (w launched) total() span.Time { return w.sums[len(w.starts)] }

func (w launched) before(t span.Time) span.Time {
	return w.sums[sort.Search(len(w.starts), func(i int) bool { return w.starts[i] >= t })]
}

// in is the GPU time whose launching calls start inside the steps.
func (w launched) in(steps []Step) span.Time {
	var inside span.Time
	for _, s := range steps {
		inside += w.before(s.Host.End) - w.before(s.Host.Start)
	}
	return inside
}

// nested reports whether every range of c lies inside one of the steps.
func (l *Lane) nested(c *candidate, steps []Step) bool {
	for _, r := range c.ranges {
		s := l.Trace.Ranges.Span(r)
		i := stepAt(steps, s.Start)
		if i < 0 || s.End > steps[i].Host.End || steps[i].Host == s {
			return false
		}
	}
	return len(c.ranges) > 0
}
