package detectors

import (
	"fmt"
	"testing"

	"perflint/detectors/timeline"
	"perflint/detectors/trace"
)

// shape is a large trace of one kind; n is the number of launches.
type shape struct {
	name string
	n    int
	draw func(b *trace.Builder, n int)
}

// loopOf draws n launches 20 µs apart on a thread, each with a kernel of 8 µs that starts when its call ends, in an op.
func loopOf(b *trace.Builder, pid, tid int64, n int, kernel func(i int) trace.WorkRow) {
	th, launch := b.Thread(pid, tid), b.Names.Intern("cudaLaunchKernel")
	op := b.Names.Intern("aten::mm")
	for i := range n {
		at := int64(i) * 20_000
		corr := int64(b.Rows())
		b.AddRange(trace.RangeRow{Start: at, End: at + 12_000, Name: op, Thread: th, Kind: trace.Op})
		b.AddCall(trace.CallRow{Start: at + 5000, End: at + 10_000, Corr: corr, Name: launch, Thread: th})
		r := kernel(i)
		r.Start, r.End, r.Corr, r.Process, r.Bytes, r.BlocksPerSM = at+11_000, at+19_000, corr, pid, -1, -1
		b.AddWork(r)
	}
}

func plainKernel(b *trace.Builder) func(int) trace.WorkRow {
	name := b.Names.Intern("gemm")
	return func(int) trace.WorkRow { return trace.WorkRow{Name: name, Stream: 7} }
}

func annotate(b *trace.Builder, name string, from, to int64) {
	b.AddRange(trace.RangeRow{Start: from, End: to, Name: b.Names.Intern(name), Thread: b.Thread(1, 1), Kind: trace.Annotation})
}

var shapes = []shape{
	{"gaps and ranges", 100_000, func(b *trace.Builder, n int) {
		loopOf(b, 1, 1, n, plainKernel(b))
		inner := b.Names.Intern("aten::inner")
		for i := range n {
			for k := range int64(9) {
				b.AddRange(trace.RangeRow{Start: int64(i)*20_000 + 100*k, End: int64(i)*20_000 + 5000 - 100*k, Name: inner, Thread: b.Thread(1, 1), Kind: trace.Op})
			}
		}
	}},
	{"deep Python", 10_000, func(b *trace.Builder, n int) {
		loopOf(b, 1, 1, n, plainKernel(b))
		for depth := range int64(100) {
			name := b.Names.Intern(fmt.Sprintf("train.py(%d): f", depth))
			for i := range n {
				b.AddRange(trace.RangeRow{Start: int64(i)*20_000 + depth, End: int64(i)*20_000 + 19_000 - depth, Name: name, Thread: b.Thread(1, 1), Kind: trace.Frame})
			}
		}
	}},
	{"long gaps in deep Python", 1000, func(b *trace.Builder, n int) {
		name, leaf := b.Names.Intern("train.py(1): f"), b.Names.Intern("data.py(2): g")
		th := b.Thread(1, 1)
		for i := range n {
			at := int64(i) * 3_000_000
			for depth := range int64(50) {
				b.AddRange(trace.RangeRow{Start: at + depth, End: at + 2_900_000 - depth, Name: name, Thread: th, Kind: trace.Frame})
			}
			for k := range int64(1000) {
				b.AddRange(trace.RangeRow{Start: at + 1000 + 2000*k, End: at + 2900 + 2000*k, Name: leaf, Thread: th, Kind: trace.Frame})
			}
			b.AddCall(trace.CallRow{Start: at + 2_100_000, End: at + 2_105_000, Corr: int64(i), Name: b.Names.Intern("cudaLaunchKernel"), Thread: th})
			b.AddWork(trace.WorkRow{Start: at + 2_110_000, End: at + 2_900_000, Corr: int64(i), Process: 1, Name: leaf, Bytes: -1})
		}
	}},
	{"steps", 100_000, func(b *trace.Builder, n int) {
		loopOf(b, 1, 1, n, plainKernel(b))
		for i := range n / 10 {
			annotate(b, fmt.Sprint("ProfilerStep#", i), int64(i)*200_000, int64(i+1)*200_000)
		}
	}},
	{"names", 100_000, func(b *trace.Builder, n int) {
		loopOf(b, 1, 1, n, func(i int) trace.WorkRow {
			return trace.WorkRow{Name: b.Names.Intern(fmt.Sprintf("void lib::kernel<cutlass_%d, 4>(int)", i%10_000)), Stream: 7}
		})
		for i := range n {
			at := int64(i) * 20_000
			annotate(b, fmt.Sprint("range ", i%10_000), at, at+13_000)
			b.AddRange(trace.RangeRow{Start: at + 1, End: at + 4000, Name: b.Names.Intern(fmt.Sprintf("m%d.py(1): f", i%10_000)), Thread: b.Thread(1, 1), Kind: trace.Frame})
		}
	}},
	{"annotations around one another", 100_000, func(b *trace.Builder, n int) {
		loopOf(b, 1, 1, n, plainKernel(b))
		for i := range n / 100 {
			for depth := range int64(100) {
				annotate(b, fmt.Sprint("level ", depth), int64(i)*2_000_000+depth, int64(i+1)*2_000_000-depth)
			}
		}
	}},
	{"streams", 100_000, func(b *trace.Builder, n int) {
		name := b.Names.Intern("gemm")
		loopOf(b, 1, 1, n, func(i int) trace.WorkRow { return trace.WorkRow{Name: name, Stream: int64(i % 100)} })
	}},
	{"threads", 100_000, func(b *trace.Builder, n int) {
		for th := range int64(100) {
			loopOf(b, 1, th, n/100, plainKernel(b))
		}
	}},
	{"lanes", 100_000, func(b *trace.Builder, n int) {
		name := b.Names.Intern("gemm")
		for p := range int64(64) {
			loopOf(b, p+1, p+1, n/64, func(int) trace.WorkRow { return trace.WorkRow{Name: name, Stream: 7, Device: int32(p)} })
		}
	}},
	{"lanes of one process", 100_000, func(b *trace.Builder, n int) {
		name := b.Names.Intern("gemm")
		loopOf(b, 1, 1, n, func(i int) trace.WorkRow { return trace.WorkRow{Name: name, Stream: 7, Device: int32(i % 64)} })
	}},
	{"synchronisations", 100_000, func(b *trace.Builder, n int) {
		loopOf(b, 1, 1, n, plainKernel(b))
		sync := b.Names.Intern("cudaStreamSynchronize")
		for i := range n {
			at := int64(i) * 20_000
			b.AddCall(trace.CallRow{Start: at + 12_000, End: at + 19_500, Corr: -1, Name: sync, Thread: b.Thread(1, 1)})
			b.AddWait(trace.WaitRow{Start: at + 12_000, End: at + 19_500, Corr: -1, Kind: trace.StreamWaitEvent, Stream: 7, OnStream: 8})
		}
	}},
	{"one gap of many names", 1_000_000, func(b *trace.Builder, n int) {
		loopOf(b, 1, 1, 1, plainKernel(b))
		for i := range n {
			at := 100_000 + int64(i)*1000
			b.AddRange(trace.RangeRow{Start: at, End: at + 900, Name: b.Names.Intern(fmt.Sprint("op ", i%10_000)), Thread: b.Thread(1, 1), Kind: trace.Op})
		}
		b.AddCall(trace.CallRow{Start: 200_000 + int64(n)*1000, End: 201_000 + int64(n)*1000, Corr: 9, Name: b.Names.Intern("cudaLaunchKernel"), Thread: b.Thread(1, 1)})
		b.AddWork(trace.WorkRow{Start: 210_000 + int64(n)*1000, End: 211_000 + int64(n)*1000, Corr: 9, Process: 1, Bytes: -1, Stream: 7})
	}},
	{"ranges that do not nest", 100_000, func(b *trace.Builder, n int) {
		loopOf(b, 1, 1, n, plainKernel(b))
		request := b.Names.Intern("request")
		for i := range n {
			b.AddRange(trace.RangeRow{Start: int64(i) * 20_000, End: int64(i)*20_000 + 30_000, Name: request, Thread: b.Thread(1, 1), Kind: trace.Open})
		}
	}},
	{"one graph launch", 100_000, func(b *trace.Builder, n int) {
		loopOf(b, 1, 1, 1, plainKernel(b))
		for i := range n {
			at := 20_000 + int64(i)*20_000
			b.AddWork(trace.WorkRow{Start: at, End: at + 10_000, Corr: 1, Process: 1, Name: b.Names.Intern("node"), Stream: int64(i % 3), Bytes: -1})
		}
	}},
}

// BenchmarkMeasure is the whole analysis of traces of many shapes, at a quarter of their size and in full: what is linear takes
// four times as long.
func BenchmarkMeasure(b *testing.B) {
	schema := Schema()
	for _, s := range shapes {
		for _, part := range []int{4, 1} {
			b.Run(fmt.Sprintf("%s/%d", s.name, s.n/part), func(b *testing.B) {
				builder := trace.NewBuilder("nsys")
				builder.HasOps = true
				s.draw(builder, s.n/part)
				rows := builder.Rows()
				tr := builder.Build()
				for b.Loop() {
					for _, l := range timeline.Lanes(tr, timeline.Options{Step: -1}) {
						if p := Run(l, schema).Problems(); len(p) > 0 {
							b.Fatal(p)
						}
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/row")
			})
		}
	}
}
