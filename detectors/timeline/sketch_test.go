package timeline

import (
	"testing"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// sketch draws a trace of one process, times in µs. Time 0 is the first event, so times stay as they are drawn.
type sketch struct {
	*trace.Builder
	corr    int64
	process int64
	device  int32
}

func draw() *sketch {
	s := &sketch{Builder: trace.NewBuilder("kineto"), process: 1}
	s.HasOps = true
	s.AddMemory(trace.MemoryRow{Device: -1, Allocated: -1, Reserved: -1})
	return s
}

// thread is the main thread of the process, or another one by its number.
func (s *sketch) thread(number ...int64) int32 {
	if len(number) > 0 {
		return s.Thread(s.process, number[0])
	}
	return s.Thread(s.process, s.process)
}

// call draws a call and returns its correlation id.
func (s *sketch) call(th int32, name string, from, to float64) int64 {
	s.corr++
	s.AddCall(trace.CallRow{Start: nanos(from), End: nanos(to), Corr: s.corr, Name: s.Names.Intern(name), Thread: th})
	return s.corr
}

// kernel draws a kernel of a call; corr 0 is one whose call is not in the trace.
func (s *sketch) kernel(corr, stream int64, from, to float64) {
	s.named("gemm", corr, stream, from, to)
}

func (s *sketch) named(name string, corr, stream int64, from, to float64) {
	s.work(trace.WorkRow{Name: s.Names.Intern(name), Stream: stream, Bytes: -1, BlocksPerSM: -1}, corr, from, to)
}

// copied draws a copy of 1 MB from pinned host memory.
func (s *sketch) copied(corr, stream int64, from, to float64) {
	s.work(trace.WorkRow{Name: s.Names.Intern("Memcpy HtoD (Pinned -> Device)"), Stream: stream, Bytes: 1 << 20,
		Kind: trace.Copy, Dir: trace.HtoD, Src: trace.PinnedMem, Dst: trace.DeviceMem}, corr, from, to)
}

func (s *sketch) work(r trace.WorkRow, corr int64, from, to float64) {
	r.Start, r.End, r.Corr, r.Process, r.Device = nanos(from), nanos(to), corr, s.process, s.device
	if corr == 0 {
		r.Corr = -1
	}
	s.AddWork(r)
}

// launch draws a launch call and its kernel.
func (s *sketch) launch(th int32, from, to float64, stream int64, start, end float64) {
	s.kernel(s.call(th, "cudaLaunchKernel", from, to), stream, start, end)
}

func (s *sketch) ranges(th int32, kind trace.RangeKind, name string, from, to float64) {
	s.AddRange(trace.RangeRow{Start: nanos(from), End: nanos(to), Name: s.Names.Intern(name), Thread: th, Kind: kind})
}

func (s *sketch) op(th int32, name string, from, to float64) { s.ranges(th, trace.Op, name, from, to) }

func (s *sketch) annotation(th int32, name string, from, to float64) {
	s.ranges(th, trace.Annotation, name, from, to)
}

func (s *sketch) frame(th int32, name string, from, to float64) {
	s.ranges(th, trace.Frame, name, from, to)
}

func (s *sketch) overhead(name string, from, to float64) {
	s.AddOverhead(trace.OverheadRow{Start: nanos(from), End: nanos(to), Name: s.Names.Intern(name)})
}

// lane builds the trace and derives its first lane.
func (s *sketch) lane(t *testing.T, opt ...Options) *Lane {
	t.Helper()
	lanes := s.lanes(opt...)
	if len(lanes) == 0 {
		t.Fatal("no lane")
	}
	return lanes[0]
}

func (s *sketch) lanes(opt ...Options) []*Lane {
	o := Options{Step: -1}
	if len(opt) > 0 {
		o = opt[0]
	}
	return Lanes(s.Build(), o)
}

func nanos(us float64) int64 { return int64(us * 1000) }

func us(from, to float64) span.Span {
	return span.Span{Start: span.Time(nanos(from)), End: span.Time(nanos(to))}
}

func micros(spans ...span.Span) span.Set { return span.Union(spans) }
