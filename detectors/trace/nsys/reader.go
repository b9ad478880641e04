package nsys

import (
	"fmt"
	"sync"

	"perflint/detectors/trace"
)

// reader carries what the tables must know of each other.
type reader struct {
	db       *database
	b        *trace.Builder
	progress func(int64)
	rows     int64 // read so far
	last     int64 // latest end of any event
	damage   error // the first error of SQLite inside a table

	strings     stringTable
	lostStrings int
	lostRows    int // without a time, or ending before they start in a file that is cut short
	names       byID[trace.Text]
	callNames   byID[callName]
	kernelIDs   byID[trace.Text] // of names that the file does not hold
	graphNames  byID[trace.Text]
	labels      byID[label]

	threads      map[int64]int32 // by globalTid
	lastTID      int64
	lastThread   int32
	namePriority map[int32]int64

	schema      [2]int          // major and minor version of the export's schema, zero when it does not say
	sms         map[int64]int64 // multiprocessors by CUDA ordinal
	processes   map[int64]bool  // that made calls
	soleProcess int64           // the only process that made calls, else 0
	syncCalls   map[callKey]trace.WaitKind
	hasWork     bool
	env         environment
	shared      sync.Mutex // held by workers while they ask
	workers     [maxWorkers]*worker
	unfinished  []trace.RangeRow // whose end the file does not know
}

func newReader(db *database, opt Options) *reader {
	r := &reader{
		db: db, b: trace.NewBuilder("nsys"), progress: opt.Progress,
		threads: map[int64]int32{}, namePriority: map[int32]int64{},
		sms: map[int64]int64{}, processes: map[int64]bool{}, syncCalls: map[callKey]trace.WaitKind{},
	}
	r.b.Cut = db.cut
	for _, note := range db.notes {
		r.b.Note(note.Code, note.Text)
	}
	r.openStrings()
	return r
}

// finish adds what only the end of the file settles.
func (r *reader) finish() {
	for _, row := range r.unfinished {
		row.End = max(row.Start, r.last)
		r.b.AddRange(row)
	}
	if n := len(r.unfinished); n > 0 {
		r.b.Note("open", fmt.Sprintf("%d NVTX ranges were still open when the capture ended; they end with it", n))
	}
	if r.lostRows > 0 {
		r.b.Cut = true
		r.b.Note("dropped", fmt.Sprintf("%d rows without a time were left out", r.lostRows))
	}
	if r.lostStrings > 0 {
		r.b.Cut = true
		r.b.Note("cut", fmt.Sprintf("table StringIds is damaged: %d names are lost", r.lostStrings))
	}
	r.b.NoCUDATables = len(r.processes) == 0 && !r.hasWork
	r.rank()
}
