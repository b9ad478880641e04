package kineto

import (
	"strings"
	"testing"

	"perflint/detectors/trace"
)

// read reads a text that must be a trace.
func read(t *testing.T, text string) *trace.Trace {
	t.Helper()
	got, err := Read(strings.NewReader(text), Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return got
}

// events reads a trace of these events.
func events(t *testing.T, list ...string) *trace.Trace {
	t.Helper()
	return read(t, `{"schemaVersion": 1, "traceEvents": [`+strings.Join(list, ",\n")+`]}`)
}

func noted(t *testing.T, got *trace.Trace, code, part string) {
	t.Helper()
	for _, n := range got.Notes {
		if n.Code == code && strings.Contains(n.Text, part) {
			return
		}
	}
	t.Errorf("no note %s %q in %q", code, part, got.Notes)
}

func silent(t *testing.T, got *trace.Trace) {
	t.Helper()
	if len(got.Notes) > 0 {
		t.Errorf("notes: %q", got.Notes)
	}
}

const (
	launch = `{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": 1.5, "dur": 2, "args": {"External id": 3, "cbid": 211, "correlation": 7}}`
	kernel = `{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 13, "ts": 5.250, "dur": 10, "args": {"queued": 0, "device": 0, "context": 1, "stream": 13, "correlation": 7, "blocks per SM": 1.5, "grid": [4, 3, 2], "block": [32, 2, 1]}}`
)

func TestKernelIsLinkedToItsLaunch(t *testing.T) {
	got := events(t, kernel, launch)
	silent(t, got)
	w := &got.Work
	if w.Len() != 1 || w.Start[0] != 3750 || w.End[0] != 13750 || got.Origin != 1500 {
		t.Fatalf("times: %v %v, origin %d", w.Start, w.End, got.Origin)
	}
	if w.Kind[0] != trace.Kernel || w.Device(0) != 0 || w.Blocks(0) != 24 || w.Threads(0) != 64 || w.BlocksPerSM(0) != 1.5 || w.Bytes(0) != -1 {
		t.Errorf("kernel: %+v", *w)
	}
	if s := got.Streams[w.Stream[0]]; s != (trace.Stream{Process: 9, Context: 1, Number: 13}) {
		t.Errorf("stream %+v", s)
	}
	if w.Call[0] != 0 || got.Calls.Work[0] != 0 || got.Calls.Several[0] || w.Process(0) != 9 {
		t.Errorf("link: %v %v", w.Call, got.Calls.Work)
	}
	if th := got.Threads[got.Calls.Thread[0]]; th.PID != 9 || th.TID != 9 {
		t.Errorf("thread %+v", th)
	}
}

func TestCategories(t *testing.T) {
	at := `"pid": 1, "tid": 2, "ts": 10, "dur": 1`
	for _, c := range []struct{ cat, name, want string }{
		{"kernel", "k", "kernel"}, {"Kernel", "k", "kernel"}, {"KERNEL", "k", "kernel"},
		{"gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", "copy"}, {"Memcpy", "Memcpy DtoD (Device -> Device)", "copy"},
		{"gpu_memset", "Memset (Device)", "fill"}, {"Memset", "Memset (Device)", "fill"},
		{"kernel", "__amd_rocclr_copyBuffer.kd", "copy"}, {"kernel", "__amd_rocclr_fillBufferAligned.kd", "fill"},
		{"kernel", "MEMORY_COPY_HOST_TO_DEVICE", "copy"}, {"kernel", "__amd_rocclr_gwsInit", "kernel"},
		{"cuda_runtime", "hipLaunchKernel", "call"}, {"cuda_driver", "cuLaunchKernel", "call"}, {"Runtime", "cudaMalloc", "call"},
		{"xpu_runtime", "zeX", "call"}, {"xpu_driver", "zeX", "call"},
		{"cpu_op", "aten::add", "op"}, {"Operator", "aten::add", "op"},
		{"Operator", "ProfilerStep#7", "annotation"}, {"Operator", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "annotation"},
		{"Operator", "Optimizer.step#SGD.step", "annotation"}, {"cpu_op", "nccl:all_reduce", "annotation"},
		{"Operator", "[param|pytorch.model.alex_net|0|0|0|measure|forward]", "annotation"},
		{"user_annotation", "ProfilerStep#7", "annotation"}, {"python_function", "a.py(1): f", "frame"},
		{"cuda_sync", "Stream Sync", "wait"}, {"overhead", "Buffer Flush", "overhead"},
		{"gpu_user_annotation", "ProfilerStep#7", ""}, {"Trace", "PyTorch Profiler (0)", ""}, {"cuda_profiler_range", "k", ""},
		{"mtia_ccp_events", "pe_exe", ""}, {"fantasy", "x", ""}, {"", "x", ""},
	} {
		got := events(t, `{"ph": "X", "cat": "`+c.cat+`", "name": "`+c.name+`", `+at+`}`)
		if kind := only(got); kind != c.want {
			t.Errorf("%s %s: %q, want %q", c.cat, c.name, kind, c.want)
		}
	}
}

// only names the one row of a trace.
func only(t *trace.Trace) string {
	switch {
	case t.Work.Len() == 1:
		return [...]string{"kernel", "copy", "fill", "graph"}[t.Work.Kind[0]]
	case t.Calls.Len() == 1:
		return "call"
	case t.Ranges.Len() == 1:
		return [...]string{"op", "annotation", "frame"}[t.Ranges.Kind[0]]
	case len(t.Waits.Start) == 1:
		return "wait"
	case len(t.Overheads.Start) == 1:
		return "overhead"
	case len(t.Memory.At) == 1:
		return "memory"
	}
	return ""
}

func TestCopiesTellDirectionAndMemory(t *testing.T) {
	for _, c := range []struct {
		name, args string
		dir        trace.Direction
		src, dst   trace.MemKind
		bytes      int64
	}{
		{"Memcpy HtoD (Pageable -> Device)", `"bytes": 64, "memory bandwidth (GB/s)": 0.395`, trace.HtoD, trace.PageableMem, trace.DeviceMem, 64},
		{"Memcpy HtoD (Pinned -> Device)", `"bytes": 0`, trace.HtoD, trace.PinnedMem, trace.DeviceMem, 0},
		{"Memcpy DtoH (Device -> Pageable)", `"bytes": 1e3`, trace.DtoH, trace.DeviceMem, trace.PageableMem, 1000},
		{"Memcpy DtoH (Device -> Host)", `"kind": "DtoH"`, trace.DtoH, trace.DeviceMem, trace.HostMem, -1},
		{"Memcpy DtoD (Device -> Device)", `"bytes": "128"`, trace.DtoD, trace.DeviceMem, trace.DeviceMem, 128},
		{"Memcpy PtoP (Device -> Device)", ``, trace.PtoP, trace.DeviceMem, trace.DeviceMem, -1},
		{"Memcpy HtoD (Managed -> Array)", ``, trace.HtoD, trace.ManagedMem, trace.ArrayMem, -1},
		{"Memcpy M2D (MEMORY -> DEVICE)", `"context": "0x55f0a3"`, trace.HtoD, trace.UnknownMem, trace.DeviceMem, -1},
		{"CopyHostToDevice", ``, trace.HtoD, 0, 0, -1},
		{"copy", `"kind": "DtoH"`, trace.DtoH, 0, 0, -1},
		{"Memcpy UNKN (Unknown -> Unknown)", ``, trace.NoDirection, 0, 0, -1},
	} {
		w := &events(t, `{"ph":"X","cat":"gpu_memcpy","name":"`+c.name+`","pid":0,"tid":7,"ts":1,"dur":1,"args":{`+c.args+`}}`).Work
		if w.Dir(0) != c.dir || w.Src(0) != c.src || w.Dst(0) != c.dst || w.Bytes(0) != c.bytes {
			t.Errorf("%s: direction %d, %d to %d, %d bytes", c.name, w.Dir(0), w.Src(0), w.Dst(0), w.Bytes(0))
		}
	}
	w := &events(t, `{"ph":"X","cat":"kernel","name":"MEMORY_COPY_DEVICE_TO_HOST","pid":0,"tid":7,"ts":1,"dur":1,"args":{"bytes":3}}`).Work
	if w.Dir(0) != trace.DtoH || w.Bytes(0) != -1 {
		t.Errorf("copy in a kernel's clothes: %v %v", w.Dir(0), w.Bytes(0))
	}
}

func TestCallNamesLoseTheirVersion(t *testing.T) {
	for name, want := range map[string]string{
		"cudaLaunchKernel_v7000": "cudaLaunchKernel", "cudaMemcpyAsync_v3020_ptsz": "cudaMemcpyAsync", "cuMemcpyHtoD_v2": "cuMemcpyHtoD",
		"cudaStreamSynchronize_ptsz": "cudaStreamSynchronize", "cuLaunchKernel": "cuLaunchKernel", "my_vector": "my_vector", "f_v": "f_v",
		"cuMemcpyHtoDAsync_v2_ptds": "cuMemcpyHtoDAsync", "": "",
	} {
		got := events(t, `{"ph":"X","cat":"cuda_driver","name":"`+name+`","pid":1,"tid":1,"ts":1,"dur":1}`)
		if have := got.Names.String(got.Calls.Name[0]); have != want {
			t.Errorf("%s: %q, want %q", name, have, want)
		}
	}
}

func TestPidsAndTidsOfAnySpelling(t *testing.T) {
	for _, c := range []struct {
		tid  string
		want int64
	}{
		{`7`, 7}, {`"7"`, 7}, {`"stream 7"`, 7}, {`"4093687616"`, 4093687616}, {`-1`, -1}, {`"-1"`, -1}, {`"0x1f"`, 31},
		{`"Trace PyTorch Profiler"`, textID([]byte("Trace PyTorch Profiler"))}, {`""`, textID(nil)}, {`null`, 0}, {`7.0`, 7},
		{`"123456789012345678"`, textID([]byte("123456789012345678"))},
	} {
		w := events(t, `{"ph":"X","cat":"Kernel","name":"k","pid":1,"tid":`+c.tid+`,"ts":1,"dur":1}`)
		if got := w.Streams[0].Number; got != c.want {
			t.Errorf("stream %s: %d, want %d", c.tid, got, c.want)
		}
		h := events(t, `{"ph":"X","cat":"Operator","name":"k","pid":`+c.tid+`,"tid":`+c.tid+`,"ts":1,"dur":1}`)
		if got := h.Threads[0]; got.TID != c.want || got.PID != c.want {
			t.Errorf("thread %s: %v, want %d", c.tid, got, c.want)
		}
	}
	if a, b := textID([]byte("a")), textID([]byte("b")); a == b || a >= -1 || b >= -1 {
		t.Errorf("ids of texts: %d %d", a, b)
	}
}

func TestArgumentsTellTheDeviceBeforeThePid(t *testing.T) {
	got := events(t, `{"ph":"X","cat":"kernel","name":"k","pid":14646,"tid":99,"ts":1,"dur":1,"args":{"device":3,"stream":20}}`)
	if got.Work.Device(0) != 3 || got.Streams[0].Number != 20 {
		t.Errorf("device %d, stream %d", got.Work.Device(0), got.Streams[0].Number)
	}
	host := events(t, `{"ph":"X","cat":"cpu_op","name":"k","pid":2,"tid":2,"ts":1,"dur":1}`)
	if host.Work.Len() != 0 || host.Threads[0].PID != 2 {
		t.Error("a host process with a small pid is no GPU")
	}
}

func TestWaitsAreNoWork(t *testing.T) {
	wait := func(args, tid string) trace.Waits {
		got := events(t, `{"ph":"X","cat":"cuda_sync","name":"Stream Sync","pid":1,"tid":`+tid+`,"ts":1,"dur":1,"args":{"correlation":7,"device":1`+args+`}}`, launch)
		if got.Work.Len() != 0 {
			t.Fatal("a wait became work")
		}
		return got.Waits
	}
	w := wait(`,"cuda_sync_kind":"Stream Wait Event","stream":7,"wait_on_stream":20`, "7")
	if w.Kind[0] != trace.StreamWaitEvent || w.Stream[0] != 7 || w.OnStream[0] != 20 || w.Device[0] != 1 || w.Call[0] != 0 {
		t.Errorf("%+v", w)
	}
	if w = wait("", "1000007"); w.Stream[0] != 7 || w.OnStream[0] != -1 || w.Kind[0] != trace.StreamSync {
		t.Errorf("the row of new files: %+v", w)
	}
	if w = wait(`,"cuda_sync_kind":"Context Sync","stream":4294967295`, "-1"); w.Stream[0] != -1 || w.Kind[0] != trace.ContextSync {
		t.Errorf("no stream: %+v", w)
	}
	if w = wait(`,"cuda_sync_kind":"Event Sync","stream":-1`, "1"); w.Stream[0] != -1 || w.Kind[0] != trace.EventSync {
		t.Errorf("no stream: %+v", w)
	}
}

func TestMemoryEventsOfAllYears(t *testing.T) {
	got := events(t,
		`{"ph":"i","cat":"cpu_instant_event","s":"t","name":"[memory]","pid":1,"tid":1,"ts":5,"args":{"Bytes":-512,"Total Allocated":1024,"Total Reserved":2048,"Addr":12,"Device Type":1,"Device Id":1}}`,
		`{"ph":"i","s":"t","name":"[memory]","pid":1,"tid":"1","ts":6,"args":{"Device Type":0,"Device Id":-1,"Bytes":4}}`,
		`{"name":"Iteration Start: PyTorch Profiler","ph":"i","s":"g","pid":"Traces","tid":"Trace PyTorch Profiler","ts":1}`,
		`{"name":"Record Window End","ph":"i","s":"g","pid":"","tid":"","ts":2}`)
	m := got.Memory
	if len(m.At) != 2 || m.Bytes[0] != -512 || m.Allocated[0] != 1024 || m.Reserved[0] != 2048 || m.Device[0] != 1 ||
		m.Bytes[1] != 4 || m.Allocated[1] != -1 || m.Reserved[1] != -1 || m.Device[1] != -1 || !got.HasMemory || got.Origin != 5000 {
		t.Errorf("%+v", m)
	}
}

func TestMetadataAndFlowsAreNoRowsAndNoTimes(t *testing.T) {
	got := events(t, kernel,
		`{"name":"process_labels","ph":"M","ts":0.0,"pid":9,"tid":0,"args":{"labels":"CPU"}}`,
		`{"name":"thread_name","ph":"M","ts":0,"pid":0,"tid":13,"args":{"name":"stream 13"}}`,
		`{"name":"process_name","ph":"M","pid":9,"tid":0,"args":{"name":"python"}}`,
		`{"ph":"s","id":7,"pid":9,"tid":9,"ts":0.5,"cat":"ac2g","name":"ac2g"}`,
		`{"ph":"f","id":7,"pid":0,"tid":13,"ts":0.5,"cat":"ac2g","name":"ac2g","bp":"e"}`,
		`{"ph":"C","name":"GPU 0 Utilization","pid":0,"ts":0,"args":{"GPU Utilization":1}}`)
	silent(t, got)
	if got.Origin != 5250 || got.Calls.Len()+got.Ranges.Len() != 0 {
		t.Errorf("origin %d", got.Origin)
	}
	named := events(t, `{"name":"thread_name","ph":"M","ts":0,"pid":9,"tid":"9","args":{"name":"thread 9 (pt_autograd_0)"}}`, launch)
	if name := named.Threads[named.Calls.Thread[0]].Name; name != "pt_autograd_0" {
		t.Errorf("thread name %q", name)
	}
}

func TestCollectiveArguments(t *testing.T) {
	row := func(name string) string {
		return `{"ph":"X","cat":"kernel","name":"ncclDevKernel_` + name + `","pid":0,"tid":7,"ts":1,"dur":1,"args":{"Collective name":"` + name +
			`","In msg nelems":12,"Out msg nelems":24,"dtype":"BFloat16","Group size":8,"In split size":"[]","Process Group Name":"0",` +
			`"Process Group Description":"default_pg","Process Group Ranks":"[0, 1]","Seq":4,"Comms Id":10159970886766084423}}`
	}
	got := events(t, row("allreduce"), row("allgather"), row("allreduce"), kernel)
	silent(t, got)
	want := trace.Collective{Name: "allreduce", Dtype: "BFloat16", Group: "0", GroupDesc: "default_pg", InElems: 12, OutElems: 24, GroupSize: 8}
	of := got.Work.Collective
	if got.Collective[of(0)] != want || of(0) != of(2) || of(1) == of(0) || of(3) != 0 || len(got.Collective) != 3 {
		t.Errorf("%d %d %d %d of %+v", of(0), of(1), of(2), of(3), got.Collective)
	}
}

func TestKernelsWithoutATimeAreDropped(t *testing.T) {
	got := events(t, kernel, `{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":1,"ts":0,"dur":0}`)
	noted(t, got, "dropped", "1 event of the GPU for which the driver gave no time")
	if got.Timeless != 1 || got.Work.Len() != 1 {
		t.Errorf("%d without a time, %d kept", got.Timeless, got.Work.Len())
	}
	got = events(t, kernel, `{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":1,"ts":7}`)
	noted(t, got, "dropped", "1 event with neither end nor duration")
	got = events(t, kernel, `{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":1,"ts":7,"dur":-3}`)
	noted(t, got, "repaired", "negative duration")
	got = events(t, kernel, `{"ph":"B","cat":"cpu_op","name":"k","pid":0,"tid":1,"ts":7}`, `{"ph":"E","cat":"cpu_op","pid":0,"tid":1,"ts":9}`)
	noted(t, got, "dropped", "2 events of a begin/end pair")
	got = events(t, kernel, `7`, `null`, `[{"ph":"X"}]`, `"x"`)
	noted(t, got, "dropped", "4 events other than a JSON object")
}

func TestForeignDevicesAndCounters(t *testing.T) {
	at := `"pid":1,"tid":2,"ts":10,"dur":1}`
	got := events(t, `{"ph":"X","cat":"mtia_ccp_events","name":"pe_exe",`+at, `{"ph":"X","cat":"mtia_ccp_events","name":"dma_request",`+at,
		`{"ph":"X","cat":"mtia_runtime","name":"run",`+at, `{"ph":"X","cat":"hpu_op","name":"x",`+at)
	if got.ForeignDevice != "mtia" || got.ForeignCount != 2 {
		t.Errorf("%s %d", got.ForeignDevice, got.ForeignCount)
	}
	got = events(t, `{"ph":"X","cat":"cuda_profiler_range","name":"k",`+at)
	if got.CounterRanges != 1 {
		t.Errorf("%d counter ranges", got.CounterRanges)
	}
}

func TestShapesOpenOpsAndFlags(t *testing.T) {
	got := events(t, `{"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,"tid":1,"ts":1,"dur":100,"args":{"finished":"false","Input Dims":[[2, 3], [], []],"Input type":["float","",""]}}`)
	if got.Names.String(got.Ranges.Shape[0]) != "[[2, 3], [], []]" || !got.HasShapes || !got.HasOps || got.HasFrames || got.HasMemory || got.Ranges.End[0] != 100_000 {
		t.Errorf("%+v", got.Meta)
	}
	spread := events(t, "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::add\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":100,\"args\":{\"Input Dims\":[\n  [\n   2,\n   3\n  ],\n  [],\n  []\n ]}}")
	if shape := spread.Names.String(spread.Ranges.Shape[0]); shape != "[[2, 3], [], []]" {
		t.Errorf("dimensions over several lines: %q", shape)
	}
	got = read(t, `{"record_shapes":1,"with_stack":1,"profile_memory":1,"traceEvents":[`+kernel+`]}`)
	if !got.HasShapes || !got.HasFrames || !got.HasMemory || got.HasOps {
		t.Errorf("%+v", got.Meta)
	}
	if got = read(t, `{"record_shapes":0,"traceEvents":[`+kernel+`]}`); got.HasShapes {
		t.Error("record_shapes 0")
	}
}

func TestWarningsOfLostEventsAreCounted(t *testing.T) {
	got := read(t, `{"INFO":["INFO:1 a.cpp:2] Dropped nothing"],"WARNING":["WARNING:1 CuptiActivityApi.cpp:308] Dropped 12 activity records"],"traceEvents":[`+kernel+`]}`)
	if got.Lost != 1 {
		t.Errorf("%d warnings", got.Lost)
	}
}

func TestGraphNodes(t *testing.T) {
	node := func(args string) bool {
		return events(t, `{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":1,"ts":1,"dur":1,"args":{`+args+`}}`).Work.Node(0)
	}
	if !node(`"graph id":1,"graph node id":4294967298`) || node(`"graph id":0,"graph node id":0`) || node(``) {
		t.Error("graph node")
	}
}
