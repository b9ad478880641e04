package detectors

import (
	"fmt"
	"strings"
	"testing"

	"perflint/detectors/timeline"
	"perflint/detectors/trace"
)

func TestWhatTheTraceIs(t *testing.T) {
	s := draw()
	s.Rank, s.WorldSize, s.HasEnv, s.Cut, s.HasShapes = 3, 8, true, true, true
	s.Credentials = []string{"TOKEN", "API_KEY"}
	s.Devices = []trace.Device{{ID: 0, Name: "NVIDIA H100", Major: 9, Minor: 0, Memory: 1000}, {ID: 1}}
	s.launch("a", 0, 1, 7, 10, 20)
	set := s.features(t)
	want{
		"trace.format": "kineto", "trace.gpu_name": "NVIDIA H100", "trace.gpu_cc": 9, "trace.rank": 3, "trace.world_size": 8, "trace.gpu_count": 1,
		"trace.gpu_listed_count": 2, "trace.activity_count": 1, "trace.launch_count": 1, "trace.gpu_absence": "present", "trace.has_ops": true,
		"trace.has_frames": false, "trace.has_shapes": true, "trace.has_memory": false, "trace.cut": true, "trace.has_environment": true,
	}.check(t, set)
	names := records(t, set, "trace.credential_names")
	if len(names) != 2 || names[0]["name"] != "API_KEY" || names[1]["name"] != "TOKEN" {
		t.Errorf("credentials %v", names)
	}
	s = draw()
	s.launch("a", 0, 1, 7, 10, 20)
	want{"trace.gpu_cc": nil, "trace.rank": nil, "trace.world_size": nil, "trace.gpu_name": ""}.check(t, s.features(t))
}

func TestLinksOfWork(t *testing.T) {
	s := draw()
	s.work("old", 0, 7, 0, 10) // the backlog is not own
	s.launch("a", 1, 2, 7, 20, 60)
	s.work("b", 0, 8, 50, 80)
	s.launch("c", 3, 4, 7, 90, 100)
	want{"trace.linked_frac": 2.0 / 3, "trace.unlinked_time_frac": 30.0 / 80, "trace.before_frac": 0.2}.check(t, s.features(t))
}

func TestLaunchesWithoutTheirWork(t *testing.T) {
	s := draw()
	s.launch("a", 0, 1, 7, 10, 20)
	s.call("cudaLaunchKernel", 2, 3)        // lost
	s.callOn(1, "cuLaunchKernel", 2.2, 2.8) // the same
	s.AddCall(trace.CallRow{Start: nanos(4), End: nanos(5), Corr: 999, Name: s.Names.Intern("cudaLaunchKernel"), Thread: s.thread(1), Failed: true})
	s.call("cudaStreamBeginCapture", 5.1, 5.2)
	s.call("cudaLaunchKernel", 5.3, 5.4)
	s.call("cudaStreamEndCapture", 5.5, 5.6)
	s.launch("b", 6, 7, 7, 20, 30)
	s.call("cudaLaunchKernel", 8, 9)      // after the last linked call of the thread: the capture had ended
	s.callOn(2, "cudaLaunchKernel", 1, 2) // of a thread of which nothing is linked
	want{"trace.launch_count": 7, "trace.captured_frac": 1.0 / 7, "trace.unlinked_launch_frac": 0.25}.check(t, s.features(t))
	s = draw()
	s.work("a", 0, 7, 10, 20)
	want{"trace.captured_frac": nil, "trace.unlinked_launch_frac": nil, "trace.linked_frac": 0}.check(t, s.features(t))
}

func TestWhyThereIsNoGPUWork(t *testing.T) {
	launches := func(s *sketch, n int) {
		for i := range n {
			s.call("cudaLaunchKernel", float64(i), float64(i)+0.5)
		}
	}
	for _, c := range []struct {
		want string
		draw func(s *sketch)
	}{
		{"present", func(s *sketch) { s.launch("a", 0, 1, 7, 10, 20) }},
		{"present", func(s *sketch) { launches(s, 98); s.launch("a", 200, 201, 7, 210, 220) }},
		{"not-recorded", func(s *sketch) { launches(s, 99); s.launch("a", 200, 201, 7, 210, 220) }}, // little work beside many launches
		{"not-recorded", func(s *sketch) { launches(s, 1) }},
		{"not-recorded", func(s *sketch) { s.call("cudaMemcpy", 0, 1); s.op("aten::to", 0, 2) }},
		{"nothing-launched", func(s *sketch) { s.call("cudaMalloc", 0, 1); s.HasOps = false; s.Devices = []trace.Device{{ID: 0}} }},
		{"captured", func(s *sketch) {
			s.call("cudaStreamBeginCapture", 0, 0.1)
			launches(s, 3)
			s.call("cudaStreamEndCapture", 5, 6)
		}},
		{"counters", func(s *sketch) { launches(s, 3); s.CounterRanges = 4 }},
		{"foreign-device", func(s *sketch) { s.op("aten::add", 0, 1); s.ForeignDevice, s.ForeignCount = "mtia", 5 }},
		{"no-cuda-tracing", func(s *sketch) { s.op("aten::add", 0, 1); s.NoCUDATables = true }},
		{"ran-on-cpu", func(s *sketch) { s.op("aten::add", 0, 1); s.Devices = []trace.Device{{ID: 0}} }},
		{"ran-on-cpu", func(s *sketch) { s.op("aten::add", 0, 1); s.call("cudaGetDeviceCount", 2, 3) }},
		{"no-gpu", func(s *sketch) { s.op("aten::add", 0, 1) }},
		{"no-events", func(s *sketch) { s.HasOps = false; s.Devices = []trace.Device{{ID: 0}} }},
	} {
		s := draw()
		c.draw(s)
		want{"trace.gpu_absence": c.want}.check(t, s.features(t))
	}
}

func TestTheCallThatTakesTheTimeBeforeTheWindow(t *testing.T) {
	s := draw()
	s.launch("slow", 0, 1200, 7, 1300, 1310)
	s.call("cudaMalloc", 1400, 4000)
	s.call("cudaMalloc", 4000, 4500) // short
	s.annotation("ProfilerStep#0", 5000, 6000)
	s.call("cudaMalloc", 5001, 9000) // inside it
	s.launch("b", 5100, 5110, 7, 5200, 5300)
	want{"trace.before_subject": "cudaMalloc", "trace.before_frac": (5000.0 - 1300) / (6000 - 1300)}.check(t, s.features(t))
}

func TestMissingInputs(t *testing.T) {
	found := func(s *sketch, opt ...timeline.Options) map[string]string {
		out := map[string]string{}
		for _, r := range records(t, s.features(t, opt...), "trace.missing_inputs") {
			out[r["input"].(string)] = r["features"].(string)
			if line := r["line"].(string); !strings.HasPrefix(line, "`torch.profiler.profile(") {
				t.Errorf("%s: %s", r["input"], line)
			}
		}
		return out
	}
	// All that this trace could have is there.
	s := steps(3, 100, func(*sketch, int, float64) {})
	s.HasFrames = true
	if got := found(s); len(got) != 0 {
		t.Errorf("got %v", got)
	}
	s = draw()
	s.HasOps = false
	s.work("a", 0, 7, 10, 20)
	got := found(s)
	for input, feature := range map[string]string{"host calls": "launch.count", "CPU ops": "steps.median_us"} {
		if !strings.Contains(got[input], feature) {
			t.Errorf("%s: %q does not name %s", input, got[input], feature)
		}
	}
	s = draw()
	s.call("cudaLaunchKernel", 0, 1)
	s.work("b", 0, 7, 30, 40)
	got = found(s)
	if _, ok := got["correlation ids, which link GPU work with its launching calls"]; !ok || got["host calls"] != "" {
		t.Errorf("without any link: %v", got)
	}
	s = draw()
	s.launch("a", 0, 1, 7, 10, 20)
	s.work("b", 0, 7, 30, 40)
	s.launch("a", 50, 51, 7, 60, 70)
	got = found(s)
	for _, input := range []string{"the launching calls of part of the GPU work", "Python frames", "step marks"} {
		if _, ok := got[input]; !ok {
			t.Errorf("%s is not among %v", input, got)
		}
	}
	s = draw()
	s.launch("a", 0, 1, 7, 10, 20)
	s.work("b", 0, 7, 500, 501) // short, but nobody knows what the time before it waited for
	s.launch("a", 502, 503, 7, 504, 510)
	if _, ok := found(s)["the launching calls of part of the GPU work"]; !ok {
		t.Errorf("idle time of unknown cause: %v", found(s))
	}
	s = draw()
	s.launch("a", 0, 1, 7, 10, 20)
	s.launch("a", 2, 3, 8, 60, 70)
	s.launch(allReduce, 4, 5, 8, 70, 90)
	got = found(s)
	for _, input := range []string{"the events that streams wait for", "sizes of collectives"} {
		if _, ok := got[input]; !ok {
			t.Errorf("%s is not among %v", input, got)
		}
	}
}

// An Nsight export gives no sizes of collectives however it is recorded: no option of nsys may promise them.
func TestNoOptionOfNsysIsNamedThatWouldNotHelp(t *testing.T) {
	for _, in := range inputs {
		if (in.nsys == "") != (in.options == "") {
			t.Errorf("%s: what records it in Nsight is %q, with the options %q", in.name, in.nsys, in.options)
		}
	}
	s := draw()
	s.Format = "nsys"
	s.launch("a", 0, 1, 7, 10, 20)
	s.launch(allReduce, 4, 5, 8, 70, 90)
	for _, r := range records(t, s.features(t), "trace.missing_inputs") {
		if r["input"] != "sizes of collectives" {
			continue
		}
		if text := fmt.Sprint(r["flag"], r["line"]); strings.Contains(text, "nsys") || !strings.Contains(text, "torch.profiler") {
			t.Errorf("sizes of collectives: %s", text)
		}
		return
	}
	t.Error("sizes of collectives are not missing")
}

func TestMemory(t *testing.T) {
	s := draw()
	s.Devices = []trace.Device{{ID: 0, Memory: 1000}}
	s.launch("a", 0, 1, 7, 10, 20)
	for _, m := range []trace.MemoryRow{
		{At: 5000, Device: 0, Allocated: 100, Reserved: 400}, {At: 6000, Device: 0, Allocated: 300, Reserved: 500}, {At: 7000, Device: 0, Allocated: 50, Reserved: 450},
		{At: 7000, Device: 1, Allocated: 900, Reserved: 900}, {At: 7000, Device: -1, Allocated: 9000, Reserved: 9000},
	} {
		s.AddMemory(m)
	}
	want{"memory.peak_allocated_bytes": 300, "memory.peak_reserved_bytes": 500, "memory.reserved_frac": 0.5}.check(t, s.features(t))
	s = draw()
	s.launch("a", 0, 1, 7, 10, 20)
	s.AddMemory(trace.MemoryRow{At: 5000, Device: 0, Allocated: -1, Reserved: 400})
	want{"memory.peak_allocated_bytes": nil, "memory.peak_reserved_bytes": 400, "memory.reserved_frac": nil}.check(t, s.features(t))
	s = draw()
	s.launch("a", 0, 1, 7, 10, 20)
	want{"memory.peak_allocated_bytes": nil, "memory.peak_reserved_bytes": nil, "memory.reserved_frac": nil}.check(t, s.features(t))
}
