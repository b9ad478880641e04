package detectors

import (
	"testing"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
	"perflint/detectors/trace"
)

// sketch draws a trace of one process on one GPU, times in µs. Time 0 is the first event, so times stay as they are drawn.
type sketch struct {
	*trace.Builder
	corr int64
}

func draw() *sketch {
	s := &sketch{Builder: trace.NewBuilder("kineto")}
	s.HasOps = true
	s.AddMemory(trace.MemoryRow{Device: -1, Allocated: -1, Reserved: -1})
	return s
}

// thread is a thread by its number; 1 is the main thread.
func (s *sketch) thread(number int64) int32 { return s.Thread(1, number) }

// call draws a call on the main thread and returns its correlation id.
func (s *sketch) call(name string, from, to float64) int64 { return s.callOn(1, name, from, to) }

func (s *sketch) callOn(thread int64, name string, from, to float64) int64 {
	s.corr++
	s.AddCall(trace.CallRow{Start: nanos(from), End: nanos(to), Corr: s.corr, Name: s.Names.Intern(name), Thread: s.thread(thread)})
	return s.corr
}

// work draws a kernel, copy or fill of a call; corr 0 is one whose call is not in the trace.
func (s *sketch) work(name string, corr, stream int64, from, to float64, more ...func(*trace.WorkRow)) {
	r := trace.WorkRow{Start: nanos(from), End: nanos(to), Corr: corr, Process: 1, Stream: stream, Name: s.Names.Intern(name), Bytes: -1, BlocksPerSM: -1}
	if corr == 0 {
		r.Corr = -1
	}
	for _, change := range more {
		change(&r)
	}
	s.AddWork(r)
}

// launch draws a launch call on the main thread and its kernel.
func (s *sketch) launch(name string, from, to float64, stream int64, start, end float64, more ...func(*trace.WorkRow)) {
	s.work(name, s.call("cudaLaunchKernel", from, to), stream, start, end, more...)
}

// copied makes a row a copy.
func copied(dir trace.Direction, host trace.MemKind, bytes int64) func(*trace.WorkRow) {
	return func(r *trace.WorkRow) {
		r.Kind, r.Dir, r.Src, r.Dst, r.Bytes = trace.Copy, dir, host, trace.DeviceMem, bytes
		if dir == trace.DtoH {
			r.Src, r.Dst = trace.DeviceMem, host
		}
	}
}

func (s *sketch) ranges(kind trace.RangeKind, name string, from, to float64) {
	s.AddRange(trace.RangeRow{Start: nanos(from), End: nanos(to), Name: s.Names.Intern(name), Thread: s.thread(1), Kind: kind})
}

func (s *sketch) op(name string, from, to float64) { s.ranges(trace.Op, name, from, to) }

func (s *sketch) annotation(name string, from, to float64) {
	s.ranges(trace.Annotation, name, from, to)
}

func (s *sketch) frame(name string, from, to float64) { s.ranges(trace.Frame, name, from, to) }

func (s *sketch) overhead(name string, from, to float64) {
	s.AddOverhead(trace.OverheadRow{Start: nanos(from), End: nanos(to), Name: s.Names.Intern(name)})
}

// features measures the first lane.
func (s *sketch) features(t *testing.T, opt ...timeline.Options) *feature.Set {
	t.Helper()
	o := timeline.Options{Step: -1}
	if len(opt) > 0 {
		o = opt[0]
	}
	set := Run(timeline.Lanes(s.Build(), o)[0], Schema())
	for _, p := range set.Problems() {
		t.Error(p)
	}
	return set
}

func nanos(us float64) int64 { return int64(us * 1000) }

func us(from, to float64) span.Span {
	return span.Span{Start: span.Time(nanos(from)), End: span.Time(nanos(to))}
}

// want is features with what they must be. A nil must be missing, whatever the reason.
type want map[string]any

func (w want) check(t *testing.T, set *feature.Set) {
	t.Helper()
	for name, expected := range w {
		if _, declared := set.Schema().Lookup(name); !declared {
			t.Errorf("%s is no feature", name)
		}
		got, measured := set.Get(name)
		switch {
		case expected == nil && measured:
			t.Errorf("%s: got %v, want it missing", name, got)
		case expected == nil:
		case !measured:
			t.Errorf("%s is missing (%s), want %v", name, set.Reason(name), expected)
		case !equal(got, expected):
			t.Errorf("%s: got %v, want %v", name, got, expected)
		}
	}
}

// equal compares a value with what is written for it: numbers of either type, intervals with a slice of them.
func equal(got, expected any) bool {
	number := func(v any) (float64, bool) {
		switch v := v.(type) {
		case int:
			return float64(v), true
		case int64:
			return float64(v), true
		case float64:
			return v, true
		}
		return 0, false
	}
	if a, ok := number(got); ok {
		b, ok := number(expected)
		return ok && a-b < 1e-9 && b-a < 1e-9
	}
	if a, ok := got.(span.Set); ok {
		b := span.Union(append([]span.Span(nil), expected.([]span.Span)...))
		return a.Total() == b.Total() && a.And(b).Total() == a.Total()
	}
	return got == expected
}

// records is the records of a list feature.
func records(t *testing.T, set *feature.Set, name string) []feature.Record {
	t.Helper()
	v, ok := set.Get(name)
	if !ok {
		t.Fatalf("%s is missing: %s", name, set.Reason(name))
	}
	return v.([]feature.Record)
}

// checkRecord compares some fields of a record; a nil field must be absent.
func checkRecord(t *testing.T, r feature.Record, fields want) {
	t.Helper()
	for name, expected := range fields {
		got, ok := r[name]
		switch {
		case expected == nil && ok:
			t.Errorf("%s: got %v, want it absent", name, got)
		case expected != nil && (!ok || !equal(got, expected)):
			t.Errorf("%s: got %v, want %v", name, got, expected)
		}
	}
}
