package detectors

import (
	"testing"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

func TestSmallCopies(t *testing.T) {
	s := draw()
	s.launch("gemm", 0, 5, 7, 10, 100)
	s.frame("batch.py(3): to_device", 100, 400)
	for k := range 3 {
		at := 150 + 50*float64(k)
		s.op("aten::copy_", at-5, at+8)
		s.work("Memcpy HtoD", s.call("cudaMemcpyAsync", at, at+6), 7, at+10, at+12, copied(trace.HtoD, trace.PinnedMem, 100))
	}
	set := s.features(t)
	r := records(t, set, "copy.small")
	if len(r) != 1 || r[0]["count"] != int64(3) || r[0]["mean_bytes"] != 100. || r[0]["op"] != "aten::copy_" || r[0]["frame"] != "to_device" || r[0]["per_step_count"] != nil {
		t.Fatalf("%v", r)
	}
	if got := r[0]["spans"]; !equal(got, []span.Span{us(100, 156), us(162, 206), us(212, 256)}) {
		t.Errorf("%v", got)
	}
}

func TestWhatIsNoSmallCopy(t *testing.T) {
	s := draw()
	s.launch("gemm", 0, 5, 7, 10, 100)
	graph := s.call("cudaGraphLaunch", 120, 130)
	s.work("Memcpy HtoD", graph, 7, 140, 141, copied(trace.HtoD, trace.PinnedMem, 100), node)
	s.work("Memcpy DtoD", s.call("cudaMemcpyAsync", 150, 155), 7, 160, 161, copied(trace.DtoD, trace.DeviceMem, 100))
	s.work("Memcpy HtoD", s.call("cudaMemcpyAsync", 180, 185), 7, 190, 199, copied(trace.HtoD, trace.PinnedMem, 64<<10+1))
	s.work("Memcpy HtoD", s.call("cudaMemcpyAsync", 210, 215), 7, 220, 221, copied(trace.HtoD, trace.PinnedMem, -1))
	s.work("Unified", s.call("cudaMemcpyAsync", 230, 235), 7, 240, 241, copied(trace.UnifiedHtoD, trace.ManagedMem, 100))
	if r := records(t, s.features(t), "copy.small"); len(r) > 0 {
		t.Errorf("%v", r)
	}
}

// A gap of a millisecond before a small copy is a matter of what the host does there, not of the copy.
func TestLongGapsAreNotTheFaultOfSmallCopies(t *testing.T) {
	s := draw()
	s.launch("gemm", 0, 5, 7, 10, 100)
	s.work("Memcpy HtoD", s.call("cudaMemcpyAsync", 1500, 1506), 7, 1510, 1512, copied(trace.HtoD, trace.PinnedMem, 100))
	if r := records(t, s.features(t), "copy.small"); len(r) != 1 || r[0]["lost_us"] != 0. {
		t.Errorf("%v", r)
	}
}

func TestLinksAreJudgedByCopiesThatHaveThemToThemselves(t *testing.T) {
	s := draw()
	large := func(at, dur float64, dir trace.Direction, mem trace.MemKind, stream int64) {
		s.work("Memcpy", s.call("cudaMemcpyAsync", at, at+1), stream, at+5, at+5+dur, copied(dir, mem, 10_000_000))
	}
	large(0, 500, trace.HtoD, trace.PinnedMem, 7)      // 20 GB/s
	large(1000, 1000, trace.HtoD, trace.PinnedMem, 7)  // 10
	large(3000, 2000, trace.HtoD, trace.PinnedMem, 7)  // 5, beside one in the other direction
	large(4000, 900, trace.DtoH, trace.PinnedMem, 8)   // which shares it
	large(6000, 900, trace.HtoD, trace.PageableMem, 7) // not pinned
	r := records(t, s.features(t), "copy.links")
	if len(r) != 1 || r[0]["direction"] != "HtoD" || r[0]["count"] != int64(2) || r[0]["contended_count"] != int64(1) || r[0]["median_gbps"] != 15. ||
		r[0]["p95_gbps"] != 20. || r[0]["bytes"] != int64(20_000_000) || r[0]["exposed_us"] != 1500. {
		t.Errorf("%v", r)
	}
}

func TestPageableCopiesThatDrain(t *testing.T) {
	s := draw()
	s.launch("gemm", 0, 5, 7, 10, 100)
	s.work("Memcpy DtoH", s.call("cudaMemcpyAsync", 20, 305), 7, 102, 302, copied(trace.DtoH, trace.PageableMem, 1_000_000))
	s.launch("gemm", 350, 355, 7, 360, 500)
	want{
		"d2h.pageable_exposed_spans": []span.Span{us(100, 302)}, "d2h.pageable_lost_spans": []span.Span{us(100, 360)},
		"h2d.pageable_lost_us": 0,
	}.check(t, s.features(t))
}
