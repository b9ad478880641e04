package nsys

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"

	"perflint/detectors/trace"
)

// magic begins every SQLite database.
const magic = "SQLite format 3\x00"

// database is an open export: a connection that cannot write, and the tables that are there.
type database struct {
	conn    *sqlite.Conn
	pages   *pages // nil where SQLite must read everything
	size    int64  // of the file in bytes
	cut     bool   // the file is shorter than its header says
	tables  []*table
	notes   []trace.Note
	cleanup func()
}

func (db *database) close() {
	if db.conn != nil {
		db.conn.Close()
	}
	if db.pages != nil {
		db.pages.f.Close()
	}
	if db.cleanup != nil {
		db.cleanup()
	}
}

func open(path string) (*database, error) {
	db, err := inspect(path)
	if err != nil {
		return nil, err
	}
	if err = db.connect(path); err == nil {
		err = db.listTables()
	}
	switch {
	case err != nil:
		err = unusable(path, err)
	case db.cut && db.table("StringIds") == nil:
		err = &Error{Damaged, path, "the database is cut short: its list of tables is lost", nil}
	case len(db.tables) == 0:
		err = &Error{Empty, path, "is an SQLite database without tables", nil}
	case db.table("StringIds") == nil:
		err = &Error{NotExport, path, "is an SQLite database, but no Nsight Systems export: it has no table StringIds", nil}
	}
	if err != nil {
		db.close()
		return nil, err
	}
	return db, nil
}

// inspect looks at the header: what the file is, and whether it is all there.
func inspect(path string) (*database, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	head := make([]byte, 100)
	n, err := io.ReadFull(f, head)
	switch {
	case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, err
	case n == 0:
		return nil, &Error{Empty, path, "is empty", nil}
	case !bytes.HasPrefix(head, []byte(magic)):
		return nil, &Error{NotExport, path, "is no SQLite database", nil}
	}
	db := &database{size: info.Size()}
	if whole := wholeSize(head); db.size < whole {
		db.cut = true
		db.note(fmt.Sprintf("the file ends after %d of its %d bytes", db.size, whole))
	}
	return db, nil
}

// wholeSize is how long the header says that the file is, 0 where it does not say: the number of pages only counts when the
// last program to write it knew of that field.
func wholeSize(head []byte) int64 {
	if !bytes.Equal(head[24:28], head[92:96]) {
		return 0
	}
	return int64(pageSize(head)) * int64(binary.BigEndian.Uint32(head[28:]))
}

func (db *database) note(text string) {
	db.notes = append(db.notes, trace.Note{Code: "cut", Text: text})
}

func unusable(path string, err error) error {
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultCorrupt, sqlite.ResultNotADB, sqlite.ResultIOErr, sqlite.ResultFormat:
		return &Error{Damaged, path, "the database is damaged: its list of tables cannot be read", err}
	}
	return err
}

// connect opens the file so that nothing is ever written beside it. A write-ahead log that some tool left holds part of the
// data: SQLite reads it through a shared-memory file that it creates where there is none, so the two are copied first.
func (db *database) connect(path string) error {
	if info, err := os.Stat(path + "-journal"); err == nil && info.Size() > 0 {
		db.note("a rollback journal lies beside the file: writing it was interrupted")
	}
	query := "immutable=1"
	if info, err := os.Stat(path + "-wal"); err == nil && info.Size() > 0 {
		query = "readonly_shm=1"
		if _, err := os.Stat(path + "-shm"); err != nil {
			if path, err = db.copyAside(path); err != nil {
				return err
			}
			query = ""
		}
	} else if !db.cut {
		db.pages = openPages(path, db.size)
	}
	uri, err := fileURI(path, query)
	if err != nil {
		return err
	}
	db.conn, err = sqlite.OpenConn(uri, sqlite.OpenReadOnly|sqlite.OpenURI)
	if err != nil {
		return err
	}
	db.conn.SetBusyTimeout(2 * time.Second)
	// Without the first, SQLite refuses a truncated file as a whole, and one broken line of the schema spoils all others.
	return db.exec("PRAGMA writable_schema=ON", "PRAGMA trusted_schema=OFF")
}

// fileURI escapes what a URI would take for a query, a fragment or an escape.
func fileURI(path, query string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	abs = filepath.ToSlash(abs)
	if !strings.HasPrefix(abs, "/") {
		abs = "/" + abs
	}
	u := url.URL{Scheme: "file", Path: abs, RawQuery: "mode=ro"}
	if query != "" {
		u.RawQuery += "&" + query
	}
	return u.String(), nil
}

// copyAside copies a database and its log to a folder of its own, which close removes.
func (db *database) copyAside(path string) (string, error) {
	dir, err := os.MkdirTemp("", "perflint-")
	if err != nil {
		return "", err
	}
	db.cleanup = func() { os.RemoveAll(dir) }
	to := filepath.Join(dir, "export.sqlite")
	if err := copyFile(to, path); err != nil {
		return "", err
	}
	return to, copyFile(to+"-wal", path+"-wal")
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

func (db *database) exec(statements ...string) error {
	for _, s := range statements {
		stmt, _, err := db.conn.PrepareTransient(s)
		if err != nil {
			return err
		}
		_, err = stmt.Step()
		stmt.Finalize()
		if err != nil {
			return err
		}
	}
	return nil
}
