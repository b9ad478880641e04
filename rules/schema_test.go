package rules

import (
	"testing"

	"perflint/detectors/feature"
	"perflint/detectors/span"
)

// testSchema is a handful of features of each type.
func testSchema(t testing.TB) *feature.Schema {
	t.Helper()
	f := func(name string, typ feature.Type, unit feature.Unit) feature.Decl {
		return feature.Decl{Name: name, Type: typ, Unit: unit}
	}
	us := func(name string) feature.Decl { return f(name, feature.Float, feature.Us) }
	spans := func(name string) feature.Decl { return f(name, feature.Spans, feature.NoUnit) }
	words := func(name string) feature.Decl { return f(name, feature.Text, feature.NoUnit) }
	own := words("steps.source")
	own.Words = true
	gaps := f("idle.gaps", feature.List, feature.NoUnit)
	gaps.Fields = []feature.Decl{us("start_us"), us("dur_us"), words("kind"), words("subject"), words("cause"), words("op"), words("frame"), words("file"), f("line", feature.Int, feature.Count), spans("spans")}
	causes := f("idle.causes", feature.List, feature.NoUnit)
	causes.Fields = []feature.Decl{words("cause"), words("subject"), us("host_late_us"), f("gap_count", feature.Int, feature.Count), f("bytes", feature.Int, feature.Bytes), spans("spans")}
	top := f("kernel.top", feature.List, feature.NoUnit)
	top.Fields = []feature.Decl{words("name"), f("count", feature.Int, feature.Count), us("total_us"), f("frac", feature.Float, feature.Frac)}
	s, err := feature.NewSchema(
		us("gpu.window_us"), us("gpu.idle_us"), spans("gpu.idle_spans"), f("gpu.idle_frac", feature.Float, feature.Frac),
		us("idle.host_late_us"), spans("idle.host_late_spans"), f("idle.host_late_frac", feature.Float, feature.Frac),
		us("idle.micro_us"), spans("idle.micro_spans"), f("idle.gap_count", feature.Int, feature.Count), us("idle.longest_us"), gaps, causes,
		f("launch.count", feature.Int, feature.Count), f("kernel.count", feature.Int, feature.Count), top,
		us("sync.drained_us"), spans("sync.drained_spans"), f("trace.gpu_count", feature.Int, feature.Count), words("trace.gpu_name"), own,
		f("trace.has_frames", feature.Bool, feature.NoUnit), us("steps.median_us"), us("job.wait_us"), spans("job.wait_spans"), f("h2d.bytes", feature.Int, feature.Bytes),
	)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// interval is [start, start+length) in µs.
func interval(start, length float64) span.Set {
	return span.Of(span.Span{Start: span.Time(start * 1e3), End: span.Time((start + length) * 1e3)})
}

// idleLane is GPU 0 with a window of 100 ms, idle for so many of them.
func idleLane(t testing.TB, gpu int, idleMs float64) *feature.Set {
	s := feature.NewSet(testSchema(t), feature.Lane{GPU: gpu, Rank: -1})
	s.Float("gpu.window_us", 100e3)
	s.Float("gpu.idle_us", idleMs*1e3)
	s.Float("gpu.idle_frac", idleMs/100)
	s.Spans("gpu.idle_spans", interval(0, idleMs*1e3))
	s.Spans("idle.micro_spans", nil)
	s.Int("idle.gap_count", 40)
	s.Float("idle.longest_us", 3000)
	return s
}
