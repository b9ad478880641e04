package nsys

import (
	"strings"
	"unicode/utf8"

	"zombiezen.com/go/sqlite"

	"perflint/detectors/trace"
)

// denseIDs bounds the ids that are kept in a slice; trimmed files number a hundred strings up to several millions.
const denseIDs = 1 << 24

// byID remembers a value for each id that was asked for.
type byID[V any] struct {
	dense  []V
	known  []bool
	sparse map[int64]V
}

// get returns the value of id and makes it when id is new.
func (m *byID[V]) get(id int64, make func(int64) V) V {
	if id >= 0 && id < int64(len(m.dense)) && m.known[id] {
		return m.dense[id]
	}
	if v, ok := m.sparse[id]; ok {
		return v
	}
	v := make(id)
	m.put(id, v)
	return v
}

func (m *byID[V]) put(id int64, v V) {
	if id < 0 || id >= denseIDs {
		if m.sparse == nil {
			m.sparse = map[int64]V{}
		}
		m.sparse[id] = v
		return
	}
	if n := int(id) + 1; n > len(m.dense) {
		grow := max(n, 2*len(m.dense), 1024)
		m.dense = append(m.dense, make([]V, grow-len(m.dense))...)
		m.known = append(m.known, make([]bool, grow-len(m.known))...)
	}
	m.dense[id], m.known[id] = v, true
}

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
