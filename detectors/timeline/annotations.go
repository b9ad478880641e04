package timeline

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// candidate is an annotation name that might mark the steps of the job.
type candidate struct {
	name   string
	ranges []int32
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
		if kind == trace.Annotation || kind == trace.Open {
			if l.ID.Process == 0 || l.Trace.Threads[l.Trace.Ranges.Thread[r]].PID == l.ID.Process {
				if l.Trace.Names.String(l.Trace.Ranges.Name[r]) == name {
					found = append(found, int32(r))
				}
			}
		}
	}
	return l.outermost(found)
}

// repeatedAnnotation picks the annotation that marks steps best: at least 3 repeats, at least half of the GPU work inside,
// not nested in another candidate or in a mark of a serving engine, whose parts are no steps; of several the one with most
// GPU time inside, then fewest repeats, then by name.
func (l *Lane) repeatedAnnotation() []Step {
	var total span.Time
	for i := range l.ActCount() {
		a := l.Act(int32(i))
		if a.Call >= 0 {
			total += a.Len()
		}
	}
	if total == 0 {
		return nil
	}
	var fit []candidate
	for _, c := range l.candidates() {
		if steps := l.outermost(c.ranges); len(steps) >= 3 {
			if c.inside = l.launchedIn(steps); 2*c.inside >= total {
				fit = append(fit, c)
			}
		}
	}
	request := candidate{ranges: l.RangesOf(Serving)}
	fit = slices.DeleteFunc(fit, func(c candidate) bool {
		return len(request.ranges) > 0 && l.nested(c, request) || slices.ContainsFunc(fit, func(o candidate) bool { return o.name != c.name && l.nested(c, o) })
	})
	if len(fit) == 0 {
		return nil
	}
	best := slices.MinFunc(fit, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.inside, a.inside), cmp.Compare(len(a.ranges), len(b.ranges)), cmp.Compare(a.name, b.name))
	})
	return l.outermost(best.ranges)
}

func (l *Lane) candidates() []candidate {
	byName := map[trace.Text]int{}
	var out []candidate
	for _, th := range l.threadsOf() {
		for _, r := range l.host.ranges.of(th) {
			if kind := l.Trace.Ranges.Kind[r]; kind != trace.Annotation && kind != trace.Open {
				continue
			}
			text := l.Trace.Ranges.Name[r]
			i, ok := byName[text]
			if !ok {
				name := l.Trace.Names.String(text)
				if i = len(out); counters.MatchString(name) || strings.HasPrefix(name, "aten::") || l.host.rangeClass(r) == Loader {
					i = -1
				} else {
					out = append(out, candidate{name: name})
				}
				byName[text] = i
			}
			if i >= 0 {
				out[i].ranges = append(out[i].ranges, r)
			}
		}
	}
	for i := range out {
		slices.Sort(out[i].ranges)
	}
	return out
}

// launchedIn is the GPU time whose launching calls start inside the steps.
func (l *Lane) launchedIn(steps []Step) span.Time {
	old := l.Steps
	l.Steps = steps
	defer func() { l.Steps = old }()
	var inside span.Time
	for i := range l.ActCount() {
		a := l.Act(int32(i))
		if a.Call >= 0 && l.stepAt(l.Trace.Calls.Start[a.Call]) >= 0 {
			inside += a.Len()
		}
	}
	return inside
}

// nested reports whether every range of c lies inside one of o, which has fewer.
func (l *Lane) nested(c, o candidate) bool {
	if len(o.ranges) > len(c.ranges) {
		return false
	}
	outer := l.outermost(o.ranges)
	for _, r := range c.ranges {
		s := l.Trace.Ranges.Span(r)
		if !slices.ContainsFunc(outer, func(step Step) bool { return step.Host.Start <= s.Start && s.End <= step.Host.End && step.Host != s }) {
			return false
		}
	}
	return true
}
