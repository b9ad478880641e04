package nsys

import (
	"fmt"
	"reflect"
	"testing"

	"perflint/detectors/trace"
)

func TestKernelNamesFallBack(t *testing.T) {
	call := fmt.Sprintf("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2, 0, %d, 0, 1, 0, NULL)", globalOf(3, 3))
	tr := read(t, stringIds("long", "short"), runtimeTable, call, kernel2020, `INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
		(1, 2, 0, 1, 7, NULL, NULL, 1, 2, 1, 1, 1, 1, 1, 1, NULL),
		(3, 4, 0, 1, 7, NULL, NULL, 0, 2, 1, 1, 1, 1, 1, 1, NULL),
		(5, 6, 0, 1, 7, NULL, NULL, 90, 91, 1, 1, 1, 1, 1, 1, NULL),
		(7, 8, 0, 1, 7, NULL, NULL, 0, 91, 1, 1, 1, 1, 1, 1, 12)`)
	if got, want := workNames(tr), []string{"long", "short", "#90", "#91"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q", got)
	}
	for i := range int32(4) {
		if tr.Work.Node(i) != (i == 3) {
			t.Errorf("kernel %d: a node of a graph: %t", i, tr.Work.Node(i))
		}
	}
	if tr.Work.Call[0] >= 0 {
		t.Error("a NULL correlation id was taken for one")
	}
}

func TestKernelTableOfAVersion(t *testing.T) {
	row := "(%d, %d, 0, 1, 7, NULL, NULL, 1, 1, 1, 1, 1, 1, 1, 1, NULL)"
	tr := read(t, stringIds("k"), kernel2020,
		"ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL RENAME TO cupti_activity_kind_kernel_v10", kernel2020,
		"CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL_VARIANTS (start INTEGER, end INTEGER)",
		"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL_VARIANTS VALUES (1, 2)",
		"INSERT INTO cupti_activity_kind_kernel_v10 VALUES "+fmt.Sprintf(row, 10, 20),
		"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES "+fmt.Sprintf(row, 30, 40))
	if tr.Work.Len() != 2 {
		t.Errorf("%d kernels", tr.Work.Len())
	}
}

func TestCorrelationIsOfOneProcess(t *testing.T) {
	var s []string
	for i, process := range []int64{10, 11} {
		at := 100 * (i + 1)
		s = append(s,
			fmt.Sprintf("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (%d, %d, 0, %d, 5, 1, 0, NULL)", at, at+10, globalOf(process, process)),
			fmt.Sprintf("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (%d, %d, %d, 1, 7, 5, %d, 2, 2, 1, 1, 1, 1, 1, 1, NULL)", at+50, at+60, i, globalOf(process, 0)))
	}
	tr := read(t, append([]string{stringIds("cudaLaunchKernel_v7000", "k"), runtimeTable, kernel2020}, s...)...)
	if want := []int32{0, 1}; !reflect.DeepEqual(tr.Work.Call, want) {
		t.Errorf("calls %v", tr.Work.Call)
	}
	if a, b := tr.Work.Process(0), tr.Work.Process(1); a != 10 || b != 11 {
		t.Errorf("processes %d and %d", a, b)
	}
}

func TestDriverCallUnderRuntimeCall(t *testing.T) {
	tr := read(t, stringIds("cudaLaunchKernel_v7000", "k", "cuLaunchKernel"), runtimeTable, kernel2020,
		fmt.Sprintf("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (110, 120, 1, %[1]d, 5, 3, 0, NULL), (100, 130, 0, %[1]d, 5, 1, 0, NULL)", globalOf(10, 10)),
		fmt.Sprintf("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (200, 210, 0, 1, 7, 5, %d, 2, 2, 1, 1, 1, 1, 1, 1, NULL)", globalOf(10, 0)))
	if got := tr.Names.String(tr.Calls.Name[tr.Work.Call[0]]); got != "cudaLaunchKernel" {
		t.Errorf("launched by %s", got)
	}
}

// A trimmed export has no globalPid: the kernels belong to the only process that made calls.
func TestKernelsWithoutAProcess(t *testing.T) {
	tr := read(t, stringIds("cudaLaunchKernel_v7000", "k"), runtimeTable,
		"CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER, correlationId INTEGER, shortName INTEGER)",
		fmt.Sprintf("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (100, 130, 0, %d, 5, 1, 0, NULL)", globalOf(10, 12)),
		"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (200, 210, 0, 7, 5, 2)")
	if tr.Work.Process(0) != 10 || tr.Work.Call[0] != 0 {
		t.Errorf("process %d, call %d", tr.Work.Process(0), tr.Work.Call[0])
	}
	if tr.Work.Blocks(0) != 0 || tr.Work.BlocksPerSM(0) != -1 {
		t.Errorf("blocks %d, blocks per SM %g", tr.Work.Blocks(0), tr.Work.BlocksPerSM(0))
	}
}

func TestCopies(t *testing.T) {
	own := `CREATE TABLE ENUM_CUDA_MEMCPY_OPER (id INTEGER, name TEXT, label TEXT);
		INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES (21, 'CUDA_MEMCPY_KIND_HTOD', 'Host-to-Device');
		CREATE TABLE ENUM_CUDA_MEM_KIND (id INTEGER, name TEXT, label TEXT);
		INSERT INTO ENUM_CUDA_MEM_KIND VALUES (22, 'CUDA_MEMOPR_MEMORY_KIND_PINNED', 'Pinned')`
	type row struct {
		kind, src, dst int
		name           string
		dir            trace.Direction
		from, to       trace.MemKind
	}
	for _, c := range []row{
		{1, 0, 2, "Memcpy HtoD (Pageable -> Device)", trace.HtoD, trace.PageableMem, trace.DeviceMem},
		{1, 1, 2, "Memcpy HtoD (Pinned -> Device)", trace.HtoD, trace.PinnedMem, trace.DeviceMem},
		{2, 2, 0, "Memcpy DtoH (Device -> Pageable)", trace.DtoH, trace.DeviceMem, trace.PageableMem},
		{2, 5, 1, "Memcpy DtoH (Device Static -> Pinned)", trace.DtoH, trace.DeviceMem, trace.PinnedMem},
		{8, 2, 2, "Memcpy DtoD (Device -> Device)", trace.DtoD, trace.DeviceMem, trace.DeviceMem},
		{9, 0, 1, "Memcpy HtoH (Pageable -> Pinned)", trace.HtoH, trace.PageableMem, trace.PinnedMem},
		{10, 2, 2, "Memcpy PtoP (Device -> Device)", trace.PtoP, trace.DeviceMem, trace.DeviceMem},
		{3, 1, 3, "Memcpy HtoA (Pinned -> Array)", trace.HtoD, trace.PinnedMem, trace.ArrayMem},
		{11, 7, 7, "Memcpy Unified HtoD (Unknown -> Unknown)", trace.UnifiedHtoD, trace.UnknownMem, trace.UnknownMem},
		{12, 7, 7, "Memcpy Unified DtoH (Unknown -> Unknown)", trace.UnifiedDtoH, trace.UnknownMem, trace.UnknownMem},
		{1, 4, 6, "Memcpy HtoD (Managed -> Managed Static)", trace.HtoD, trace.ManagedMem, trace.ManagedMem},
		{21, 22, 2, "Memcpy HtoD (Pinned -> Device)", trace.HtoD, trace.PinnedMem, trace.DeviceMem},
		{99, 98, 97, "Memcpy Unknown (Unknown -> Unknown)", trace.NoDirection, trace.UnknownMem, trace.UnknownMem},
	} {
		tr := read(t, stringIds(), own, memcpyTable, fmt.Sprintf(
			"INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1, 2, 0, 1, 7, NULL, NULL, 4096, %d, %d, %d, NULL)", c.kind, c.src, c.dst))
		w := &tr.Work
		got := row{c.kind, c.src, c.dst, workNames(tr)[0], w.Dir(0), w.Src(0), w.Dst(0)}
		if got != c || w.Kind[0] != trace.Copy || w.Bytes(0) != 4096 {
			t.Errorf("got %+v, want %+v", got, c)
		}
	}
}

func TestCopyWithoutKindsOfMemory(t *testing.T) {
	tr := read(t, stringIds(), "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, copyKind INTEGER, bytes INTEGER)",
		"INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1, 2, 0, 1, 8)")
	if tr.Work.Dir(0) != trace.HtoD || tr.Work.Src(0) != trace.UnknownMem || tr.Work.Dst(0) != trace.UnknownMem {
		t.Errorf("direction %v, memory %v %v", tr.Work.Dir(0), tr.Work.Src(0), tr.Work.Dst(0))
	}
}

func TestFillsAndGraphBodies(t *testing.T) {
	tr := read(t, stringIds(), memsetTable, graphTable,
		"INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (1, 2, 0, 1, 7, 3, NULL, 0, 64, NULL, 4)",
		"INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (3, 9, 0, 6, NULL, 8, 1, 7, 4, NULL)")
	if got, want := workNames(tr), []string{"Memset (Managed)", "CUDA graph 6"}; !reflect.DeepEqual(got, want) {
		t.Errorf("names %q", got)
	}
	if got, want := tr.Work.Kind, []trace.WorkKind{trace.Fill, trace.GraphBody}; !reflect.DeepEqual(got, want) {
		t.Errorf("kinds %v", got)
	}
	if tr.Work.Bytes(0) != 64 || tr.Work.Dst(0) != trace.ManagedMem || tr.Work.Bytes(1) != -1 {
		t.Errorf("bytes %d and %d, memory %v", tr.Work.Bytes(0), tr.Work.Bytes(1), tr.Work.Dst(0))
	}
	if tr.NoCUDATables {
		t.Error("a graph body is GPU work")
	}
}
