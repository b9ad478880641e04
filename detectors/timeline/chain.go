package timeline

import (
	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// Chains is, for each gap, all Python functions that were open when the given one was open longest in its host-late part:
// outermost first, that one last, torch and the standard library among them. Nil where it was not. It takes one pass over the
// ranges of the launching threads, so it is meant for the few gaps that somebody reads about.
func (l *Lane) Chains(gaps []*Gap, frames []trace.Text) [][]trace.Text {
	out, longest := make([][]trace.Text, len(gaps)), make([]span.Time, len(gaps))
	wanted := map[trace.Text][]int{}
	for i, f := range frames {
		if f != 0 {
			wanted[f] = append(wanted[f], i)
		}
	}
	if len(wanted) == 0 {
		return out
	}
	r := &l.Trace.Ranges
	for _, th := range l.Launchers {
		var open []int32
		for _, i := range l.host.ranges.of(th) {
			if r.Kind[i] != trace.Frame {
				continue
			}
			for n := len(open); n > 0 && r.End[open[n-1]] <= r.Start[i]; n-- {
				open = open[:n-1]
			}
			open = append(open, i)
			for _, k := range wanted[r.Name[i]] {
				if t := r.Span(i).Clip(gaps[k].HostLate()).Len(); t > longest[k] {
					longest[k], out[k] = t, l.namesOf(open)
				}
			}
		}
	}
	return out
}

func (l *Lane) namesOf(ranges []int32) []trace.Text {
	out := make([]trace.Text, len(ranges))
	for i, r := range ranges {
		out[i] = l.Trace.Ranges.Name[r]
	}
	return out
}
