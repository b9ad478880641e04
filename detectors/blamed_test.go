package detectors

import (
	"testing"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

const singleProcess = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"

func TestExposedLoading(t *testing.T) {
	s := draw()
	s.launch("a", 0, 1, 7, 10, 100)
	s.annotation(singleProcess, 80, 180) // 80 of it while the GPU waits
	s.frame("data.py(3): __getitem__", 85, 175)
	s.launch("b", 190, 195, 7, 200, 300)
	s.annotation(singleProcess, 210, 280) // hidden
	s.launch("c", 280, 281, 7, 300, 310)
	want{
		"loader.exposed_us": 80, "loader.exposed_spans": []span.Span{us(100, 180)}, "loader.exposed_frac": 80.0 / 300, "loader.single_process": true,
		"loader.range": singleProcess, "loader.frame": "__getitem__", "loader.file": "data.py", "loader.line": 3, "loader.outer": "",
	}.check(t, s.features(t))
}

// A loader may have a thread of its own: it costs what the launching thread waits for, and nothing behind other work of that.
func TestALoaderOnAThreadThatLaunchesNothing(t *testing.T) {
	for _, c := range []struct {
		name string
		main func(s *sketch)
		want float64
	}{
		{"the trace does not say what the launching thread does", func(s *sketch) {}, 80},
		{"it waits", func(s *sketch) {
			s.frame("train.py(1): main", 0, 300)
			s.frame("queue.py(154): get", 100, 185)
		}, 80},
		{"it waits for a short time", func(s *sketch) {
			s.frame("train.py(1): main", 0, 300)
			s.frame("queue.py(154): get", 100, 140)
		}, 0},
		{"it works", func(s *sketch) { s.annotation("metrics", 100, 185) }, 0},
		{"it works in a function", func(s *sketch) { s.frame("metrics.py(3): update", 100, 185) }, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := draw()
			s.launch("a", 0, 1, 7, 10, 100)
			c.main(s)
			s.AddRange(trace.RangeRow{Start: nanos(90), End: nanos(180), Name: s.Names.Intern(singleProcess), Thread: s.thread(5), Kind: trace.Annotation})
			s.launch("b", 190, 195, 7, 200, 300)
			want{"loader.exposed_us": c.want}.check(t, s.features(t))
		})
	}
}

func TestWithoutALoader(t *testing.T) {
	s := draw()
	s.launch("a", 0, 1, 7, 10, 100)
	want{"loader.exposed_us": 0, "loader.single_process": false, "loader.range": "", "loader.frame": "", "loader.line": 0}.check(t, s.features(t))
	s = draw()
	s.HasOps = false
	s.launch("a", 0, 1, 7, 10, 100)
	want{"loader.exposed_us": nil, "loader.exposed_spans": nil, "loader.single_process": nil, "loader.frame": nil}.check(t, s.features(t))
}

func TestTheLoaderWithMostTimeNamesTheRange(t *testing.T) {
	s := draw()
	s.launch("a", 0, 1, 7, 10, 1000)
	s.annotation("load_data", 20, 60)
	s.annotation("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 100, 200)
	s.annotation(singleProcess, 300, 350)
	want{"loader.range": "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", "loader.single_process": false}.check(t, s.features(t))
}

func TestCostsThatASteadyStepShouldNotHave(t *testing.T) {
	s := draw()
	s.launch("a", 0, 1, 7, 10, 100)
	s.op("aten::empty", 100, 190)
	s.call("cudaMalloc", 105, 185)
	s.callOn(1, "cuMemAlloc", 106, 184) // under the runtime call before it
	s.launch("b", 190, 195, 7, 200, 300)
	s.annotation("triton.compile", 300, 390)
	s.launch("c", 390, 392, 7, 400, 500)
	s.launch("d", 505, 1510, 7, 1520, 1600) // the first of its kernel's name takes a millisecond
	s.annotation("gc.collect", 1600, 1690)
	s.launch("a", 1690, 1695, 7, 1700, 1800)
	s.call("cudaMalloc", 1750, 1760) // hidden
	s.annotation("Optimizer.zero_grad#SGD.zero_grad", 1800, 1895)
	s.op("aten::zero_", 1885, 1894)
	s.launch("fill", 1890, 1893, 7, 1900, 1910)
	s.launch("a", 1900, 1901, 7, 1910, 2010)
	want{
		"alloc.count": 2, "alloc.exposed_us": 90, "alloc.call": "cudaMalloc", "alloc.exposed_spans": []span.Span{us(100, 190)},
		"jit.exposed_us": 90 + 1005, "jit.subject": "cudaLaunchKernel", "jit.exposed_spans": []span.Span{us(300, 390), us(505, 1510)},
		"gc.exposed_us": 90, "gc.exposed_spans": []span.Span{us(1600, 1690)},
		"zero_grad.exposed_us": 90, "zero_grad.total_us": 90 + 3 + 10, "zero_grad.count": 1, "zero_grad.total_spans": []span.Span{us(1800, 1893), us(1900, 1910)},
	}.check(t, s.features(t))
	s = draw()
	s.launch("a", 0, 1, 7, 10, 100)
	want{"alloc.count": 0, "alloc.exposed_us": 0, "alloc.call": "", "jit.subject": "", "gc.exposed_us": 0, "zero_grad.total_us": 0, "zero_grad.count": 0}.check(t, s.features(t))
}
