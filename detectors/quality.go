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

var _ = register(Detector{
	Name: "quality",
	Doc:  "What of the trace cannot be true, and what the profiler says it lost.",
	Features: declare(
		count("trace.impossible_count", "GPU activities that cannot be true, those without a time among them"),
		boolean("trace.impossible_kept", "They are half of all activities or more, so that the clock must be off: they were not set aside"),
		number("trace.impossible_us", feature.Us, "Their summed duration"),
		number("trace.impossible_frac", feature.Frac, "The same as a share of the summed duration of all GPU activities"),
		list("trace.impossible", "What they are, by flaw and name",
			words("flaw", "What cannot be: starts before its launch, overlaps the next of its stream, reaches past the end of the program, recorded twice"),
			text("name", "Name of the activity"), count("count", "How many"), number("total_us", feature.Us, "Their summed duration"),
			number("start_us", feature.Us, "Start of the first since the trace's first event")),
		count("trace.timeless_count", "GPU activities for which the driver gave no time"),
		count("trace.lost_count", "Warnings of the profiler that it lost events"),
	),
	Detect: detectQuality,
})

func detectQuality(lane *timeline.Lane, set *feature.Set) error {
	t := lane.Trace
	set.Int("trace.timeless_count", int64(t.Timeless))
	set.Int("trace.lost_count", int64(t.Lost))
	list, total := impossible(lane)
	set.List("trace.impossible", list)
	set.Int("trace.impossible_count", int64(len(lane.Asides)+t.Timeless))
	set.Bool("trace.impossible_kept", lane.AsidesCount)
	set.Float("trace.impossible_us", total.Micros())
	if lane.ActCount() == 0 {
		set.Missing(lane.Absence(), "trace.impossible_frac")
		return nil
	}
	set.Float("trace.impossible_frac", impossibleShare(lane, total))
	return nil
}

// impossibleShare is the share of the summed GPU time that activities hold which cannot be true.
func impossibleShare(lane *timeline.Lane, total span.Time) float64 {
	if total == 0 {
		return 0
	}
	all := span.Time(0)
	if !lane.AsidesCount {
		all = total
	}
	for i := range lane.ActCount() {
		all += lane.Act(int32(i)).Len()
	}
	return float64(total) / float64(all)
}

// impossible lists them by flaw and name, largest first, and sums their durations.
func impossible(lane *timeline.Lane) (list []feature.Record, total span.Time) {
	type kind struct {
		flaw timeline.Flaw
		name trace.Text
	}
	type sum struct {
		kind
		count        int
		total, first span.Time
	}
	sums := map[kind]*sum{}
	w := &lane.Trace.Work
	for _, a := range lane.Asides {
		k := kind{a.Flaw, w.Name[a.Row]}
		if sums[k] == nil {
			sums[k] = &sum{kind: k, first: w.Start[a.Row]}
		}
		s := sums[k]
		s.count++
		s.total += w.Span(a.Row).Len()
		s.first = min(s.first, w.Start[a.Row])
		total += w.Span(a.Row).Len()
	}
	all := slices.SortedFunc(maps.Values(sums), func(a, b *sum) int {
		return cmp.Or(cmp.Compare(b.total, a.total), cmp.Compare(a.flaw, b.flaw), cmp.Compare(lane.Name(a.name), lane.Name(b.name)))
	})
	for _, s := range all[:min(len(all), feature.MaxRecords)] {
		list = append(list, feature.Record{
			"flaw": s.flaw.String(), "name": lane.Name(s.name), "count": int64(s.count), "total_us": s.total.Micros(), "start_us": s.first.Micros(),
		})
	}
	return list, total
}
