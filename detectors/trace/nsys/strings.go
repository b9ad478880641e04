package nsys

import (
	"strings"
	"unicode/utf8"

	"zombiezen.com/go/sqlite"

	"perflint/detectors/trace"
)

// stringTable looks strings up by id. Only those that rows refer to are read: the table also holds the environments of other
// processes of the host.
type stringTable struct {
	finder *finder // nil where SQLite must look up
	lookup *sqlite.Stmt
	all    map[int64]string // where the id is not the row's number, so that a look-up would scan the table
}

func (r *reader) openStrings() {
	t := r.db.table("StringIds")
	if !t.has("id") || !t.has("value") {
		r.b.Note("schema", "table StringIds lacks its columns: events have no names")
		return
	}
	if strings.EqualFold(t.rowid, "id") {
		stmt, _, err := r.db.conn.PrepareTransient("SELECT value FROM " + quote(t.name) + " WHERE id = ?")
		if err != nil {
			r.damaged(t.name, 0, err)
			return
		}
		r.strings.lookup, r.strings.finder = stmt, r.db.newFinder(t, "value")
		return
	}
	r.strings.all = map[int64]string{}
	r.scan(t, []column{{"id", -1}}, "value", rows(func(ints []int64, text []byte) { r.strings.all[ints[0]] = validText(text) }))
}

// string is the text of a string id; ok is false where the file has no such string.
func (r *reader) string(id int64) (s string, ok bool) {
	if r.strings.lookup == nil {
		s, ok = r.strings.all[id]
		return s, ok
	}
	if r.strings.finder != nil {
		if text, err := r.strings.finder.text(id); err == nil {
			return validText(text), text != nil
		}
	}
	stmt := r.strings.lookup
	defer stmt.Reset()
	stmt.BindInt64(1, id)
	more, err := stmt.Step()
	if err != nil {
		r.lostStrings++
		return "", false
	}
	if !more || stmt.ColumnIsNull(0) {
		return "", false
	}
	return validText(columnText(stmt, 0, nil)), true
}

// name is the interned text of a string id, empty where there is none.
func (r *reader) name(id int64) trace.Text { return r.names.get(id, r.makeName) }

func (r *reader) makeName(id int64) trace.Text {
	s, _ := r.string(id)
	return r.b.Names.Intern(s)
}

// validText replaces bytes that are no UTF-8: exporters write what the traced program gave them.
func validText(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return strings.ToValidUTF8(string(b), "\uFFFD")
}
