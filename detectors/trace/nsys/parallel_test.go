package nsys

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"

	"perflint/detectors/trace"
)

// comparable is a trace without what no one can see: the hash table of its names.
func comparable(t *trace.Trace) []any {
	names := make([]string, t.Names.Len())
	for i := range names {
		names[i] = t.Names.String(trace.Text(i))
	}
	c := *t
	c.Names = nil
	return []any{names, c}
}

// readBy reads a file on that many cores, or with SQLite alone where they are 0.
func readBy(t *testing.T, path string, cores int) []any {
	t.Helper()
	db, err := open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.close()
	if cores > 0 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	} else if db.pages != nil {
		db.pages.f.Close()
		db.pages = nil
	}
	tr, err := db.read(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return comparable(tr)
}

func sameByAll(t *testing.T, path string) {
	t.Helper()
	want := readBy(t, path, 0)
	for _, cores := range []int{1, 2, 5} {
		if got := readBy(t, path, cores); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: on %d cores the trace is not that of SQLite", filepath.Base(path), cores)
		}
	}
}

// TestManyWorkersReadTheSameTrace has rows of several processes, threads and streams, and rows that stop the page reader.
func TestManyWorkersReadTheSameTrace(t *testing.T) {
	const n = 20_000
	rows := fmt.Sprintf("WITH RECURSIVE n(x) AS (SELECT 0 UNION ALL SELECT x+1 FROM n WHERE x < %d)", n-1)
	base := []string{
		stringIds("cudaLaunchKernel_v7000", "cudaStreamSynchronize_v3020", "cuStreamSynchronize"),
		rows + " INSERT INTO StringIds SELECT 10+x, 'void kernel<' || x || '>(float*)' FROM n WHERE x < 300",
		runtimeTable, kernel2020, nvtxTable,
		rows + fmt.Sprintf(` INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT 155000000000+x*10000-x%%7*20000, 155000003000+x*10000, 0, %d + x%%3 + ((x%%2)<<24),
			1000+x+(x%%50/49<<40), 1+x%%3, x%%100=0, NULL FROM n`, globalOf(3, 3)),
		rows + fmt.Sprintf(` INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT 155000004000+x*10000, 155000009000+x*10000, x%%2, 1, 7+x%%5, 1000+x+(x%%50/49<<40), %d + ((x%%2)<<24),
			10+x%%310, 10+x%%300, 128+x%%1000, 1, 1, 256, 1, 1, CASE x%%9 WHEN 0 THEN x END FROM n`, globalOf(3, 0)),
		rows + fmt.Sprintf(` INSERT INTO NVTX_EVENTS SELECT 155000000000+x*50000, 155000040000+x*50000, 59, NULL, NULL, NULL,
			'aten::op' || (x%%500) || ', op_id = ' || x, %d + x%%2, NULL, NULL, 0 FROM n WHERE x < 5000`, globalOf(3, 3)),
	}
	for name, more := range map[string][]string{
		"plain":                    {},
		"a time that is no number": {"UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 'soon' WHERE rowid = 9000"},
		"a call without a time": {"ALTER TABLE CUPTI_ACTIVITY_KIND_RUNTIME RENAME TO old", "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME AS SELECT * FROM old",
			"UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET start = NULL WHERE rowid % 1000 = 5"},
		"gaps among the rows": {"DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rowid % 5 < 2"},
	} {
		t.Run(name, func(t *testing.T) { sameByAll(t, write(t, append(append([]string(nil), base...), more...)...)) })
	}
}

func TestCorpusByManyWorkers(t *testing.T) {
	for path, isTrace := range corpus(t) {
		if isTrace {
			sameByAll(t, path)
		}
	}
}
