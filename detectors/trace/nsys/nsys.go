// Package nsys reads the SQLite export of an Nsight Systems report (nsys export --type sqlite), versions 2020 to 2026.
//
// Tables are created lazily by the exporter and columns come and go between versions, so both are addressed by name and
// nothing but the table of strings is required. Other tools add tables, columns and indexes of their own: they are ignored.
//
// Rows of plain tables are decoded from the pages of the file (pages.go); SQLite gives the schema and the small tables, and
// reads all that is not plain.
package nsys

import (
	"errors"
	"fmt"
	"io/fs"

	"perflint/detectors/trace"
)

// Options of a read.
type Options struct {
	Progress func(rows int64) // called now and then with the number of rows read so far; may be nil
}

// Reason tells why a file cannot be read.
type Reason uint8

// The reasons.
const (
	NotExport Reason = iota // an SQLite database of something else, or no database at all
	Empty                   // no bytes, or a database without tables
	Damaged                 // not even the list of tables or none of the tables can be read
)

// Error says in one sentence why a file is of no use. Failures to open it are plain errors of the operating system.
type Error struct {
	Reason Reason
	Path   string
	Text   string
	Err    error // of SQLite, may be nil
}

func (e *Error) Error() string { return e.Path + ": " + e.Text }

// Unwrap gives what SQLite said.
func (e *Error) Unwrap() error { return e.Err }

// Read reads the export at path. The file is opened read-only and nothing is written beside it. What a damaged file still
// holds is returned with notes and Cut set; an error of type *Error means that there is nothing to return.
func Read(path string, opt Options) (*trace.Trace, error) {
	db, err := open(path)
	if err != nil {
		var known *Error
		var file *fs.PathError
		if errors.As(err, &known) || errors.As(err, &file) {
			return nil, err
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer db.close()
	return db.read(path, opt)
}

func (db *database) read(path string, opt Options) (*trace.Trace, error) {
	r := newReader(db, opt)
	r.readMeta()
	r.reserve()
	r.readCalls()
	r.readWork()
	r.readWaits()
	r.readRanges()
	r.readOverheads()
	r.readMemory()
	r.readThreadNames()
	r.finish()
	if r.b.Cut && r.b.Rows() == 0 {
		return nil, &Error{Damaged, path, "the database is damaged and none of its events can be read", r.damage}
	}
	return r.b.Build(), nil
}
