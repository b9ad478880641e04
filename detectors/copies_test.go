package detectors

import (
	"testing"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

func TestCopiesByDirection(t *testing.T) {
	s := draw()
	s.launch("gemm", 0, 1, 7, 0, 50)
	s.work("copy", s.call("cudaMemcpyAsync", 1, 2), 8, 40, 60, copied(trace.HtoD, trace.PinnedMem, 1_000_000)) // half hidden
	s.work("copy", s.call("cudaMemcpyAsync", 2, 3), 9, 50, 70, copied(trace.HtoD, trace.PageableMem, 500_000))
	s.work("copy", s.call("cudaMemcpyAsync", 3, 4), 8, 80, 90, copied(trace.DtoH, trace.PageableMem, 64))
	s.work("copy", s.call("cudaMemcpyAsync", 4, 5), 8, 90, 95, copied(trace.DtoD, trace.DeviceMem, 10))
	s.work("fill", s.call("cudaMemsetAsync", 5, 6), 8, 95, 100, func(r *trace.WorkRow) { r.Kind = trace.Fill })
	want{
		"copy.total_us": 50, "copy.exposed_us": 40, "copy.exposed_spans": []span.Span{us(50, 70), us(80, 100)},
		"h2d.count": 2, "h2d.bytes": 1_500_000, "h2d.total_us": 30, "h2d.exposed_us": 20, "h2d.gbps": 37.5, "h2d.pageable_count": 1, "h2d.pageable_bytes": 500_000,
		"h2d.pageable_exposed_us": 20, "d2h.count": 1, "d2h.bytes": 64, "d2h.total_us": 10, "d2h.exposed_us": 10, "d2h.gbps": 0.0064,
		"d2h.pageable_count": 1, "d2h.pageable_bytes": 64, "d2h.pageable_exposed_us": 0, // of 64 KiB or less
	}.check(t, s.features(t))
}

func TestCopiesOfWhichTooLittleIsKnown(t *testing.T) {
	for _, c := range []struct {
		name string
		host trace.MemKind
		size int64
		want want
	}{
		{"all is known", trace.PageableMem, 1 << 20, want{"h2d.bytes": 2 << 20, "h2d.pageable_bytes": 1 << 20, "h2d.pageable_exposed_us": 10}},
		{"host memory of unknown kind", trace.HostMem, 1 << 20, want{"h2d.bytes": 2 << 20, "h2d.gbps": float64(2<<20) / 20_000, "h2d.pageable_count": nil, "h2d.pageable_bytes": nil, "h2d.pageable_exposed_us": nil, "h2d.pageable_exposed_spans": nil}},
		{"memory of unknown kind", trace.UnknownMem, 1 << 20, want{"h2d.pageable_count": nil}},
		{"of unknown size", trace.PageableMem, -1, want{"h2d.bytes": nil, "h2d.gbps": nil, "h2d.pageable_count": 1, "h2d.pageable_bytes": nil, "h2d.pageable_exposed_us": nil}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := draw()
			s.work("copy", s.call("cudaMemcpyAsync", 0, 1), 7, 10, 20, copied(trace.HtoD, trace.PinnedMem, 1<<20))
			s.work("copy", s.call("cudaMemcpyAsync", 1, 2), 7, 20, 30, copied(trace.HtoD, c.host, c.size))
			c.want["h2d.count"], c.want["h2d.total_us"], c.want["d2h.count"], c.want["d2h.gbps"], c.want["d2h.pageable_count"] = 2, 20, 0, nil, 0
			c.want.check(t, s.features(t))
		})
	}
}

func TestCopiesThatTakeNoTime(t *testing.T) {
	s := draw()
	s.launch("gemm", 0, 1, 7, 0, 50)
	s.work("copy", s.call("cudaMemcpyAsync", 0, 1), 7, 10, 10, copied(trace.HtoD, trace.PinnedMem, 8))
	want{"h2d.count": 1, "h2d.bytes": 8, "h2d.gbps": nil, "h2d.total_us": 0}.check(t, s.features(t))
}

// While the call stages a pageable copy the GPU idles: that is exposed as well.
func TestStagingOfPageableCopies(t *testing.T) {
	s := draw()
	s.launch("gemm", 0, 1, 7, 0, 50)
	s.work("copy", s.call("cudaMemcpyAsync", 60, 90), 7, 80, 100, copied(trace.HtoD, trace.PageableMem, 1<<20))
	s.launch("gemm", 91, 92, 7, 100, 150)
	want{"h2d.pageable_exposed_us": 40, "h2d.pageable_exposed_spans": []span.Span{us(60, 100)}, "h2d.exposed_us": 20}.check(t, s.features(t))
}

func TestWhatCostsNothingAsAPageableCopy(t *testing.T) {
	s := draw()
	s.launch("a", 0, 1, 7, 10, 100)
	s.work("Memcpy HtoD", s.call("cudaMemcpyAsync", 100, 130), 7, 110, 130, copied(trace.HtoD, trace.PageableMem, 64<<10))  // staged without blocking
	s.work("Unified", s.call("cudaMemcpyAsync", 140, 141), 7, 150, 180, copied(trace.UnifiedHtoD, trace.ManagedMem, 1<<20)) // page migration
	s.launch("a", 190, 191, 7, 200, 300)
	want{"h2d.count": 1, "h2d.pageable_count": 1, "h2d.pageable_exposed_us": 0, "h2d.pageable_lost_us": 0, "d2h.count": 0}.check(t, s.features(t))
}

func TestCopiesAtTheStartOfSteps(t *testing.T) {
	// Steps of 1000 µs on the GPU, from 10 µs on. In all but the second 50 µs are copied before the first kernel.
	draw := func(n int) *sketch {
		s := draw()
		for i := range n {
			at := 1000 * float64(i)
			s.annotation("ProfilerStep#"+string(rune('0'+i)), at, at+1000)
			length := 50.0
			if i == 1 {
				length = 5
			}
			s.work("copy", s.call("cudaMemcpyAsync", at, at+2), 7, at+10, at+10+length, copied(trace.HtoD, trace.PinnedMem, 1000))
			s.launch("gemm", at+2, at+3, 7, at+60, at+500)
			s.work("copy", s.call("cudaMemcpyAsync", at+4, at+5), 7, at+500, at+550, copied(trace.HtoD, trace.PinnedMem, 1000)) // not at the start
			s.launch("gemm", at+6, at+7, 7, at+550, at+900)
		}
		return s
	}
	want{
		"steps.median_us": 1000, "h2d.step_start_us": (50 + 5 + 50 + 50) / 4.0, "h2d.step_start_frac": 0.03875, "h2d.step_start_steps_frac": 0.75,
		"h2d.step_start_spans": []span.Span{us(10, 60), us(1010, 1015), us(2010, 2060), us(3010, 3060)}, "h2d.count": 8,
	}.check(t, draw(4).features(t))

	// The only step is as long as the window, 0 to 900.
	want{"h2d.step_start_us": 50, "h2d.step_start_frac": 50.0 / 900, "h2d.step_start_steps_frac": 1}.check(t, draw(1).features(t))
}

func TestTheStartOfAStepIsItsFirstTenthAtLeast(t *testing.T) {
	for _, c := range []struct {
		name         string
		kernel, copy float64
		want         float64
	}{
		{"before the first kernel", 300, 200, 20},
		{"after it, in the first tenth", 20, 60, 20},
		{"across its end", 20, 90, 10}, // the step begins with its kernel, at 0
		{"after both", 20, 130, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := draw()
			for i := range 2 {
				at := 1000 * float64(i)
				s.annotation("ProfilerStep#"+string(rune('0'+i)), at, at+1000)
				s.work("fill", s.call("cudaMemsetAsync", at, at+0.5), 8, at, at+1, func(r *trace.WorkRow) { r.Kind = trace.Fill })
				s.work("copy", s.call("cudaMemcpyAsync", at, at+2), 7, at+c.copy, at+c.copy+20, copied(trace.HtoD, trace.PinnedMem, 1000))
				s.launch("gemm", at+2, at+3, 9, at+c.kernel, at+c.kernel+10)
				s.launch("gemm", at+6, at+7, 9, at+400, at+1000)
			}
			want{"h2d.step_start_us": c.want}.check(t, s.features(t))
		})
	}
}

func TestHiddenCopiesAtTheStartCostNothing(t *testing.T) {
	s := steps(3, 1000, func(s *sketch, i int, at float64) {
		s.work("copy", s.call("cudaMemcpyAsync", at+1, at+2), 8, at+20, at+90, copied(trace.HtoD, trace.PinnedMem, 1000))
	})
	want{"h2d.step_start_us": 0, "h2d.step_start_steps_frac": 0}.check(t, s.features(t))
	s = draw()
	s.work("copy", s.call("cudaMemcpyAsync", 1, 2), 8, 20, 90, copied(trace.HtoD, trace.PinnedMem, 1000))
	want{"h2d.step_start_us": nil, "h2d.step_start_frac": nil, "h2d.step_start_steps_frac": nil, "h2d.step_start_spans": nil}.check(t, s.features(t))
}
