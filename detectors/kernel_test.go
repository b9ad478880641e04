package detectors

import (
	"fmt"
	"math"
	"testing"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
	"perflint/detectors/trace"
)

func TestKernels(t *testing.T) {
	s := draw()
	s.launch("a", 0, 1, 7, 10, 19)                          // tiny
	s.launch("b", 1, 2, 7, 20, 30)                          // 10 µs is not
	s.launch("ncclDevKernel_AllReduce(x)", 2, 3, 7, 30, 32) // a kernel, but it does not compute
	s.launch("c", 3, 4, 8, 31, 52)
	s.work("copy", s.call("cudaMemcpyAsync", 4, 5), 7, 52, 53, copied(trace.HtoD, trace.PinnedMem, 9))
	set := s.features(t)
	want{
		"kernel.count": 4, "kernel.median_us": 9.5, "kernel.tiny_count_frac": 1.0 / 3, "kernel.tiny_time_frac": 9.0 / 40,
		"kernel.tiny_us": 9, "kernel.tiny_spans": []span.Span{us(10, 19)},
	}.check(t, set)
}

// What a range of the window cuts counts with its full duration, and takes time only inside.
func TestKernelsAtTheEdgesOfTheWindow(t *testing.T) {
	s := draw()
	s.launch("a", 0, 1, 7, 10, 40)
	s.launch("b", 1, 2, 7, 40, 60)
	s.launch("c", 2, 3, 7, 60, 66)
	set := s.features(t, timeline.Options{Step: -1, Range: us(20, 63)})
	want{"gpu.window_us": 43, "kernel.count": 3, "kernel.median_us": 20, "kernel.tiny_time_frac": 6.0 / 56, "kernel.tiny_us": 3, "gpu.compute_us": 43}.check(t, set)
	checkRecord(t, records(t, set, "kernel.top")[0], want{"name": "a", "total_us": 20, "mean_us": 30})
}

func TestWithoutAComputingKernel(t *testing.T) {
	s := draw()
	s.launch("ncclDevKernel_AllReduce(x)", 0, 1, 7, 10, 20)
	want{"kernel.count": 1, "kernel.median_us": 10, "kernel.tiny_count_frac": nil, "kernel.tiny_time_frac": nil, "kernel.tiny_us": 0}.check(t, s.features(t))
	s = draw()
	s.work("copy", s.call("cudaMemcpyAsync", 0, 1), 7, 10, 20, copied(trace.HtoD, trace.PinnedMem, 9))
	want{"kernel.count": 0, "kernel.median_us": nil, "graph.kernel_frac": nil}.check(t, s.features(t))
}

func TestQueuedComputeIsThatWhoseSuccessorIsLaunched(t *testing.T) {
	s := draw()
	s.launch("a", 0, 1, 7, 10, 50)
	s.launch("b", 20, 30, 7, 50, 60) // launched while a runs: a is queued for from 30 on
	s.launch("c", 70, 71, 7, 80, 90) // launched too late
	s.work("d", 0, 7, 90, 95)        // nobody knows
	s.launch("e", 5, 6, 7, 95, 99)   // queued long ago: all of d
	want{"kernel.queued_spans": []span.Span{us(30, 50), us(90, 95)}}.check(t, s.features(t))
}

func TestTopKernels(t *testing.T) {
	const full = "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, std::array<char*, 1ul> >(int)"
	const other = "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul> >(int)"
	s := draw()
	s.op("aten::fill_", 0, 1.5)
	s.op("aten::add", 2, 10)
	s.launch(full, 0, 1, 7, 10, 20)
	s.launch(other, 2, 3, 7, 20, 50)
	s.launch(other, 3, 4, 8, 30, 50)
	s.launch("gemm", 20, 21, 7, 100, 125)
	set := s.features(t)
	got := records(t, set, "kernel.top")
	if len(got) != 2 {
		t.Fatalf("%d records", len(got))
	}
	// 10, 30 and 20 µs of 65 µs in which kernels run: more than one at a time.
	mean := 20.0
	checkRecord(t, got[0], want{"name": "at::native::vectorized_elementwise_kernel", "full_name": full, "count": 3, "total_us": 60, "frac": 60.0 / 65,
		"mean_us": mean, "op": "aten::add", "cv_frac": math.Sqrt((100+100+0)/3.0) / mean, "spans": []span.Span{us(10, 50)}})
	checkRecord(t, got[1], want{"name": "gemm", "full_name": "gemm", "count": 1, "total_us": 25, "frac": 25.0 / 65, "cv_frac": 0, "op": ""})
}

// A graph whose kernels were not recorded computes, but is no kernel.
func TestTopKernelsAreSharesOfKernels(t *testing.T) {
	s := draw()
	s.launch("gemm", 0, 1, 7, 10, 20)
	s.work("graph", s.call("cudaGraphLaunch", 2, 3), 7, 20, 110, func(r *trace.WorkRow) { r.Kind = trace.GraphBody })
	set := s.features(t)
	want{"gpu.compute_us": 100, "kernel.count": 1, "graph.body_count": 1}.check(t, set)
	checkRecord(t, records(t, set, "kernel.top")[0], want{"name": "gemm", "frac": 1})
}

func TestTopKernelsEnd(t *testing.T) {
	s := draw()
	for i := range 300 {
		s.launch(fmt.Sprint("kernel", i), float64(i), float64(i)+0.5, 7, 10*float64(i), 10*float64(i)+1+float64(i)/100)
	}
	got := records(t, s.features(t), "kernel.top")
	if len(got) != feature.MaxRecords || got[0]["name"] != "kernel299" {
		t.Errorf("%d records, first %v", len(got), got[0]["name"])
	}
}

func TestGraphs(t *testing.T) {
	s := draw()
	s.launch("eager", 0, 1, 7, 10, 20)
	one := s.call("cudaGraphLaunch", 12, 13)
	s.work("g1", one, 7, 20, 40)
	s.work("g2", one, 8, 30, 50)
	s.work("g3", one, 7, 60, 70) // idle from 50 to 60
	two := s.call("cudaGraphLaunch", 14, 15)
	s.work("g1", two, 7, 100, 150)
	s.work("ncclDevKernel_AllGather(x)", 0, 7, 150, 160, func(r *trace.WorkRow) { r.Node = true })
	s.work("copy", two, 7, 160, 170, copied(trace.DtoD, trace.DeviceMem, 9))
	want{
		"graph.launch_count": 2, "graph.body_count": 0, "graph.kernel_frac": 5.0 / 6,
		"graph.inner_idle_frac": 10.0 / (50 + 70),
	}.check(t, s.features(t))
	s = draw()
	s.launch("eager", 0, 1, 7, 10, 20)
	want{"graph.launch_count": 0, "graph.kernel_frac": 0, "graph.inner_idle_frac": nil}.check(t, s.features(t))
}
