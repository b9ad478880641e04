package nsys

import (
	"fmt"
	"strconv"
	"strings"

	"zombiezen.com/go/sqlite"
)

// column is an integer column of a table and the value that stands for NULL and for a column that is not there.
type column struct {
	name   string
	absent int64
}

// minRow is the least that a row of a table takes in the file. A damaged tree can list the same pages again and again: more
// rows than fit into the file are not in it.
const minRow = 4

// progressRows is how many rows lie between two calls of Options.Progress.
const progressRows = 1 << 16

// noTime stands for a start that is NULL. No exporter writes one: it is what a page that was never written reads as.
const noTime = -1 << 63

// scan calls each for every row of t, in the file's order. ints are the values of the columns, text is that of the text
// column, if there is one: nil when it is NULL or not in the table. Both are overwritten by the next row.
func (r *reader) scan(t *table, columns []column, text string, each func(ints []int64, text []byte)) {
	timed := columns[0].name == "start"
	spans := timed && columns[1].name == "end"
	n, err := r.db.scan(t, columns, text, func(ints []int64, text []byte) {
		if timed && (ints[0] == noTime || r.db.cut && spans && ints[1] < ints[0] && ints[1] != openEnd) {
			r.lostRows++
			return
		}
		each(ints, text)
		if r.rows++; r.rows%progressRows == 0 && r.progress != nil {
			r.progress(r.rows)
		}
	})
	if err != nil {
		r.damaged(t.name, n, err)
	}
}

// scanAll scans a table and its versioned forms and returns the number of rows.
func (r *reader) scanAll(name string, columns []column, each func(ints []int64)) int64 {
	before := r.rows
	for _, t := range r.db.versions(name) {
		r.scan(t, columns, "", func(ints []int64, _ []byte) { each(ints) })
	}
	return r.rows - before
}

func (r *reader) damaged(table string, rows int64, err error) {
	r.b.Cut = true
	if r.damage == nil {
		r.damage = err
	}
	r.b.Note("cut", fmt.Sprintf("table %s is damaged: %d rows were read, the rest is lost", table, rows))
}

// scan reads the pages itself as far as it can, and lets SQLite do the rest.
func (db *database) scan(t *table, columns []column, text string, each func([]int64, []byte)) (rows int64, err error) {
	last := int64(-1 << 63)
	if db.pages != nil {
		if rows, last, err = db.pages.scan(t, columns, text, each); err == nil {
			return rows, nil
		}
	}
	more, err := db.query(t, columns, text, last, each)
	return rows + more, err
}

// query scans a table with SQLite; of the rows that number up, only those behind the number after.
func (db *database) query(t *table, columns []column, text string, after int64, each func([]int64, []byte)) (rows int64, err error) {
	withText := text != "" && t.has(text)
	query := selection(t, columns, text, withText)
	if after != -1<<63 {
		query += " WHERE rowid > " + strconv.FormatInt(after, 10)
	}
	stmt, _, err := db.conn.PrepareTransient(query)
	if err != nil {
		return 0, err
	}
	defer stmt.Finalize()
	ints := make([]int64, len(columns))
	var bytes []byte
	for limit := db.size / minRow; ; rows++ {
		more, err := stmt.Step()
		if err != nil || !more {
			return rows, err
		}
		if rows >= limit {
			return rows, sqlite.ResultCorrupt.ToError()
		}
		for i := range ints {
			ints[i] = stmt.ColumnInt64(i)
		}
		if withText {
			bytes = columnText(stmt, len(columns), bytes)
			each(ints, bytes)
			continue
		}
		each(ints, nil)
	}
}

// columnText copies the text of a column into buf, which is nil only for NULL.
func columnText(stmt *sqlite.Stmt, col int, buf []byte) []byte {
	n := stmt.ColumnLen(col)
	if n == 0 && stmt.ColumnIsNull(col) {
		return nil
	}
	if buf == nil || cap(buf) < n {
		buf = make([]byte, n, max(2*n, 256))
	}
	buf = buf[:n]
	stmt.ColumnBytes(col, buf)
	return buf
}

// selection is the statement for a scan: without any ORDER BY, so that SQLite makes one pass over the table's pages.
func selection(t *table, columns []column, text string, withText bool) string {
	var s strings.Builder
	s.WriteString("SELECT ")
	for i, c := range columns {
		if i > 0 {
			s.WriteString(", ")
		}
		absent := strconv.FormatInt(c.absent, 10)
		switch {
		case !t.has(c.name):
			s.WriteString(absent)
		case c.absent == 0:
			s.WriteString(quote(c.name))
		default:
			s.WriteString("IFNULL(" + quote(c.name) + ", " + absent + ")")
		}
	}
	if withText {
		s.WriteString(", " + quote(text))
	}
	return s.String() + " FROM " + quote(t.name) + " NOT INDEXED"
}

// reserve makes room for the rows of the big tables.
func (r *reader) reserve() {
	rows := func(names ...string) (n int) {
		for _, name := range names {
			for _, t := range r.db.versions(name) {
				n += r.db.atMost(t)
			}
		}
		return n
	}
	r.b.Reserve(
		rows("CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET", "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"),
		rows("CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_DRIVER"),
		rows("NVTX_EVENTS", "OSRT_API"))
}

// atMost bounds the number of rows of a table without counting them: rows are numbered up, and an event takes its room. Only
// a lone max or min is a look at one end of the table.
func (db *database) atMost(t *table) int {
	const event = 20
	stmt, _, err := db.conn.PrepareTransient("SELECT (SELECT max(rowid) FROM " + quote(t.name) + ") - (SELECT min(rowid) FROM " + quote(t.name) + ") + 1")
	if err != nil {
		return 0
	}
	defer stmt.Finalize()
	if _, err := stmt.Step(); err != nil {
		return 0
	}
	return int(max(0, min(stmt.ColumnInt64(0), db.size/event)))
}

// fields is one row of a small table.
type fields struct {
	stmt *sqlite.Stmt
	t    *table
}

// records calls each for every row of a small table, addressed by column name. A missing table has no rows.
func (r *reader) records(name string, each func(fields)) {
	t := r.db.table(name)
	if t == nil {
		return
	}
	quoted := make([]string, len(t.columns))
	for i, c := range t.columns {
		quoted[i] = quote(c)
	}
	stmt, _, err := r.db.conn.PrepareTransient("SELECT " + strings.Join(quoted, ", ") + " FROM " + quote(t.name) + " NOT INDEXED")
	if err != nil {
		r.damaged(t.name, 0, err)
		return
	}
	defer stmt.Finalize()
	for n := int64(0); ; n++ {
		more, err := stmt.Step()
		if err == nil && n > r.db.size/minRow {
			err = sqlite.ResultCorrupt.ToError()
		}
		if err != nil {
			r.damaged(t.name, n, err)
			return
		}
		if !more {
			return
		}
		each(fields{stmt, t})
	}
}

// int is the first of those columns that is there and not NULL, else absent.
func (f fields) int(absent int64, names ...string) int64 {
	for _, name := range names {
		if i := f.t.index(name); i >= 0 && !f.stmt.ColumnIsNull(i) {
			return f.stmt.ColumnInt64(i)
		}
	}
	return absent
}

// text is a column's text, empty when it is NULL or not there.
func (f fields) text(name string) string {
	if i := f.t.index(name); i >= 0 {
		return strings.ToValidUTF8(f.stmt.ColumnText(i), "\uFFFD")
	}
	return ""
}
