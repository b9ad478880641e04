package nsys

import (
	"strings"

	"zombiezen.com/go/sqlite"
)

// table is an ordinary table of the file.
type table struct {
	name     string
	columns  []string
	defaults []bool // by column: rows from before the column was added have a value for it
	rowid    string // column that is the row's number, empty when there is none
	root     uint32 // page where its tree starts
	plain    bool   // each column is a part of the row's record
}

// has tells whether the table has a column of that name, in any case, as SQLite compares them.
func (t *table) has(column string) bool { return t.index(column) >= 0 }

func (t *table) index(column string) int {
	for i, c := range t.columns {
		if strings.EqualFold(c, column) {
			return i
		}
	}
	return -1
}

// listTables finds the ordinary tables. Views and virtual tables are somebody else's programs and are never run.
func (db *database) listTables() error {
	stmt, _, err := db.conn.PrepareTransient("SELECT name, rootpage FROM sqlite_master WHERE type = 'table' AND rootpage > 0")
	if err != nil {
		return err
	}
	defer stmt.Finalize()
	for {
		more, err := stmt.Step()
		if err != nil {
			if len(db.tables) > 0 && sqlite.ErrCode(err).ToPrimary() == sqlite.ResultCorrupt {
				return db.listColumns() // the exporter creates the tables first; what comes later is lost
			}
			return err
		}
		if !more {
			return db.listColumns()
		}
		db.tables = append(db.tables, &table{name: stmt.ColumnText(0), root: uint32(stmt.ColumnInt64(1)), plain: true})
	}
}

// listColumns leaves out tables whose definition does not parse. A lone INTEGER key is the row's number, unless SQLite keeps
// an index for it.
func (db *database) listColumns() error {
	stmt, _, err := db.conn.PrepareTransient(`SELECT name, dflt_value IS NOT NULL, hidden, pk = 1 AND type = 'INTEGER' COLLATE NOCASE
		AND NOT EXISTS (SELECT 1 FROM pragma_index_list(?1) WHERE origin = 'pk') FROM pragma_table_xinfo(?1)`)
	if err != nil {
		return err
	}
	defer stmt.Finalize()
	kept := db.tables[:0]
	for _, t := range db.tables {
		stmt.BindText(1, t.name)
		for {
			more, err := stmt.Step()
			if err != nil || !more {
				break
			}
			if stmt.ColumnInt(2) != 0 { // computed from others when it is read
				t.plain = false
				continue
			}
			t.columns = append(t.columns, stmt.ColumnText(0))
			t.defaults = append(t.defaults, stmt.ColumnBool(1))
			if stmt.ColumnBool(3) {
				t.rowid = stmt.ColumnText(0)
			}
		}
		stmt.Reset()
		if len(t.columns) > 0 {
			kept = append(kept, t)
		}
	}
	db.tables = kept
	return nil
}

// table finds a table by its name in any case, or nil.
func (db *database) table(name string) *table {
	for _, t := range db.tables {
		if strings.EqualFold(t.name, name) {
			return t
		}
	}
	return nil
}

// versions finds a table and its versioned forms, as in …_KERNEL_V10.
func (db *database) versions(name string) []*table {
	var found []*table
	for _, t := range db.tables {
		if len(t.name) < len(name) || !strings.EqualFold(t.name[:len(name)], name) {
			continue
		}
		if rest := t.name[len(name):]; rest == "" || cutVersion(rest) == "" {
			found = append(found, t)
		}
	}
	return found
}

// cutVersion cuts one _v7000-like suffix, in any case.
func cutVersion(s string) string {
	digits := strings.TrimRight(s, "0123456789")
	if len(digits) < len(s) && len(digits) >= 2 && strings.EqualFold(digits[len(digits)-2:], "_v") {
		return digits[:len(digits)-2]
	}
	return s
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
