package nsys

import (
	"strings"

	"zombiezen.com/go/sqlite"
)

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
