package detectors

import (
	"testing"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

func node(r *trace.WorkRow) { r.Node = true }

// replayed draws a graph launch of three kernels, and after it a kernel that is launched late and by hand.
func replayed(s *sketch, at float64) {
	graph := s.call("cudaGraphLaunch", at, at+10)
	for k := range 3 {
		s.work("gemm", graph, 7, at+20+30*float64(k), at+50+30*float64(k), node)
	}
	s.launch("add", at+200, at+205, 7, at+210, at+300)
}

func TestGraphCoverage(t *testing.T) {
	s := draw()
	for i, mark := range []string{"execute_context_0(0)_generation_8(8)", "execute_context_0(0)_generation_8(9)", "execute_context_0(0)_generation_8(10)"} {
		at := 1000 * float64(i)
		s.annotation(mark, at, at+999)
		replayed(s, at)
	}
	want{
		"graph.launch_count": 3, "graph.per_step_count": 1, "graph.kernel_frac": 0.75, "graph.coverage_frac": 0.75,
		"graph.eager_idle_spans": []span.Span{us(110, 200), us(1110, 1200), us(2110, 2200)}, "graph.inner_idle_frac": 0,
	}.check(t, s.features(t))
}

func TestPrefillIsEagerByDesign(t *testing.T) {
	s := draw()
	for i, mark := range []string{"execute_context_1(99)_generation_0(0)", "execute_context_0(0)_generation_8(9)"} {
		at := 1000 * float64(i)
		s.annotation(mark, at, at+999)
		if i == 1 {
			replayed(s, at)
			continue
		}
		s.launch("gemm", at+100, at+105, 7, at+110, at+200)
		s.launch("gemm", at+300, at+305, 7, at+310, at+400)
	}
	set := s.features(t)
	want{"graph.kernel_frac": 0.5, "graph.coverage_frac": 0.75, "graph.eager_idle_spans": []span.Span{us(1110, 1200)}}.check(t, set)
}

func TestGraphsRecordedAsBlocksHaveNoCoverage(t *testing.T) {
	s := draw()
	graph := s.call("cudaGraphLaunch", 0, 10)
	s.work("CUDA graph 1", graph, 7, 20, 100, func(r *trace.WorkRow) { r.Kind = trace.GraphBody })
	s.launch("add", 200, 205, 7, 210, 300)
	want{"graph.body_count": 1, "graph.coverage_frac": nil, "graph.eager_idle_spans": []span.Span{us(100, 200)}}.check(t, s.features(t))
}
