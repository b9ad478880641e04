package nsys

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// readTable copies what a scan delivers.
func readTable(scan func(each each) error) (all [][]int64, texts []string, err error) {
	err = scan(rows(func(ints []int64, text []byte) {
		all = append(all, append([]int64(nil), ints...))
		if text == nil {
			texts = append(texts, "NULL")
		} else {
			texts = append(texts, "="+string(text))
		}
	}))
	return all, texts, err
}

// comparePaths reads a table with SQLite, and with the page reader first.
func comparePaths(t *testing.T, db *database, tab *table, columns []column, text string) (direct error) {
	t.Helper()
	wantRows, wantTexts, err := readTable(func(each each) error {
		_, err := db.query(tab, columns, text, -1<<63, each)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	got, texts, err := readTable(func(each each) error {
		_, err := db.scan(tab, columns, text, each)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, wantRows) || !reflect.DeepEqual(texts, wantTexts) {
		t.Errorf("%s: %d rows differ from SQLite's %d", tab.name, len(got), len(wantRows))
	}
	if db.pages == nil {
		return errUnusual
	}
	_, _, direct = db.pages.scan(tab, columns, text, rows(func([]int64, []byte) {}))
	return direct
}

// bigTables is what the reader asks of each table.
var bigTables = map[string]struct {
	columns []column
	text    string
}{
	"CUPTI_ACTIVITY_KIND_KERNEL": {kernelColumns, ""}, "CUPTI_ACTIVITY_KIND_RUNTIME": {callColumns, ""},
	"NVTX_EVENTS": {nvtxColumns, "text"}, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION": {waitColumns, ""},
	"PROFILER_OVERHEAD": {overheadColumns, ""}, "CUPTI_ACTIVITY_KIND_OVERHEAD": {overheadColumns, ""},
	"CUPTI_ACTIVITY_KIND_MEMCPY": {columns(column{"bytes", -1}, column{"copyKind", 0}), ""}, "CUPTI_ACTIVITY_KIND_MEMSET": {columns(column{"memKind", -1}), ""},
	"OSRT_API": {[]column{{"start", noTime}, {"end", 0}, {"globalTid", noGlobal}, {"nameId", -1}}, ""}, "StringIds": {[]column{{"id", -1}}, "value"},
}

func TestPathsAgreeOnCorpus(t *testing.T) {
	for path, isTrace := range corpus(t) {
		if !isTrace {
			continue
		}
		db, err := open(path)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range bigTables {
			for _, tab := range db.versions(name) {
				if err := comparePaths(t, db, tab, want.columns, want.text); err != nil {
					t.Errorf("%s: %s was left to SQLite: %v", filepath.Base(path), tab.name, err)
				}
			}
		}
		db.close()
	}
}

func TestPathsAgree(t *testing.T) {
	const plain = "CREATE TABLE x (start INTEGER, end INTEGER, text TEXT)"
	fill := func(n int, values string) string {
		return fmt.Sprintf("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < %d) INSERT INTO x SELECT %s FROM n", n, values)
	}
	wide := make([]string, 200)
	for i := range wide {
		wide[i] = fmt.Sprintf("c%d INTEGER", i)
	}
	for _, c := range []struct {
		name       string
		statements []string
		direct     bool // without SQLite
	}{
		{"every length of integer", []string{plain, fmt.Sprintf(`INSERT INTO x VALUES (0, 1, ''), (-1, 127, NULL), (-128, 128, 'a'),
			(-32768, 32767, 'b'), (8388607, -8388608, 'c'), (2147483647, -2147483648, 'd'), (140737488355327, -140737488355328, 'e'),
			(%d, %d, 'f'), (NULL, NULL, NULL)`, math.MaxInt64, math.MinInt64)}, true},
		{"no row", []string{plain}, true},
		{"empty texts", []string{plain, "INSERT INTO x VALUES (1, 2, ''), (3, 4, ''), (5, 6, NULL)"}, true},
		{"several levels", []string{plain, fill(20000, "i*1000, i, 'text ' || i")}, true},
		{"small pages", []string{"PRAGMA page_size=512", plain, fill(3000, "i*1000, i, 'text ' || i")}, true},
		{"large pages", []string{"PRAGMA page_size=65536", plain, fill(30000, "i*1000, i, 'text ' || i")}, true},
		{"auto-vacuum", []string{"PRAGMA auto_vacuum=FULL", plain, fill(20000, "i*1000, i, 'text ' || i")}, true},
		{"long texts", []string{plain, fill(200, "i, i, substr(hex(zeroblob(20000)), 1, i*i) || 'end'")}, true},
		{"long texts on small pages", []string{"PRAGMA page_size=512", plain, fill(300, "i, i, substr(hex(zeroblob(2000)), 1, i*5) || 'end'")}, true},
		{"more heads than are remembered", []string{plain, fill(20000, "(i * 2654435761 << 20) >> (i % 61), CASE i % 7 WHEN 0 THEN NULL ELSE i * i >> (i % 23) END, substr(hex(zeroblob(400)), 1, i * 31 % 800)")}, true},
		{"long head", []string{"CREATE TABLE x (" + strings.Join(wide, ", ") + ", start INTEGER, text TEXT)",
			fill(100, strings.TrimSuffix(strings.Repeat("i, ", 200), ", ")+", i*7, 'x'")}, true},
		{"deleted rows", []string{plain, fill(5000, "i, i, 'text ' || i"), "DELETE FROM x WHERE start % 3 = 0 OR start BETWEEN 1000 AND 3000"}, true},
		{"two tables in turns", []string{plain, "CREATE TABLE y (a)", fill(3000, "i, i, 'x'"), "INSERT INTO y SELECT text FROM x", fill(3000, "-i, i, 'y'")}, true},
		{"row numbers out of order", []string{plain, "INSERT INTO x (rowid, start) VALUES (-5, 1), (9223372036854775807, 2), (7, 3)"}, true},
		{"numbered by a column", []string{"CREATE TABLE x (start INTEGER PRIMARY KEY AUTOINCREMENT, end INTEGER, text TEXT)", "INSERT INTO x VALUES (5, 6, 'a'), (900, 7, 'b')"}, true},
		{"a key that is no row number", []string{"CREATE TABLE x (start INTEGER PRIMARY KEY DESC, end INTEGER, text TEXT)", "INSERT INTO x VALUES (5, 6, 'a'), (900, 7, 'b'), (NULL, 8, 'c')"}, true},
		{"a column added later", []string{plain, fill(10, "i, i, 'x'"), "ALTER TABLE x ADD COLUMN more INTEGER", "INSERT INTO x VALUES (1, 2, 'y', 3)"}, true},
		{"a column added later with a value", []string{"CREATE TABLE x (start INTEGER, text TEXT)", "INSERT INTO x VALUES (1, 'x')", "ALTER TABLE x ADD COLUMN end INTEGER DEFAULT 77"}, false},
		{"a text among numbers", []string{plain, fill(3000, "CASE i WHEN 2000 THEN 'soon' ELSE i END, i, 'x' || i")}, false},
		{"a fraction among numbers", []string{plain, fill(3000, "CASE i WHEN 2000 THEN 1.5 ELSE i END, i, 'x' || i")}, false},
		{"a number among texts", []string{"CREATE TABLE x (start INTEGER, end INTEGER, text)", fill(3000, "i, i, CASE i WHEN 2000 THEN 5 ELSE 'x' END")}, false},
		{"a blob among texts", []string{plain, fill(3000, "i, i, CASE i WHEN 2000 THEN x'0102' ELSE 'x' END")}, true},
		{"a computed column", []string{"CREATE TABLE x (twice INTEGER AS (start * 2), start INTEGER, end INTEGER, text TEXT)", "INSERT INTO x VALUES (1, 2, 'x')"}, false},
		{"without row numbers", []string{"CREATE TABLE x (start INTEGER, end INTEGER, text TEXT, PRIMARY KEY (start, end)) WITHOUT ROWID", fill(3000, "-i, i, 'x' || i")}, false},
		{"UTF-16", []string{"PRAGMA encoding='UTF-16be'", plain, fill(100, "i, i, 'täxt'")}, false},
	} {
		for _, procs := range []int{1, 2} {
			t.Run(fmt.Sprintf("%s on %d", c.name, procs), func(t *testing.T) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
				db, err := open(write(t, append(c.statements, stringIds())...))
				if err != nil {
					t.Fatal(err)
				}
				defer db.close()
				columns := []column{{"start", -1 << 63}, {"end", 7}, {"missing", 8}, {"START", 0}}[:3]
				err = comparePaths(t, db, db.table("x"), columns, "text")
				if c.direct && err != nil || !c.direct && !errors.Is(err, errUnusual) {
					t.Errorf("read without SQLite: %v", err)
				}
			})
		}
	}
}

// TestReservedBytes reads pages whose ends are not for content: header byte 20, which encryption extensions set. The cells of
// this file lie there, which makes it a damaged one.
func TestReservedBytes(t *testing.T) {
	b := damagedExport(t)
	path := filepath.Join(t.TempDir(), "x.sqlite")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.close()
	kernels := db.table("CUPTI_ACTIVITY_KIND_KERNEL")
	for reserved, want := range map[byte]error{0: nil, 32: errUnusual} {
		b[20] = reserved
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		p := openPages(path, int64(len(b)))
		defer p.f.Close()
		if _, _, err := p.scan(kernels, kernelColumns, "", rows(func([]int64, []byte) {})); err != want {
			t.Errorf("%d bytes reserved: %v", reserved, err)
		}
	}
}

func TestVarint(t *testing.T) {
	for _, c := range []struct {
		in   string
		want uint64
		n    int
	}{
		{"\x00", 0, 1}, {"\x7f", 127, 1}, {"\x81\x00", 128, 2}, {"\xff\x7f", 1<<14 - 1, 2},
		{"\xff\xff\xff\xff\xff\xff\xff\xff\xff", math.MaxUint64, 9}, {"\x80\x80\x80\x80\x80\x80\x80\x80\x01", 1, 9},
		{"", 0, 0}, {"\x80", 0, 0}, {"\xff\xff\xff\xff\xff\xff\xff\xff", 0, 0},
	} {
		if v, n := varint([]byte(c.in)); v != c.want || n != c.n {
			t.Errorf("%x: %d of %d bytes, want %d of %d", c.in, v, n, c.want, c.n)
		}
	}
}

// FuzzPages damages the pages of one table: the page reader must neither panic nor run on, and what it delivers has row
// numbers that rise.
func FuzzPages(f *testing.F) {
	whole := damagedExport(f)
	for at := range 60 {
		f.Add(uint32(at*953), []byte{byte(at * 37), byte(at)}, uint32(at*2111), []byte{255, 1, 2, 3})
	}
	path := filepath.Join(f.TempDir(), "fuzz.sqlite")
	f.Fuzz(func(t *testing.T, at1 uint32, put1 []byte, at2 uint32, put2 []byte) {
		b := append([]byte(nil), whole...)
		copy(b[at1%uint32(len(b)):], put1)
		copy(b[at2%uint32(len(b)):], put2)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		p := openPages(path, int64(len(b)))
		if p == nil {
			return
		}
		defer p.f.Close()
		for root := range p.count + 2 {
			tab := &table{name: "x", columns: []string{"start", "end", "a", "b", "c", "d", "text"}, defaults: make([]bool, 7), root: root, plain: true}
			n, _, err := p.scan(tab, []column{{"start", 0}, {"end", 1}, {"b", 2}}, "text", rows(func([]int64, []byte) {}))
			if err == nil && n > int64(len(b)) {
				t.Errorf("%d rows", n)
			}
			finder := (&database{pages: p}).newFinder(tab, "text")
			for id := range int64(4) {
				finder.text(id * 90)
			}
		}
	})
}

func TestFinder(t *testing.T) {
	for _, statements := range [][]string{
		{"CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT)"},
		{"CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT)", "INSERT INTO StringIds VALUES (5, 'five'), (9, NULL)"},
		{"PRAGMA page_size=512", "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT)",
			"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 9000) INSERT INTO StringIds SELECT i*3-900, 'text ' || i || substr(hex(zeroblob(700)), 1, i % 1400) FROM n"},
	} {
		db, err := open(write(t, statements...))
		if err != nil {
			t.Fatal(err)
		}
		defer db.close()
		f := db.newFinder(db.table("StringIds"), "value")
		want := map[int64]string{}
		if _, err := db.query(db.table("StringIds"), []column{{"id", 0}}, "value", -1<<63, rows(func(ints []int64, text []byte) {
			if text != nil {
				want[ints[0]] = string(text)
			}
		})); err != nil {
			t.Fatal(err)
		}
		for id := int64(-1000); id < 27000; id += 1 + id&3 {
			text, err := f.text(id)
			w, ok := want[id]
			if err != nil || (text != nil) != ok || string(text) != w {
				t.Fatalf("%d: %q, %v; want %q", id, text, err, w)
			}
		}
	}
}
