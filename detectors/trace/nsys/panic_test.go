package nsys

import (
	"sync/atomic"
	"testing"
)

// A mistake of ours on whatever worker reaches who reads: nobody waits for ever for the turn of its chunk, and the process goes on.
func TestAMistakeOfAWorkerReachesTheReader(t *testing.T) {
	db, err := open(rowsExport(t, 60_000))
	if err != nil {
		t.Fatal(err)
	}
	defer db.close()
	for name, at := range map[string]func(n int64) func(){
		"in turn": func(n int64) func() {
			if n == 3 {
				panic("a mistake")
			}
			return nil
		},
		"beside": func(n int64) func() {
			return func() {
				if n == 3 {
					panic("a mistake")
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if r := recover(); r != "a mistake" {
					t.Errorf("got %v", r)
				}
			}()
			var batches atomic.Int64
			_, _, err := db.pages.scan(db.table("CUPTI_ACTIVITY_KIND_KERNEL"), kernelColumns, "", func(int, *batch) func() { return at(batches.Add(1)) })
			t.Errorf("the scan went on: %v", err)
		})
	}
}
