package nsys

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"perflint/detectors/trace"
)

const captureTable = "CREATE TABLE META_DATA_CAPTURE (name TEXT NOT NULL, value TEXT)"

func TestEnvironmentGivesNamesOnly(t *testing.T) {
	tr := read(t, stringIds("AUTH_TOKEN=tell-nobody-1", "k", "$ export X=1 SNAP_COOKIE=tell-nobody-5\nready", "void k<KEY=tell-nobody-6>()", "MAX_TOKEN=4096", "token=tell-nobody-7"), captureTable,
		`INSERT INTO META_DATA_CAPTURE VALUES ('PROCESS_0:ENVIRONMENT_VARIABLE', 'HF_TOKEN=tell-nobody-2'),
			('PROCESS_0:ENVIRONMENT_VARIABLE', 'HOME=/home/someone'), ('PROCESS_1:ENVIRONMENT_VARIABLE', 'WANDB_API_KEY=tell-nobody-3'),
			('CUDA_SKIP_SOME_API_CALLS', 'true')`,
		"CREATE TABLE TARGET_INFO_SYSTEM_ENV (globalVid INTEGER, devStateName TEXT, name TEXT, nameEnum INTEGER, value TEXT)",
		"INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES (0, '', 'Hostname', 1, 'box'), (0, '', 'DeviceEnvironment', 2, 'SHELL=/bin/sh"+"\n"+"PMI_SHARED_SECRET=tell-nobody-4 x')")
	if want := []string{"AUTH_TOKEN", "HF_TOKEN", "PMI_SHARED_SECRET", "SNAP_COOKIE", "WANDB_API_KEY"}; !reflect.DeepEqual(tr.Credentials, want) {
		t.Errorf("credentials %q", tr.Credentials)
	}
	if !tr.HasEnv || !tr.SkippedAPI {
		t.Errorf("has env %v, skipped API %v", tr.HasEnv, tr.SkippedAPI)
	}
	for _, s := range []string{"tell-nobody", "someone", "box"} {
		if strings.Contains(fmt.Sprintf("%+v %+v", tr.Meta, tr.Names), s) {
			t.Errorf("the trace holds %q", s)
		}
	}
}

func TestSystemPropertiesAreNoEnvironment(t *testing.T) {
	tr := read(t, stringIds(), "CREATE TABLE TARGET_INFO_SYSTEM_ENV (name TEXT, value TEXT)",
		"INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES ('CpuCores', '20'), ('GpuInfo', '{}'), ('Hostname', 'box')")
	if tr.HasEnv || tr.Credentials != nil {
		t.Errorf("has env %v, credentials %q", tr.HasEnv, tr.Credentials)
	}
}

func TestEnvironmentFormats(t *testing.T) {
	for _, text := range []string{
		"A=1\nMY_TOKEN=x\nB=2", "A=1;MY_TOKEN=x;B=2", "A=1\x00MY_TOKEN=x", `{"A": "1", "MY_TOKEN": "x"}`, "A=1, MY_TOKEN=x", "MY_TOKEN=x",
	} {
		r := &reader{env: environment{}, b: trace.NewBuilder("nsys")}
		r.variables(text)
		if !reflect.DeepEqual(r.b.Credentials, []string{"MY_TOKEN"}) {
			t.Errorf("%q: %q", text, r.b.Credentials)
		}
	}
}

func TestRank(t *testing.T) {
	env := func(vars ...string) string {
		s := captureTable
		for _, v := range vars {
			s += "; INSERT INTO META_DATA_CAPTURE VALUES ('PROCESS_0:ENVIRONMENT_VARIABLE', '" + v + "')"
		}
		return s
	}
	calls := func(pids ...int64) string {
		s := runtimeTable
		for _, p := range pids {
			s += fmt.Sprintf("; INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2, 0, %d, 9, 1, 0, NULL)", globalOf(p, p))
		}
		return s
	}
	for _, c := range []struct {
		name, env, calls string
		rank, size       int
	}{
		{"torchrun", env("RANK=3", "WORLD_SIZE=8", "LOCAL_RANK=1"), calls(5), 3, 8},
		{"Open MPI", env("OMPI_COMM_WORLD_RANK=0", "OMPI_COMM_WORLD_SIZE=2"), calls(5, 5), 0, 2},
		{"several processes share the environment", env("RANK=3", "WORLD_SIZE=8"), calls(5, 6), -1, -1},
		{"a local rank alone", env("LOCAL_RANK=1"), calls(5), -1, -1},
		{"no number", env("RANK=high", "WORLD_SIZE=8"), calls(5), -1, -1},
		{"beyond the size", env("RANK=8", "WORLD_SIZE=8"), calls(5), -1, -1},
		{"nothing", captureTable, calls(5), -1, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := read(t, stringIds("cudaMalloc"), c.env, c.calls)
			if tr.Rank != c.rank || tr.WorldSize != c.size {
				t.Errorf("rank %d of %d", tr.Rank, tr.WorldSize)
			}
		})
	}
}

func TestDiagnosticsAreCountedNotQuoted(t *testing.T) {
	tr := read(t, stringIds(), "CREATE TABLE DIAGNOSTIC_EVENT (timestamp INTEGER, severity INTEGER, source INTEGER, text TEXT)",
		`INSERT INTO DIAGNOSTIC_EVENT VALUES (1, 2, 1, 'No NVTX events collected.'), (2, 2, 1, '17 events were Dropped by someone'),
			(3, 3, 1, 'Events lost.'), (4, 1, 1, 'nothing was lost')`)
	if tr.Lost != 2 || len(tr.Notes) != 1 || tr.Notes[0].Code != "dropped" || !strings.Contains(tr.Notes[0].Text, " 2 times") || strings.Contains(tr.Notes[0].Text, "someone") {
		t.Errorf("notes %+v", tr.Notes)
	}
}

func TestMemory(t *testing.T) {
	const table = `CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (start INTEGER, globalPid INTEGER, deviceId INTEGER, contextId INTEGER,
		address INTEGER, pc INTEGER, bytes INTEGER, memKind INTEGER, memoryOperationType INTEGER)`
	tr := read(t, stringIds(), table, `INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES
		(30, 1, 0, 1, 8, 0, 100, 2, 1), (10, 1, 0, 1, 8, 0, 100, 2, 0), (20, 1, 0, 1, 9, 0, 50, 4, 0), (25, 1, 1, 1, 9, 0, 7, 2, 0),
		(26, 1, 0, 1, 9, 0, 11, 1, 0), (40, 1, 0, 1, 9, 0, 900, 2, 1), (41, 1, 0, 1, 9, 0, 900, 2, 5)`)
	m := &tr.Memory
	if want := []int64{100, 150, 7, 11, 50, 0}; !reflect.DeepEqual(m.Allocated, want) {
		t.Errorf("allocated %v", m.Allocated)
	}
	if want := []int32{0, 0, 1, -1, 0, 0}; !reflect.DeepEqual(m.Device, want) {
		t.Errorf("devices %v", m.Device)
	}
	if m.Reserved[0] != -1 || m.Bytes[4] != -100 || !tr.HasMemory {
		t.Errorf("reserved %v, bytes %v", m.Reserved, m.Bytes)
	}
	timeless := read(t, stringIds(), table, `INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES (0, 1, 0, 1, 8, 0, 100, 2, 0), (0, 1, 0, 1, 8, 0, 100, 2, 0)`)
	if timeless.HasMemory || len(timeless.Memory.At) != 0 || len(timeless.Notes) != 1 {
		t.Errorf("has memory %v, notes %v", timeless.HasMemory, timeless.Notes)
	}
	if empty := read(t, stringIds(), table); empty.HasMemory {
		t.Error("a table without rows was taken for a recording")
	}
}
