package nsys

import (
	"fmt"
	"reflect"
	"testing"

	"perflint/detectors/trace"
)

func TestAPIName(t *testing.T) {
	for in, want := range map[string]string{
		"cudaLaunchKernel_v7000":      "cudaLaunchKernel",
		"cudaLaunchKernel_ptsz_v7000": "cudaLaunchKernel",
		"cuMemcpyHtoD_v2":             "cuMemcpyHtoD",
		"cuMemcpyHtoDAsync_v2_ptsz":   "cuMemcpyHtoDAsync",
		"cuLaunchKernelEx":            "cuLaunchKernelEx",
		"cudaMemcpy_ptds_v7000":       "cudaMemcpy",
		"my_v":                        "my_v",
		"_v3":                         "",
		"":                            "",
	} {
		if got := apiName(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestCalls(t *testing.T) {
	tr := read(t, stringIds("cudaMalloc_v3020", "cuMemAlloc_v2"), runtimeTable,
		"CREATE TABLE CUPTI_ACTIVITY_KIND_DRIVER (start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER, returnValue INTEGER)",
		fmt.Sprintf("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (100, 200, 0, %d, NULL, 1, 2, NULL)", globalOf(3, 4)),
		fmt.Sprintf("INSERT INTO CUPTI_ACTIVITY_KIND_DRIVER VALUES (110, 190, %d, 9, 2, 0)", globalOf(3, 4)))
	if got, want := texts(tr, tr.Calls.Name), []string{"cudaMalloc", "cuMemAlloc"}; !reflect.DeepEqual(got, want) {
		t.Errorf("calls %q", got)
	}
	if !reflect.DeepEqual(tr.Calls.Failed, []bool{true, false}) {
		t.Errorf("failed %v", tr.Calls.Failed)
	}
	if tr.NoCUDATables {
		t.Error("runtime rows without kernels are CUDA tracing")
	}
}

func TestGlobalIDs(t *testing.T) {
	for _, c := range []struct {
		name, tid, pid string
		thread         trace.Thread
	}{
		{"hardware 0", fmt.Sprint(3<<24 | 4), fmt.Sprint(3 << 24), trace.Thread{PID: 3, TID: 4}},
		{"hardware 255", fmt.Sprint(-1<<56 | 3<<24 | 4), fmt.Sprint(-1<<56 | 3<<24), trace.Thread{PID: 3, TID: 4}},
		{"all bits", "-1", "-1", trace.Thread{PID: 0xFFFFFF, TID: 0xFFFFFF}},
		{"none", "NULL", "NULL", trace.Thread{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := read(t, stringIds("cudaStreamSynchronize"), runtimeTable, syncTable,
				"INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 5, 0, "+c.tid+", 9, 1, 0, NULL)",
				"INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (2, 4, 0, 1, 7, 9, "+c.pid+", 0, 4294967295)")
			if tr.Threads[tr.Calls.Thread[0]] != c.thread {
				t.Errorf("thread %+v", tr.Threads)
			}
			if tr.Waits.Kind[0] != trace.StreamSync || tr.Waits.Call[0] != 0 {
				t.Errorf("wait of kind %d, call %d", tr.Waits.Kind[0], tr.Waits.Call[0])
			}
		})
	}
}

func TestWaitsByTheirCall(t *testing.T) {
	none := int64(noNumber)
	for _, c := range []struct {
		api           string
		syncType      int
		stream, event int64
		schema        string
		want          trace.WaitKind
	}{
		{"cudaStreamSynchronize_v3020", 3, 7, none, "3.0.0", trace.StreamSync},
		{"cudaStreamWaitEvent_v3020", 3, 7, 4, "3.0.0", trace.StreamWaitEvent},
		{"cudaStreamSynchronize_v3020", 2, 7, none, "3.17.1", trace.StreamSync},
		{"cudaDeviceSynchronize_v3020", 0, none, none, "3.13.2", trace.ContextSync},
		{"cuCtxSynchronize", 4, none, none, "3.25.0", trace.ContextSync},
		{"cudaEventQuery_v3020", 1, none, 4, "3.25.0", trace.EventSync},
		{"cuEventSynchronize", 2, none, 4, "", trace.EventSync},
		// Without its call only the code is left, whose meaning depends on the version.
		{"", 1, none, none, "", trace.ContextSync},
		{"", 2, none, 4, "", trace.EventSync},
		{"", 3, 7, none, "3.13.2", trace.StreamSync},
		{"", 0, none, none, "3.13.2", trace.ContextSync},
		{"", 0, 7, none, "3.13.2", trace.UnknownWait},
		{"", 4, none, none, "3.16.1", trace.ContextSync},
		{"", 2, 7, none, "3.24.14", trace.StreamSync},
		{"", 3, 7, none, "3.24.14", trace.UnknownWait},
		{"", 1, none, 4, "3.25.0", trace.EventSync},
		{"", 2, 7, 4, "3.25.0", trace.StreamWaitEvent},
		{"", 3, 7, none, "3.25.0", trace.StreamSync},
	} {
		t.Run(fmt.Sprintf("%s %d of %s", c.api, c.syncType, c.schema), func(t *testing.T) {
			s := []string{stringIds(c.api), runtimeTable, syncTable,
				"CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT)",
				"INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '" + c.schema + "')",
				// another process that uses the same correlation id for another call
				fmt.Sprintf("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (90, 95, 0, %d, 9, 99, 0, NULL)", globalOf(8, 8)),
				fmt.Sprintf("INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (110, 190, 0, 1, %d, 9, %d, %d, %d)", c.stream, globalOf(3, 0), c.syncType, c.event)}
			if c.api != "" {
				s = append(s, fmt.Sprintf("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (100, 200, 0, %d, 9, 1, 0, NULL)", globalOf(3, 4)))
			}
			tr := read(t, s...)
			if tr.Waits.Kind[0] != c.want {
				t.Errorf("got %d, want %d", tr.Waits.Kind[0], c.want)
			}
			if want := number(c.stream); tr.Waits.Stream[0] != want {
				t.Errorf("stream %d, want %d", tr.Waits.Stream[0], want)
			}
			if linked := tr.Waits.Call[0] >= 0; linked != (c.api != "") {
				t.Errorf("call %d", tr.Waits.Call[0])
			}
		})
	}
}

func TestWaitForARecordedEvent(t *testing.T) {
	const sync2026 = `CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER,
		streamId INTEGER, correlationId INTEGER, globalPid INTEGER, syncType INTEGER, eventId INTEGER, eventSyncId INTEGER)`
	const events = `CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (timestamp INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER,
		correlationId INTEGER, globalPid INTEGER, eventId INTEGER, eventSyncId INTEGER)`
	p := globalOf(3, 0)
	tr := read(t, stringIds("cudaStreamWaitEvent_v3020"), runtimeTable, sync2026, events,
		fmt.Sprintf("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2, 0, %[1]d, 9, 1, 0, NULL), (3, 4, 0, %[1]d, 10, 1, 0, NULL), (5, 6, 0, %[1]d, 11, 1, 0, NULL)", globalOf(3, 4)),
		fmt.Sprintf("INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (1, 0, 1, 20, 7, %[1]d, 4, 100), (2, 0, 1, 21, 8, %[1]d, 4, 101), (2, 0, 1, 22, 8, %[1]d, 5, NULL)", p),
		fmt.Sprintf(`INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (1, 2, 0, 1, 7, 9, %[1]d, 2, 4, 101), (3, 4, 0, 1, 7, 10, %[1]d, 2, 4, NULL),
			(5, 6, 0, 1, 7, 11, %[1]d, 2, 5, NULL)`, p))
	if want := []int64{21, -1, 22}; !reflect.DeepEqual(tr.Waits.OnStream, want) {
		t.Errorf("streams waited for %v, want %v", tr.Waits.OnStream, want)
	}
}

func TestOverheadNames(t *testing.T) {
	const table = "CREATE TABLE %s (start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER, %s INTEGER)"
	tr := read(t, stringIds("CUPTI: Buffer flush", "CUPTI Resource Management", "TLS allocation", "Command Buffer Full", "CUPTI Instrumentation"),
		fmt.Sprintf(table, "PROFILER_OVERHEAD", "returnValue"), fmt.Sprintf(table, "CUPTI_ACTIVITY_KIND_OVERHEAD", "overheadType"),
		"INSERT INTO PROFILER_OVERHEAD VALUES (1, 2, 0, 1, 8), (3, 4, 0, 2, 0), (5, 6, 0, 3, 0), (7, 8, 0, 5, 0)",
		"INSERT INTO CUPTI_ACTIVITY_KIND_OVERHEAD VALUES (11, 12, 0, 4, 8), (13, 14, 0, 3, 7), (15, 16, 0, 3, 6), (17, 18, 0, 3, 2), (19, 20, 0, 3, 1), (21, 22, 0, 3, 99)")
	want := []string{"Buffer Flush", "Resource", "TLS allocation", "Instrumentation", "Command Buffer Full", "Lazy Function Loading",
		"Runtime Triggered Module Loading", "Driver Compiler", "TLS allocation", "TLS allocation"}
	if got := texts(tr, tr.Overheads.Name); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q", got)
	}
}
