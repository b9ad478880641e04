package detectors

import (
	"fmt"
	"testing"

	"perflint/detectors/span"
)

func TestIdleTimeByItsParts(t *testing.T) {
	s := draw()
	s.launch("a", 0, 1, 7, 10, 100)
	s.launch("b", 150, 160, 7, 170, 175)
	s.launch("c", 180, 185, 7, 300, 310)
	s.work("d", 0, 7, 330, 340)
	s.launch("e", 190, 191, 7, 341, 350)
	want{
		"gpu.window_us": 340, "gpu.idle_us": 216, "idle.gap_count": 3, "idle.longest_us": 125,
		"idle.host_late_us": 55, "idle.host_late_spans": []span.Span{us(100, 150), us(175, 180)}, "idle.host_late_frac": 55.0 / 340,
		"idle.launch_call_us": 15, "idle.launch_call_spans": []span.Span{us(150, 160), us(180, 185)},
		"idle.launch_latency_us": 60, "idle.launch_latency_spans": []span.Span{us(160, 170), us(185, 235)},
		"idle.device_wait_us": 65, "idle.device_wait_spans": []span.Span{us(235, 300)},
		"idle.unknown_us": 20, "idle.unknown_spans": []span.Span{us(310, 330)},
		"idle.micro_us": 1, "idle.micro_spans": []span.Span{us(340, 341)},
		"idle.paced_us": 70, "idle.paced_spans": []span.Span{us(100, 160), us(175, 185)},
		"idle.stream_wait_us": 0, "idle.outside_us": 65, // one stream: a dispatch gap
	}.check(t, s.features(t))
}

func TestPacedTimeIsThatOfGapsBelowAMillisecond(t *testing.T) {
	s := draw()
	s.launch("a", 0, 1, 7, 10, 100)
	s.launch("b", 1090, 1095, 7, 1099, 1199) // a gap of 999 µs
	s.launch("c", 2190, 2195, 7, 2199, 2299) // of 1000 µs
	want{"idle.gap_count": 2, "idle.paced_us": 995, "idle.longest_us": 1000}.check(t, s.features(t))
}

func TestSlowIssueIsPacedTimeWithNoOtherCause(t *testing.T) {
	for _, c := range []struct {
		name string
		draw func(s *sketch) // in the host-late time, 100 to 190 µs
		want float64
	}{
		{"an op", func(s *sketch) { s.op("aten::mm", 100, 190) }, 95},
		{"nothing that is recorded", func(s *sketch) {}, 95},
		{"a drain takes what it cost", func(s *sketch) { s.call("cudaStreamSynchronize", 70, 110) }, 55},
		{"an allocation", func(s *sketch) { s.call("cudaMalloc", 105, 185) }, 5},
		{"a loader", func(s *sketch) { s.annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 105, 185) }, 5},
		{"compilation", func(s *sketch) { s.annotation("triton.compile", 105, 185) }, 5},
		{"code loading", func(s *sketch) { s.call("cuModuleLoadData", 105, 185) }, 5},
		{"the profiler has the call too", func(s *sketch) { s.overhead("Buffer Flush", 105, 185) }, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := draw()
			s.launch("a", 0, 1, 7, 10, 100)
			c.draw(s)
			s.launch("b", 190, 195, 7, 200, 210)
			want{"idle.paced_us": 95, "idle.issue_us": c.want}.check(t, s.features(t))
		})
	}
}

func TestWhatSlowIssuePassesIn(t *testing.T) {
	s := draw()
	s.launch("a", 0, 1, 7, 10, 100)
	s.frame("train.py(7): step", 0, 1000)
	s.op("aten::add", 100, 130)
	s.op("aten::mm", 130, 196)
	s.launch("b", 190, 195, 7, 200, 300)
	s.op("aten::mm", 300, 396)
	s.launch("c", 380, 395, 7, 400, 410)
	set := s.features(t)
	got := records(t, set, "idle.issue_causes")
	if len(got) != 1 {
		t.Fatalf("%d records", len(got))
	}
	// Host-late 90 + 80, of which mm has most each time; inside the calls 5 + 15.
	checkRecord(t, got[0], want{"subject": "aten::mm", "frame": "step", "file": "train.py", "line": 7, "total_us": 190, "frac": 190.0 / 400,
		"spans": []span.Span{us(100, 195), us(300, 395)}})
}

// steps draws so many marks of a length in µs, each with a kernel over its first tenth, and what the function adds.
func steps(n int, length float64, more func(s *sketch, i int, at float64)) *sketch {
	s := draw()
	for i := range n {
		at := length * float64(i)
		s.annotation(fmt.Sprint("ProfilerStep#", i), at, at+length)
		s.launch("first", at, at+1, 7, at+length/100, at+length/10)
		more(s, i, at)
	}
	return s
}

func TestLongGaps(t *testing.T) {
	// Gaps in steps of 10 ms: from 1 ms to 2.5 ms every time, a second one up to the next step.
	work := func(s *sketch, i int, at float64) { s.launch("b", at+2450, at+2460, 7, at+2500, at+9500) }
	want{
		"steps.steady_count": 4, "steps.median_us": 10_000, "idle.long_us": 4 * 1450, "idle.long_frac": 5800.0 / 39_500,
		"gpu.window_us": 39_500, "idle.long_steps_frac": 1, "idle.longest_us": 1500, "idle.long_longest_us": 1450, "idle.longest_steps_ratio": 0.145,
	}.check(t, steps(4, 10_000, work).features(t))

	// In every second step only.
	set := steps(4, 10_000, func(s *sketch, i int, at float64) {
		if i%2 == 0 {
			work(s, i, at)
		} else {
			s.launch("b", at+5, at+6, 7, at+1000, at+9500)
		}
	}).features(t)
	want{"idle.long_us": 2 * 1450, "idle.long_steps_frac": 0.5}.check(t, set)

	// 2 % of steps of 100 ms are 2 ms: gaps of 1.5 ms are not long.
	want{"idle.long_us": 0, "idle.long_steps_frac": 0}.check(t, steps(3, 100_000, func(s *sketch, i int, at float64) {
		s.launch("b", at+11_400, at+11_410, 7, at+11_500, at+99_900)
	}).features(t))

	// The profiler's are not the job's.
	want{"idle.long_us": 0}.check(t, steps(4, 10_000, func(s *sketch, i int, at float64) {
		work(s, i, at)
		s.overhead("Buffer Flush", at+1000, at+2000)
	}).features(t))

	// Without two steady steps there is no share of them; the window stands for the step.
	s := draw()
	s.launch("a", 0, 1, 7, 0, 1000)
	s.launch("b", 2900, 2910, 7, 3000, 10_000)
	want{"idle.long_us": 1900, "idle.long_steps_frac": nil, "idle.longest_steps_ratio": 0.19}.check(t, s.features(t))

	// A longer gap in which the host is inside the launching call is none of the host's being late.
	s = draw()
	s.launch("a", 0, 1, 7, 0, 1000)
	s.launch("b", 2900, 2910, 7, 3000, 4000)
	s.launch("c", 4100, 9000, 7, 9010, 10_000)
	want{"idle.longest_us": 5010, "idle.long_longest_us": 1900, "idle.longest_steps_ratio": 0.19}.check(t, s.features(t))
}

// The capture begins before the first gap of the window and may have made it, and it ends in the last one.
func TestTheFirstAndTheLastGapProveNothingByThemselves(t *testing.T) {
	s := draw()
	s.annotation("ProfilerStep#1", 0, 20_000)
	s.launch("a", 4990, 4995, 7, 5000, 6000) // first gap: 5 ms
	s.launch("a", 7490, 7495, 7, 7500, 9000) // between: 1.5 ms
	s.op("aten::add", 9000, 15_000)          // last gap: 6 ms
	want{
		"gpu.window_us": 15_000, "idle.long_us": 4990 + 1490 + 6000, "idle.long_longest_us": 6000, "idle.longest_steps_ratio": 1490. / 15_000,
	}.check(t, s.features(t))
}

func TestWhoHoldsTheHostLongest(t *testing.T) {
	for _, c := range []struct {
		name string
		draw func(s *sketch) // two gaps: from 1 to 4 ms and from 5 to 10 ms
		want string
	}{
		{"a function", func(s *sketch) { s.frame("train.py(7): evaluate", 5000, 9900); s.op("aten::sum", 1000, 3900) }, "evaluate"},
		{"an op", func(s *sketch) { s.op("aten::sum", 5000, 9900) }, "aten::sum"},
		{"what passes in a function, not the function", func(s *sketch) {
			s.frame("train.py(7): main", 0, 9900)
			s.frame("<built-in function collect>", 5000, 9900)
		}, "<built-in function collect>"},
		{"nobody knows", func(s *sketch) { s.op("aten::sum", 1000, 3900) }, ""},
	} {
		s := draw()
		s.launch("a", 0, 1, 7, 0, 1000)
		s.launch("b", 3910, 3920, 7, 4000, 5000)
		s.launch("c", 9910, 9920, 7, 10_000, 11_000)
		c.draw(s)
		want{"idle.long_subject": c.want, "idle.long_longest_us": 4910}.check(t, s.features(t))
	}
}

func TestWarmupIsIdleTimeOfFirstUses(t *testing.T) {
	for _, c := range []struct {
		name string
		draw func(s *sketch) // in a gap from 100 to 5000 µs
		want float64
	}{
		{"nothing", func(s *sketch) {}, 0},
		{"code loading, however short", func(s *sketch) { s.call("cuModuleLoadData", 200, 210) }, 10},
		{"code loading that the driver reports", func(s *sketch) { s.overhead("Lazy Function Loading", 200, 230) }, 30},
		{"only where the GPU idles", func(s *sketch) { s.call("cuModuleLoadData", 50, 150) }, 50},
		{"compilation", func(s *sketch) { s.annotation("triton.compile", 200, 600) }, 400},
		{"compilation that Python frames show", func(s *sketch) { s.frame("torch/_dynamo/convert_frame.py(1060): _compile", 200, 600) }, 400},
		{"a long allocation", func(s *sketch) { s.call("cudaMalloc", 1000, 2000.001) }, 1000.001},
		{"an allocation of 1 ms", func(s *sketch) { s.call("cudaMalloc", 1000, 2000) }, 0},
		{"the making of a stream", func(s *sketch) { s.call("cudaStreamCreateWithFlags", 1000, 2500) }, 1500},
		{"the first launch of a kernel", func(s *sketch) { s.launch("new", 1000, 2000, 7, 4000, 4001) }, 1000},
		{"a shorter first launch", func(s *sketch) { s.launch("new", 1000, 1999, 7, 4000, 4001) }, 0},
		{"a later launch", func(s *sketch) { s.launch("a", 1000, 2000, 7, 4000, 4001) }, 0},
		{"twice at one time counts once", func(s *sketch) { s.call("cuModuleLoadData", 200, 300); s.overhead("Lazy Function Loading", 250, 320) }, 120},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := draw()
			s.launch("a", 0, 1, 7, 10, 100)
			c.draw(s)
			s.launch("a", 4900, 4910, 7, 5000, 5010)
			want{"idle.warmup_us": c.want}.check(t, s.features(t))
		})
	}
}

func TestGapRecords(t *testing.T) {
	s := draw()
	s.annotation("ProfilerStep#41", 0, 1000)
	s.launch("a", 0, 1, 7, 10, 100)
	s.frame("train.py(7): step", 100, 500)
	s.op("aten::mm", 180, 200)
	s.launch("b", 190, 195, 7, 200, 210)
	s.op("aten::add", 250, 460)
	s.launch("c", 260, 460, 7, 470, 480) // inside its call most of the time
	s.launch("d", 300, 301, 8, 580, 600) // queued, waits
	s.launch("e", 300, 301, 7, 510, 520)
	set := s.features(t)
	got := records(t, set, "idle.gaps")
	for i, fields := range []want{
		{"start_us": 210, "dur_us": 260, "kind": "launch-call", "cause": "launch", "subject": "cudaLaunchKernel", "op": "aten::add", "next": "c", "step": 41, "frame": "", "spans": []span.Span{us(210, 470)}},
		{"start_us": 100, "dur_us": 100, "kind": "host-late", "cause": "frame", "subject": "train.py(7): step", "op": "", "next": "b", "frame": "step", "file": "train.py", "line": 7},
		{"start_us": 520, "dur_us": 60, "kind": "device-wait", "cause": "outside", "op": "", "next": "d"},
		{"start_us": 480, "dur_us": 30, "kind": "device-wait", "cause": "outside", "next": "e"},
		{"start_us": 0, "dur_us": 10, "kind": "launch-latency", "cause": "unknown", "next": "a"},
	} {
		if i >= len(got) {
			t.Fatalf("%d records", len(got))
		}
		t.Run(fmt.Sprint(i), func(t *testing.T) { checkRecord(t, got[i], fields) })
	}
	if len(got) != 5 {
		t.Errorf("%d records", len(got))
	}
}

func TestTheWholeChainOfFunctionsIsKept(t *testing.T) {
	s := draw()
	s.launch("a", 0, 1, 7, 10, 100)
	s.frame("train.py(1): main", 0, 3000)
	s.frame("torch/nn/modules/module.py(3): _call_impl", 110, 2900)
	s.frame("data.py(2): resize", 150, 200) // a shorter call of the same function
	s.frame("data.py(9): load", 210, 1890)
	s.frame("data.py(2): resize", 220, 1880)
	s.frame("<built-in method zoom of module object at 0x1>", 230, 1870)
	s.launch("b", 1900, 1905, 7, 1910, 1990)
	for _, r := range records(t, s.features(t), "idle.causes") {
		if r["frame"] != "resize" {
			continue
		}
		if want := "train.py(1): main > torch/nn/modules/module.py(3): _call_impl > data.py(9): load > data.py(2): resize"; r["chain"] != want {
			t.Errorf("got %q, want %q", r["chain"], want)
		}
		return
	}
	t.Error("nobody is blamed")
}

func TestTheLongestGapsAreKept(t *testing.T) {
	s := draw()
	at := 0.0
	for i := range 500 {
		s.launch("a", at, at+1, 7, at+2, at+5)
		at += 10 + float64(i*37%250) // each length twice
	}
	r := records(t, s.features(t), "idle.gaps")
	if len(r) != 100 {
		t.Fatalf("%d gaps", len(r))
	}
	for i := range r[1:] {
		a, b := r[i], r[i+1]
		if a["dur_us"].(float64) < b["dur_us"].(float64) || a["dur_us"] == b["dur_us"] && a["start_us"].(float64) > b["start_us"].(float64) {
			t.Errorf("%v before %v", a, b)
		}
	}
	if r[0]["dur_us"] != 256. || r[99]["dur_us"] != 206. { // nothing follows the last one
		t.Errorf("from %v to %v", r[0]["dur_us"], r[99]["dur_us"])
	}
}
