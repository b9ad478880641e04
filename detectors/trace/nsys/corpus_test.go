package nsys

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perflint/detectors/trace"
)

// corpus lists the SQLite files of the folder of real traces, with whether each is a trace.
func corpus(t testing.TB) map[string]bool {
	dir := os.Getenv("PERFLINT_CORPUS")
	if dir == "" {
		t.Skip("PERFLINT_CORPUS is not set")
	}
	text, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var expected map[string]struct {
		NotATrace bool `json:"not_a_trace"`
	}
	if err := json.Unmarshal(text, &expected); err != nil {
		t.Fatal(err)
	}
	files := map[string]bool{}
	for name, e := range expected {
		if strings.HasSuffix(name, ".sqlite") {
			files[filepath.Join(dir, name)] = !e.NotATrace
		}
	}
	if len(files) == 0 {
		t.Fatal("no SQLite file in expected.json")
	}
	return files
}

// count is what SQL says of a table, 0 where it is missing.
func count(t *testing.T, db *database, table, where string) int {
	if db.table(table) == nil {
		return 0
	}
	stmt, _, err := db.conn.PrepareTransient("SELECT count(*) FROM " + quote(table) + " WHERE " + where)
	if err != nil {
		t.Fatal(err)
	}
	defer stmt.Finalize()
	if _, err := stmt.Step(); err != nil {
		t.Fatal(err)
	}
	return stmt.ColumnInt(0)
}

func TestCorpusCounts(t *testing.T) {
	for path, isTrace := range corpus(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			tr, err := Read(path, Options{})
			if !isTrace {
				var known *Error
				if !errors.As(err, &known) || known.Reason != NotExport {
					t.Fatalf("got %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			db, err := open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer db.close()
			kinds := map[trace.WorkKind]int{}
			for _, k := range tr.Work.Kind {
				kinds[k]++
			}
			ranges := map[trace.RangeKind]int{}
			for _, k := range tr.Ranges.Kind {
				ranges[k]++
			}
			for _, c := range []struct {
				table, where string
				got          int
			}{
				{"CUPTI_ACTIVITY_KIND_KERNEL", "1", kinds[trace.Kernel]},
				{"CUPTI_ACTIVITY_KIND_MEMCPY", "1", kinds[trace.Copy]},
				{"CUPTI_ACTIVITY_KIND_MEMSET", "1", kinds[trace.Fill]},
				{"CUPTI_ACTIVITY_KIND_RUNTIME", "1", tr.Calls.Len()},
				{"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "1", len(tr.Waits.Start)},
				{"NVTX_EVENTS", "eventType IN (59, 60)", ranges[trace.Op] + ranges[trace.Annotation] + ranges[trace.Open]},
				{"OSRT_API", "1", ranges[trace.OSCall]},
			} {
				if want := count(t, db, c.table, c.where); c.got != want {
					t.Errorf("%s: %d rows, SQL says %d", c.table, c.got, want)
				}
			}
			if want := count(t, db, "PROFILER_OVERHEAD", "1") + count(t, db, "CUPTI_ACTIVITY_KIND_OVERHEAD", "1"); len(tr.Overheads.Start) != want {
				t.Errorf("overheads: %d, SQL says %d", len(tr.Overheads.Start), want)
			}
			if tr.Cut {
				t.Error("taken for damaged")
			}
			for i := range tr.Names.Len() {
				if s := tr.Names.String(trace.Text(i)); strings.HasPrefix(s, "#") {
					t.Errorf("a name was not found: %s", s)
				}
			}
		})
	}
}
