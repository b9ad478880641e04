package nsys

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

func TestWhatIsNoExport(t *testing.T) {
	text := func(s string) string {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		name, path string
		reason     Reason
	}{
		{"another database", write(t, "CREATE TABLE test (a INTEGER)"), NotExport},
		{"a database without tables", write(t, "PRAGMA user_version = 3"), Empty},
		{"only a view of that name", write(t, "CREATE TABLE t (id, value)", "CREATE VIEW StringIds AS SELECT * FROM t"), NotExport},
		{"no bytes", text(""), Empty},
		{"text", text("no database at all"), NotExport},
		{"only the magic", text(magic), Damaged},
		{"magic and nonsense", text(magic + strings.Repeat("\xa5", 8192)), Damaged},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(c.path, Options{})
			var known *Error
			if !errors.As(err, &known) || known.Reason != c.reason {
				t.Fatalf("got %v", err)
			}
			if s := err.Error(); !strings.HasPrefix(s, c.path+": ") || strings.Contains(s, "\n") {
				t.Errorf("message %q", s)
			}
		})
	}
}

func TestMissingFile(t *testing.T) {
	if _, err := Read(filepath.Join(t.TempDir(), "none"), Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestOddFileNamesAndNothingBeside(t *testing.T) {
	for _, name := range []string{"a b.sqlite", "what?mode=rwc.sqlite", "half#way.sqlite", "100%41.sqlite", "ünï.sqlite", "semi;&=.sqlite"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		writeTo(t, filepath.Join(dir, "x"), stringIds("k"), kernel2020)
		if err := os.Rename(filepath.Join(dir, "x"), path); err != nil {
			t.Fatal(err)
		}
		before := contents(t, dir)
		if _, err := Read(path, Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if after := contents(t, dir); !reflect.DeepEqual(after, before) {
			t.Errorf("%s: the folder changed from %v to %v", name, before, after)
		}
	}
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(b)
	}
	return files
}

// TestWriteAheadLog reads a file whose rows are still in the log of the program that writes it, with and without that
// program's shared-memory file.
func TestWriteAheadLog(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "live.sqlite")
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	script := "PRAGMA journal_mode=WAL;" + stringIds("k") + ";" + kernel2020 + `;
		INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 0, 1, 7, NULL, NULL, 1, 1, 1, 1, 1, 1, 1, 1, NULL);`
	if err := sqlitex.ExecuteTransient(conn, "PRAGMA journal_mode=WAL", nil); err != nil {
		t.Fatal(err)
	}
	if err := sqlitex.ExecuteScript(conn, strings.TrimPrefix(script, "PRAGMA journal_mode=WAL;"), nil); err != nil {
		t.Fatal(err)
	}
	alone := t.TempDir()
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(filepath.Join(alone, "x.sqlite"+suffix), path+suffix); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range []string{path, filepath.Join(alone, "x.sqlite")} {
		before := contents(t, filepath.Dir(p))
		tr, err := Read(p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if tr.Work.Len() != 1 {
			t.Errorf("%s: %d kernels", filepath.Base(p), tr.Work.Len())
		}
		after := contents(t, filepath.Dir(p))
		for name := range after {
			if _, ok := before[name]; !ok {
				t.Errorf("%s was written", name)
			}
		}
		if after[filepath.Base(p)] != before[filepath.Base(p)] {
			t.Error("the file changed")
		}
	}
}

func TestReadOnlyFolder(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.sqlite")
	writeTo(t, path, stringIds("k"), kernel2020)
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	if _, err := Read(path, Options{}); err != nil {
		t.Error(err)
	}
}

func TestOldJournalIsNoted(t *testing.T) {
	path := write(t, stringIds("k"), kernel2020)
	if err := os.WriteFile(path+"-journal", []byte("left behind"), 0o600); err != nil {
		t.Fatal(err)
	}
	tr, err := Read(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := noteCodes(tr); !reflect.DeepEqual(got, []string{"cut"}) {
		t.Errorf("notes %v", tr.Notes)
	}
}

func TestWhatToolsAdd(t *testing.T) {
	tr := read(t, stringIds("k"), kernel2020,
		"ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN kernel_name TEXT",
		"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 0, 1, 7, NULL, NULL, 1, 1, 1, 1, 1, 1, 1, 1, NULL, 'k')",
		"CREATE INDEX _nsysai_kernel ON CUPTI_ACTIVITY_KIND_KERNEL(start)",
		"CREATE VIEW NVTX_EVENTS AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM n) SELECT x AS start, x AS end, 59 AS eventType FROM n",
		"CREATE TABLE cudaKernelStats (a)", "CREATE TABLE \"quoted \"\" name\" (\"a \"\" b\")")
	if tr.Work.Len() != 1 || tr.Ranges.Len() != 0 {
		t.Errorf("%d kernels, %d ranges", tr.Work.Len(), tr.Ranges.Len())
	}
}

func TestStringsWithoutAKey(t *testing.T) {
	tr := read(t, "CREATE TABLE StringIds (id INTEGER, value TEXT)", "INSERT INTO StringIds VALUES (4294967297, 'far'), (1, 'near')",
		kernel2020, `INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
			(1, 2, 0, 1, 7, NULL, NULL, 4294967297, 1, 1, 1, 1, 1, 1, 1, NULL), (3, 4, 0, 1, 7, NULL, NULL, -5, 1, 1, 1, 1, 1, 1, 1, NULL)`)
	if got := workNames(tr); !reflect.DeepEqual(got, []string{"far", "near"}) {
		t.Errorf("names %q", got)
	}
}

func TestUTF16AndBrokenText(t *testing.T) {
	tr := read(t, "PRAGMA encoding = 'UTF-16le'", stringIds("Ünïcode"), nvtxTable,
		"INSERT INTO NVTX_EVENTS (start, end, eventType, textId, text) VALUES (1, 2, 59, 1, NULL), (3, 4, 59, NULL, 'Täxt')")
	if got := texts(tr, tr.Ranges.Name); !reflect.DeepEqual(got, []string{"Ünïcode", "Täxt"}) {
		t.Errorf("names %q", got)
	}
	tr = read(t, "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT)", "INSERT INTO StringIds VALUES (1, CAST(x'6bff6b' AS TEXT))",
		nvtxTable, "INSERT INTO NVTX_EVENTS (start, end, eventType, textId) VALUES (1, 2, 59, 1)")
	if got := texts(tr, tr.Ranges.Name); !reflect.DeepEqual(got, []string{"k\uFFFDk"}) {
		t.Errorf("names %q", got)
	}
}

func TestProgress(t *testing.T) {
	path := write(t, stringIds("k"), kernel2020, `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM n WHERE x < 70000)
		INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT x, x+1, 0, 1, 7, NULL, NULL, 1, 1, 1, 1, 1, 1, 1, 1, NULL FROM n`)
	var seen []int64
	tr, err := Read(path, Options{Progress: func(rows int64) { seen = append(seen, rows) }})
	if err != nil || tr.Work.Len() != 70000 {
		t.Fatal(tr, err)
	}
	if len(seen) != 1 || seen[0] < progressRows || seen[0] > 70000 {
		t.Errorf("progress %v", seen)
	}
}
