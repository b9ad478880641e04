package nsys

import (
	"strings"

	"zombiezen.com/go/sqlite"
)

// table is an ordinary table of the file.
type table struct {
	name    string
	columns []string
	rowid   string // column that is the row's number, empty when there is none
}

// has tells whether the table has a column of that name, in any case, as SQLite compares them.
func (t *table) has(column string) bool {
	for _, c := range t.columns {
		if strings.EqualFold(c, column) {
			return true
		}
	}
	return false
}

// listTables finds the ordinary tables. Views and virtual tables are somebody else's programs and are never run.
func (db *database) listTables() error {
	stmt, _, err := db.conn.PrepareTransient("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0")
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
		db.tables = append(db.tables, &table{name: stmt.ColumnText(0)})
	}
}

// listColumns leaves out tables whose definition does not parse.
func (db *database) listColumns() error {
	stmt, _, err := db.conn.PrepareTransient("SELECT name, type, pk FROM pragma_table_info(?)")
	if err != nil {
		return err
	}
	defer stmt.Finalize()
	kept := db.tables[:0]
	for _, t := range db.tables {
		stmt.BindText(1, t.name)
		keys := 0
		for {
			more, err := stmt.Step()
			if err != nil || !more {
				break
			}
			t.columns = append(t.columns, stmt.ColumnText(0))
			if stmt.ColumnInt(2) > 0 {
				keys++
				if strings.EqualFold(stmt.ColumnText(1), "INTEGER") {
					t.rowid = stmt.ColumnText(0)
				}
			}
		}
		if keys != 1 {
			t.rowid = ""
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
