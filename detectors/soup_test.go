package detectors

import (
	"math/rand/v2"
	"testing"

	"perflint/detectors/span"
	"perflint/detectors/timeline"
	"perflint/detectors/trace"
)

// Names of everything that a soup may hold.
var (
	soupCalls = []string{"cudaLaunchKernel", "cuLaunchKernelEx", "cudaGraphLaunch", "cudaStreamSynchronize", "cudaDeviceSynchronize", "cudaMemcpy", "cudaMemcpyAsync",
		"hipMemcpyWithStream", "cudaMalloc", "cudaMallocAsync", "cuModuleLoadData", "cudaStreamBeginCapture", "cudaStreamEndCapture", "cudaGraphInstantiate", "cudaStreamCreateWithFlags",
		"cudaEventRecord", "cudaMemsetAsync"}
	soupRanges = []string{"ProfilerStep#1", "ProfilerStep#2", "ProfilerStep#3", "[param|x|measure|forward]", optimizerOp, singleProcess, "execute_1_context", "step[DECODE bs=1]",
		"train", "epoch", "Optimizer.zero_grad#SGD.zero_grad", "forward", "backward", "optimizer", backwardOp, "MmBackward0", "aten::item", "aten::mm", "triton.compile", "gc.collect",
		"nccl:all_reduce", "x, seq = 3"}
	soupFrames = []string{"train.py(1): main", "data.py(2): load", "torch/nn/modules/module.py(3): _call_impl", "torch/profiler/profiler.py(4): step", "json/encoder.py(5): encode",
		"<built-in method x of T object at 0x1>", "nn.Module: Linear_0"}
	soupKernels = []string{"gemm", "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float> >(int)", "void cutlass::Kernel2<cutlass_80_tensorop>(x)", "ncclDevKernel_Generic(x)",
		allReduce, "ncclDevKernel_AllGather(x)", "ncclDevKernel_ReduceScatter(x)", "void <unnamed>::f<int>(int)", ""}
	soupOverheads = []string{"Buffer Flush", "Command Buffer Full", "Lazy Function Loading"}
)

// soup is a source of the choices from which a trace is made.
type soup interface {
	choose(n int) int // below n, which is positive
}

type random struct{ *rand.Rand }

func (r random) choose(n int) int { return r.IntN(n) }

// rows is the rows of a trace, each as what adds it to a builder.
type rows []func(b *trace.Builder)

func (r rows) build() *trace.Trace {
	b := trace.NewBuilder("nsys")
	b.HasOps, b.HasFrames = true, true
	b.Devices = []trace.Device{{ID: 0, Name: "NVIDIA", Major: 8, Memory: 1 << 30}}
	for _, add := range r {
		add(b)
	}
	return b.Build()
}

// times are moments of a soup. Where they must all differ, they are counted up in a shuffled order.
type times struct {
	soup
	length, grid int64
	used         map[int64]bool // nil: moments may be equal
}

func (t *times) at() int64 {
	for {
		at := int64(t.choose(int(t.length/t.grid))) * t.grid
		if t.used == nil {
			return at
		}
		if !t.used[at] {
			t.used[at] = true
			return at
		}
	}
}

// span is a stretch of any length, mostly a short one; sometimes of none.
func (t *times) span() (from, to int64) {
	from = t.at()
	most := []int64{1, 50, 2000, t.length}[t.choose(4)]
	if t.used != nil {
		most = max(most, 2)
	}
	return from, from + int64(t.choose(int(most)))*t.grid
}

func pick(s soup, from []string) string { return from[s.choose(len(from))] }

// stir makes rows of so many events.
func stir(s soup, events int, t *times) rows {
	var out rows
	add := func(f func(b *trace.Builder)) { out = append(out, f) }
	processes, gpus, threads, streams := 1+s.choose(2), 1+s.choose(2), 1+s.choose(3), 1+s.choose(3)
	names := soupRanges[[]int{0, 3, 4, 5, 6, 8}[s.choose(6)]:] // so that each source of steps comes first in some traces
	corr := int64(0)
	thread := func() (pid, tid int64) {
		pid = int64(1 + s.choose(processes))
		return pid, pid*10 + int64(s.choose(threads))
	}
	for range events {
		from, to := t.span()
		pid, tid := thread()
		switch s.choose(8) {
		case 0, 1: // a call, and mostly work of it
			corr++
			id, name := corr, pick(s, soupCalls)
			add(func(b *trace.Builder) {
				b.AddCall(trace.CallRow{Start: from, End: to, Corr: id, Name: b.Names.Intern(name), Thread: b.Thread(pid, tid)})
			})
			for range []int{0, 1, 1, 1, 3}[s.choose(5)] {
				add(workRow(s, t, pid, id, gpus, streams))
			}
		case 2: // work without a call
			add(workRow(s, t, pid, -1, gpus, streams))
		case 3, 4:
			name, kind := pick(s, names), []trace.RangeKind{trace.Op, trace.Annotation, trace.Open, trace.OSCall}[s.choose(4)]
			add(func(b *trace.Builder) {
				b.AddRange(trace.RangeRow{Start: from, End: to, Name: b.Names.Intern(name), Thread: b.Thread(pid, tid), Kind: kind})
			})
		case 5:
			name := pick(s, soupFrames)
			add(func(b *trace.Builder) {
				b.AddRange(trace.RangeRow{Start: from, End: to, Name: b.Names.Intern(name), Thread: b.Thread(pid, tid), Kind: trace.Frame})
			})
		case 6:
			name := pick(s, soupOverheads)
			add(func(b *trace.Builder) {
				b.AddOverhead(trace.OverheadRow{Start: from, End: to, Name: b.Names.Intern(name)})
			})
		case 7:
			wait := trace.WaitRow{Start: from, End: to, Corr: int64(s.choose(int(corr)+1)) - 1, Process: pid, Stream: int64(s.choose(4)) - 1, OnStream: int64(s.choose(4)) - 1,
				Device: int32(s.choose(gpus)), Kind: trace.WaitKind(s.choose(5))}
			memory := trace.MemoryRow{At: from, Device: int32(s.choose(gpus+1)) - 1, Allocated: int64(s.choose(100)) - 1, Reserved: int64(s.choose(100)) - 1}
			add(func(b *trace.Builder) { b.AddWait(wait); b.AddMemory(memory) })
		}
	}
	return out
}

func workRow(s soup, t *times, pid, corr int64, gpus, streams int) func(*trace.Builder) {
	from, to := t.span()
	r := trace.WorkRow{Start: from, End: to, Corr: corr, Process: pid, Device: int32(s.choose(gpus)), Stream: int64(s.choose(streams)), Bytes: []int64{-1, 0, 4, 1 << 20}[s.choose(4)],
		Kind: []trace.WorkKind{trace.Kernel, trace.Kernel, trace.Kernel, trace.Copy, trace.Fill, trace.GraphBody}[s.choose(6)], BlocksPerSM: -1, Node: s.choose(4) == 0}
	name, collective := pick(s, soupKernels), trace.Collective{InElems: -1, OutElems: -1}
	if r.Kind == trace.Copy {
		name, r.Dir = "copy", []trace.Direction{trace.HtoD, trace.DtoH, trace.DtoD, trace.NoDirection}[s.choose(4)]
		r.Src, r.Dst = trace.MemKind(s.choose(5)), trace.MemKind(s.choose(5))
	} else if s.choose(6) == 0 {
		collective = trace.Collective{Name: "allreduce", Dtype: []string{"Float", ""}[s.choose(2)], InElems: int64(s.choose(1 << 22)), OutElems: -1, GroupSize: s.choose(3)}
	}
	return func(b *trace.Builder) {
		r := r
		r.Name, r.Collective = b.Names.Intern(name), b.Collective(collective)
		b.AddWork(r)
	}
}

// soupOptions picks what is looked at.
func soupOptions(s soup, t *times) timeline.Options {
	o := timeline.Options{Step: -1}
	switch s.choose(6) {
	case 0:
		o.Window = "gpu"
	case 1:
		o.Step = s.choose(5)
	case 2:
		from, to := t.span()
		o.Range = span.Span{Start: span.Time(from), End: span.Time(to)}
	case 3:
		o.Mark = "train"
	}
	return o
}

// bites is the bytes of a fuzzer as choices.
type bites struct{ data *[]byte }

func (b bites) choose(n int) int {
	v, size := 0, 1
	for ; size < n && len(*b.data) > 0; size <<= 8 {
		v = v<<8 | int((*b.data)[0])
		*b.data = (*b.data)[1:]
	}
	return v % n
}

func FuzzRun(f *testing.F) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{1, 20, 300, 2000} {
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<14 {
			return
		}
		events := len(data) / 10
		s := bites{&data}
		tm := &times{soup: s, length: 65_000_000, grid: []int64{1000, 50_000}[s.choose(2)]}
		opt := soupOptions(s, tm)
		measured(t, stir(s, events, tm).build(), opt, false)
	})
}
