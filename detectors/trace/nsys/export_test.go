package nsys

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"perflint/detectors/trace"
)

// write makes an SQLite file of those statements.
func write(t testing.TB, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "export.sqlite")
	writeTo(t, path, statements...)
	return path
}

func writeTo(t testing.TB, path string, statements ...string) {
	t.Helper()
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := sqlitex.ExecuteTransient(conn, "PRAGMA synchronous=OFF", nil); err != nil {
		t.Fatal(err)
	}
	if err := sqlitex.ExecuteScript(conn, strings.Join(statements, ";\n")+";", nil); err != nil {
		t.Fatal(err)
	}
}

func read(t testing.TB, statements ...string) *trace.Trace {
	t.Helper()
	tr, err := Read(write(t, statements...), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// stringIds is the table of strings, numbered from 1.
func stringIds(values ...string) string {
	s := "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)"
	for i, v := range values {
		s += fmt.Sprintf("; INSERT INTO StringIds VALUES (%d, '%s')", i+1, strings.ReplaceAll(v, "'", "''"))
	}
	return s
}

// globalOf is how the exporter writes a process and a thread.
func globalOf(pid, tid int64) int64 { return 1<<56 | pid<<24 | tid }

// The tables as some versions create them, cut to the columns that tell the versions apart.
const (
	kernel2020 = `CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
		contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER NOT NULL,
		shortName INTEGER NOT NULL, gridX INTEGER NOT NULL, gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL,
		blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL, graphNodeId INTEGER)`
	kernel2026 = `CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
		contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
		demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, mangledName INTEGER, gridX INTEGER NOT NULL, gridY INTEGER NOT NULL,
		gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL, graphNodeId INTEGER,
		graphId INTEGER, clusterX INTEGER, tensorSizeMinusOneElements INTEGER)`
	runtimeTable = `CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL,
		globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, callchainId INTEGER)`
	memcpyTable = `CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
		contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, bytes INTEGER NOT NULL,
		copyKind INTEGER NOT NULL, srcKind INTEGER, dstKind INTEGER, graphNodeId INTEGER)`
	memsetTable = `CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
		contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, value INTEGER NOT NULL,
		bytes INTEGER NOT NULL, graphNodeId INTEGER, memKind INTEGER)`
	graphTable = `CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
		graphId INTEGER NOT NULL, originalGraphId INTEGER, graphExecId INTEGER, contextId INTEGER NOT NULL, streamId INTEGER NOT NULL,
		correlationId INTEGER, globalPid INTEGER)`
	syncTable = `CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
		contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, syncType INTEGER NOT NULL,
		eventId INTEGER NOT NULL)`
	nvtxTable = `CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER, category INTEGER,
		color INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER)`
	gpu2020 = `CREATE TABLE TARGET_INFO_GPU (vmId INTEGER NOT NULL, deviceId INTEGER NOT NULL, name TEXT, busLocation TEXT, isDiscrete INTEGER)`
	gpu2021 = `CREATE TABLE TARGET_INFO_GPU (vmId INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT, totalMemory INTEGER, smCount INTEGER,
		cuDevice INTEGER, computeMajor INTEGER, computeMinor INTEGER)`
)

// workNames is the names of the GPU activities in order of time.
func workNames(tr *trace.Trace) []string { return texts(tr, tr.Work.Name) }

func texts(tr *trace.Trace, ids []trace.Text) []string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = tr.Names.String(id)
	}
	return names
}

func noteCodes(tr *trace.Trace) (codes []string) {
	for _, n := range tr.Notes {
		codes = append(codes, n.Code)
	}
	return codes
}
