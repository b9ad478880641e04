package detectors

import (
	"testing"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

const allReduce = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"

// collective gives a kernel the arguments of a collective.
func (s *sketch) collective(c trace.Collective) func(*trace.WorkRow) {
	index := s.Collective(c)
	return func(r *trace.WorkRow) { r.Collective = index }
}

func TestCommunication(t *testing.T) {
	s := draw()
	s.launch("gemm", 0, 1, 7, 0, 50)
	s.launch(allReduce, 1, 2, 20, 40, 70) // 10 of 30 hidden
	s.launch("gemm", 2, 3, 7, 70, 100)
	s.launch(allReduce, 3, 4, 20, 80, 90) // hidden
	set := s.features(t)
	want{
		"comm.kernel_count": 2, "comm.total_us": 40, "comm.total_frac": 0.4, "comm.exposed_us": 20, "comm.exposed_frac": 0.2,
		"comm.exposed_spans": []span.Span{us(50, 70)}, "comm.overlap_frac": 0.5, "comm.same_stream_frac": 0, "comm.serialized_us": 0,
		"comm.small_us": nil, "comm.backend": nil, "comm.tail_us": nil,
	}.check(t, set)
}

func TestWithoutCommunication(t *testing.T) {
	s := draw()
	s.Backend = "nccl"
	s.launch("gemm", 0, 1, 7, 0, 50)
	want{
		"comm.kernel_count": 0, "comm.total_us": 0, "comm.exposed_us": 0, "comm.overlap_frac": nil, "comm.same_stream_frac": nil,
		"comm.serialized_us": nil, "comm.small_us": 0, "comm.backend": "nccl",
	}.check(t, s.features(t))
}

func TestCommunicationOnStreamsThatCompute(t *testing.T) {
	for _, c := range []struct {
		name             string
		compute          float64 // µs of a kernel on stream 7, beside 95 µs of communication there
		share, exposedUs float64
	}{
		{"at least 5 % of the stream's time", 5, 95.0 / 115, 95},
		{"less than 5 %", 4.9, 0, 0},
		{"none", 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := draw()
			s.launch(allReduce, 0, 1, 7, 0, 95)
			if c.compute > 0 {
				s.launch("gemm", 1, 2, 7, 100, 100+c.compute)
			}
			s.launch(allReduce, 2, 3, 20, 200, 220)
			s.launch("gemm", 3, 4, 8, 205, 300)
			want{"comm.same_stream_frac": c.share, "comm.serialized_us": c.exposedUs}.check(t, s.features(t))
		})
	}
	// Foreign work does not make a stream one that computes.
	s := draw()
	s.work("gemm", 0, 7, 0, 50)
	s.launch(allReduce, 1, 2, 7, 50, 100)
	want{"comm.same_stream_frac": 0, "comm.serialized_us": 0}.check(t, s.features(t))
}

func TestKindsOfCollectives(t *testing.T) {
	for name, want := range map[string]string{
		"ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)": "allreduce", "ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)": "allreduce", "all_reduce": "allreduce", "allreduce_coalesced": "allreduce",
		"ncclDevKernel_AllGather_RING_LL(x)": "allgather", "_allgather_base": "allgather", "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(x)": "reducescatter", "reduce_scatter_tensor_coalesced": "reducescatter",
		"ncclDevKernel_Reduce_Sum_f32(x)": "reduce", "ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(x)": "sendrecv", "ncclDevKernel_Broadcast_RING_LL(x)": "broadcast", "alltoall_base": "alltoall", "nccl:all_to_all": "alltoall",
		"void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>(x)": "allreduce", "void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(x)": "allreduce",
		"void dpsk::ep::internode::dispatch<0>(x)": "dispatch", "combine": "combine", "ncclDevKernel_Generic(x)": "", "gemm": "", "": "",
	} {
		if got := kind(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestSizesOfCollectives(t *testing.T) {
	for _, c := range []struct {
		kind, dtype string
		in, out     int64
		bytes       int64
		class       string
	}{
		{"allreduce", "Float", 250_000, 250_000, 1_000_000, "1 to 8 MB"}, {"allreduce", "c10::BFloat16", 499_999, -1, 999_998, "under 1 MB"},
		{"allgather", "Half", 1, 4_000_000, 8_000_000, "8 MB and more"}, {"allgather", "Half", 1, -1, -1, "unknown"},
		{"reducescatter", "Long", 2, 1, 16, "under 1 MB"}, {"allreduce", "Float8_e4m3fn", 7, 7, 7, "under 1 MB"}, {"allreduce", "Complex", 7, 7, -1, "unknown"},
		{"allreduce", "", 7, 7, -1, "unknown"}, {"broadcast", "Byte", 0, 0, 0, "under 1 MB"},
	} {
		got := collectiveBytes(trace.Collective{Dtype: c.dtype, InElems: c.in, OutElems: c.out}, c.kind)
		if got != c.bytes || sizeClass(got) != c.class {
			t.Errorf("%+v: got %d, %s", c, got, sizeClass(got))
		}
	}
}

func TestBusFactors(t *testing.T) {
	for kind, want := range map[string]float64{"allreduce": 1.75, "allgather": 0.875, "reducescatter": 0.875, "alltoall": 0.875, "broadcast": 1, "sendrecv": 1, "unknown": 0} {
		if got := busFactor(kind, 8); got != want {
			t.Errorf("%s: got %v", kind, got)
		}
		if got := busFactor(kind, 1); got != 0 {
			t.Errorf("%s of one rank: got %v", kind, got)
		}
	}
}

func TestCollectiveRecords(t *testing.T) {
	s := draw()
	big := s.collective(trace.Collective{Name: "allreduce", Dtype: "Float", Group: "0", InElems: 5_000_000, OutElems: 5_000_000, GroupSize: 4})
	small := s.collective(trace.Collective{Name: "_allgather_base", Dtype: "BFloat16", Group: "1", InElems: 100, OutElems: 400, GroupSize: 4})
	s.launch("gemm", 0, 1, 7, 0, 1000)
	s.launch(allReduce, 1, 2, 20, 500, 1500, big)
	s.launch(allReduce, 2, 3, 20, 2000, 3500, big)
	s.launch("ncclDevKernel_AllGather_RING_LL(x)", 3, 4, 20, 4000, 4100, small)
	s.op("nccl:all_to_all", 4, 6)
	s.launch("ncclDevKernel_Generic(x)", 5, 5.5, 20, 5000, 5010)
	set := s.features(t)
	got := records(t, set, "comm.collectives")
	if len(got) != 3 {
		t.Fatalf("%d records", len(got))
	}
	checkRecord(t, got[0], want{"collective": "allreduce", "name": "ncclDevKernel_AllReduce_Sum_f32_RING_LL", "group": "0", "size_class": "8 MB and more", "dtype": "Float", "count": 2,
		"total_us": 2500, "exposed_us": 2000, "exposed_frac": 2000.0 / 5010, "bytes": 40_000_000, "alg_gbps": 16.0, "bus_gbps": 24.0, "min_us": 1000, "mean_us": 1250,
		"spans": []span.Span{us(1000, 1500), us(2000, 3500)}})
	checkRecord(t, got[1], want{"collective": "allgather", "group": "1", "size_class": "under 1 MB", "bytes": 800, "alg_gbps": 0.008, "bus_gbps": 0.006})
	checkRecord(t, got[2], want{"collective": "alltoall", "size_class": "unknown", "bytes": nil, "alg_gbps": nil, "bus_gbps": nil, "total_us": 10})
	want{"comm.small_us": nil}.check(t, set) // the size of the last is not known
}

func TestSmallCollectives(t *testing.T) {
	s := draw()
	s.launch("gemm", 0, 1, 7, 0, 10)
	s.launch(allReduce, 1, 2, 20, 10, 30, s.collective(trace.Collective{Name: "allreduce", Dtype: "Float", InElems: 10, OutElems: 10}))
	s.launch(allReduce, 2, 3, 21, 20, 40, s.collective(trace.Collective{Name: "allreduce", Dtype: "Float", InElems: 20, OutElems: 20}))
	s.launch(allReduce, 3, 4, 20, 50, 90, s.collective(trace.Collective{Name: "allreduce", Dtype: "Float", InElems: 1e6, OutElems: 1e6}))
	want{"comm.small_us": 30, "comm.small_spans": []span.Span{us(10, 40)}}.check(t, s.features(t))
}

// pass draws a launch inside a range of a pass.
func (s *sketch) pass(around, name string, at float64, stream int64, start, end float64, more ...func(*trace.WorkRow)) {
	s.annotation(around, at, at+5)
	s.launch(name, at+1, at+4, stream, start, end, more...)
}

const backwardOp = "autograd::engine::evaluate_function: MmBackward0"
const optimizerOp = "Optimizer.step#SGD.step"

func TestExposedTailOfTheBackwardPass(t *testing.T) {
	s := draw()
	s.annotation("ProfilerStep#0", 0, 2500)
	for i := range 2 {
		at := 1000 * float64(i)
		s.pass("forward", "gemm", at, 7, at+100, at+200)
		s.pass(backwardOp, "gemm", at+10, 7, at+200, at+400)
		s.pass(backwardOp, allReduce, at+20, 20, at+350, at+450) // 50 after the last kernel
		s.pass(optimizerOp, "adam", at+30, 7, at+450, at+500)
		s.pass(optimizerOp, allReduce, at+40, 20, at+600, at+650) // not between them
	}
	want{"comm.tail_us": 100, "comm.tail_spans": []span.Span{us(400, 450), us(1400, 1450)}, "comm.exposed_us": 200}.check(t, s.features(t))
}

func TestPhases(t *testing.T) {
	s := draw()
	gather := s.collective(trace.Collective{Name: "_allgather_base", Dtype: "Float", InElems: 250, OutElems: 1000, GroupSize: 4})
	scatter := s.collective(trace.Collective{Name: "_reduce_scatter_base", Dtype: "Float", InElems: 1000, OutElems: 250, GroupSize: 4})
	s.annotation("ProfilerStep#0", 0, 2000)
	s.pass("forward", "gemm", 0, 7, 100, 200)
	s.pass("forward", "ncclDevKernel_AllGather(x)", 10, 20, 150, 250, gather) // 50 exposed
	s.pass(backwardOp, "gemm", 20, 7, 250, 450)
	s.pass(backwardOp, "ncclDevKernel_ReduceScatter(x)", 30, 20, 430, 530, scatter) // 80 exposed
	s.pass(optimizerOp, "adam", 40, 7, 530, 560)
	s.pass("Optimizer.zero_grad#SGD.zero_grad", "fill", 50, 7, 560, 570)
	set := s.features(t)
	want{
		"phase.coverage_frac": 1, "phase.forward_us": 100, "phase.backward_us": 200, "phase.optimizer_us": 40, "phase.backward_forward_ratio": 2,
		"comm.forward_us": 100, "comm.forward_unhidden_us": 50, "comm.forward_count": 1, "comm.forward_bytes": 4000, "comm.forward_exposed_frac": 0.5,
		"comm.backward_us": 100, "comm.backward_unhidden_us": 80, "comm.backward_bytes": 4000, "comm.backward_exposed_frac": 0.8,
		"comm.asymmetry_ratio": 1, "comm.worse_phase": "backward", "comm.worse_unhidden_us": 80, "comm.exposed_difference_frac": 0.3,
		"comm.worse_unhidden_spans": []span.Span{us(450, 530)}, "phase.optimizer_spans": []span.Span{us(530, 570)},
	}.check(t, set)
	if got := records(t, set, "comm.unpaired"); len(got) != 0 {
		t.Errorf("unpaired: %v", got)
	}
}

func TestUnpairedCollectives(t *testing.T) {
	s := draw()
	s.annotation("ProfilerStep#0", 0, 2000)
	s.pass("forward", "gemm", 0, 7, 100, 200)
	s.pass("forward", "ncclDevKernel_AllGather(x)", 10, 20, 150, 250)
	s.pass("forward", "ncclDevKernel_AllGather(x)", 20, 21, 200, 300)
	s.pass(backwardOp, "gemm", 30, 7, 300, 500)
	set := s.features(t)
	want{"comm.asymmetry_ratio": nil, "comm.backward_us": 0, "comm.backward_exposed_frac": nil, "comm.worse_phase": "forward", "comm.exposed_difference_frac": nil,
		"comm.forward_bytes": nil, "comm.backward_bytes": 0}.check(t, set)
	got := records(t, set, "comm.unpaired")
	if len(got) != 1 {
		t.Fatalf("%d records", len(got))
	}
	checkRecord(t, got[0], want{"collective": "allgather", "phase": "forward", "partner": "reducescatter", "count": 2, "total_us": 150, "frac": 150.0 / 500})

	// Inference has no partner to miss.
	s = draw()
	s.annotation("ProfilerStep#0", 0, 2000)
	s.pass("forward", "gemm", 0, 7, 100, 200)
	s.pass("forward", "ncclDevKernel_AllGather(x)", 10, 20, 150, 250)
	if got := records(t, s.features(t), "comm.unpaired"); len(got) != 0 {
		t.Errorf("unpaired: %v", got)
	}
}

func TestPhasesThatTooLittleWorkHas(t *testing.T) {
	for _, c := range []struct {
		unknown float64
		known   bool
	}{{50, true}, {51, false}} {
		s := draw()
		s.pass(backwardOp, "gemm", 0, 7, 100, 300)
		s.work("gemm", 0, 7, 300, 300+c.unknown) // without a call
		s.pass(backwardOp, "gemm", 10, 7, 400, 400)
		set := s.features(t)
		w := want{"phase.coverage_frac": 200 / (200 + c.unknown), "phase.backward_us": nil, "comm.unpaired": nil}
		if c.known {
			w["phase.backward_us"], w["phase.forward_us"], w["phase.backward_forward_ratio"] = 200, 0, nil
			delete(w, "comm.unpaired")
		}
		w.check(t, set)
	}
}
