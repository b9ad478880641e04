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

// progressRows is about how many rows lie between two calls of Options.Progress.
const progressRows = 1 << 16

// noTime stands for a start that is NULL. No exporter writes one: it is what a page that was never written reads as.
const noTime = -1 << 63

// scan calls each with all rows of t, in the file's order. The integers of a row are the values of the columns, its text is that
// of the text column, if there is one: nil when it is NULL or not in the table.
func (r *reader) scan(t *table, columns []column, text string, each each) {
	timed := columns[0].name == "start"
	spans := timed && columns[1].name == "end"
	n, err := r.db.scan(t, columns, text, func(worker int, b *batch) func() {
		if timed && b.least == noTime || spans && r.db.cut {
			r.lostRows += b.keep(func(v []int64) bool {
				return v[0] != noTime && !(r.db.cut && spans && v[1] < v[0] && v[1] != openEnd)
			})
		}
		before := r.rows
		if r.rows += int64(b.rows); r.progress != nil && r.rows/progressRows > before/progressRows {
			r.progress(r.rows)
		}
		return each(worker, b)
	})
	if err != nil {
		r.damaged(t.name, n, err)
	}
}

// keep drops the other rows and returns their number.
func (b *batch) keep(ok func(v []int64) bool) (dropped int) {
	kept := 0
	for i := range b.rows {
		if !ok(b.row(i)) {
			continue
		}
		copy(b.row(kept), b.row(i))
		if len(b.spans) > 0 {
			b.spans[kept] = b.spans[i]
		}
		kept++
	}
	dropped, b.rows = b.rows-kept, kept
	return dropped
}

// scanAll scans a table and its versioned forms and returns the number of rows.
func (r *reader) scanAll(name string, columns []column, each each) int64 {
	before := r.rows
	for _, t := range r.db.versions(name) {
		r.scan(t, columns, "", each)
	}
	return r.rows - before
}

// rows makes a function for single rows one for batches. Both of its arguments are overwritten by the next row.
func rows(row func(ints []int64, text []byte)) each {
	return func(_ int, b *batch) func() {
		for i := range b.rows {
			row(b.row(i), b.text(i))
		}
		return nil
	}
}

// ints is rows for tables without a text.
func ints(row func(ints []int64)) each { return rows(func(v []int64, _ []byte) { row(v) }) }

func (r *reader) damaged(table string, rows int64, err error) {
	r.b.Cut = true
	if r.damage == nil {
		r.damage = err
	}
	r.b.Note("cut", fmt.Sprintf("table %s is damaged: %d rows were read, the rest is lost", table, rows))
}

// scan reads the pages itself as far as it can, and lets SQLite do the rest.
func (db *database) scan(t *table, columns []column, text string, each each) (rows int64, err error) {
	last := int64(-1 << 63)
	if db.pages != nil {
		if rows, last, err = db.pages.scan(t, columns, text, each); err == nil {
			return rows, nil
		}
	}
	more, err := db.query(t, columns, text, last, each)
	return rows + more, err
}

// queryRows is the number of rows that SQLite reads into a batch.
const queryRows = 1 << 10

// query scans a table with SQLite; of the rows that number up, only those behind the number after.
func (db *database) query(t *table, columns []column, text string, after int64, each each) (rows int64, err error) {
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
	b, more := &batch{width: len(columns)}, true
	for limit := db.size / minRow; more && err == nil; rows += int64(b.rows) {
		if rows >= limit {
			return rows, sqlite.ResultCorrupt.ToError()
		}
		b.reset()
		more, err = b.step(stmt, withText, int(min(queryRows, limit-rows)))
		if b.rows == 0 {
			continue
		}
		if rest := each(0, b); rest != nil {
			rest()
		}
	}
	return rows, err
}

// step fills a batch with the next n rows of a query; more is false behind the last.
func (b *batch) step(stmt *sqlite.Stmt, withText bool, n int) (more bool, err error) {
	for b.rows < n {
		if more, err := stmt.Step(); err != nil || !more {
			return false, err
		}
		for i := range b.width {
			b.ints = append(b.ints, stmt.ColumnInt64(i))
		}
		b.least = min(b.least, b.row(b.rows)[0])
		if withText {
			text := columnText(stmt, b.width, b.spill)
			if b.addText(text); text != nil {
				b.spill = text
			}
		}
		b.rows++
	}
	return true, nil
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
