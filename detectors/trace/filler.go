package trace

import (
	"sync"

	"perflint/detectors/span"
)

// WorkRoom is room for activities that come later.
type WorkRoom struct {
	start, end           []span.Time
	name                 []Text
	kind                 []WorkKind
	corr, stream, detail []int32
}

// CallRoom is room for calls that come later.
type CallRoom struct {
	start, end   []span.Time
	name         []Text
	failed       []bool
	corr, thread []int32
}

// WorkRoom makes room for n activities behind those that were added. All of it must be filled before Build.
func (b *Builder) WorkRoom(n int) WorkRoom {
	w := &b.work
	return WorkRoom{w.start.extend(n), w.end.extend(n), w.name.extend(n), w.kind.extend(n), w.corr.extend(n), w.stream.extend(n), w.detail.extend(n)}
}

// CallRoom makes room for n calls behind those that were added. All of it must be filled before Build.
func (b *Builder) CallRoom(n int) CallRoom {
	c := &b.calls
	return CallRoom{c.start.extend(n), c.end.extend(n), c.name.extend(n), c.failed.extend(n), c.corr.extend(n), c.thread.extend(n)}
}

// Filler puts rows into room that was made for them. Several goroutines fill one builder at the same time, each with a filler of
// its own, while another makes room.
type Filler struct {
	b       *Builder
	shared  sync.Locker
	details [1 << 8]struct {
		detail detail
		at     int32
		known  bool
	}
	streams [1 << 6]struct {
		stream Stream
		at     int32
		known  bool
	}
	stream int // of streams: that of the row before
	seed   uint64
}

// NewFiller makes a filler. It holds the lock while it asks the builder for what that keeps only once.
func (b *Builder) NewFiller(shared sync.Locker) *Filler {
	return &Filler{b: b, shared: shared, seed: newSeed()}
}

// Work puts an activity at place i.
func (f *Filler) Work(room *WorkRoom, i int, r *WorkRow) {
	room.start[i], room.end[i] = span.Time(r.Start), span.Time(max(r.Start, r.End))
	room.name[i], room.kind[i], room.corr[i] = r.Name, r.Kind, f.code(r.Corr)
	room.stream[i], room.detail[i] = f.streamOf(Stream{r.Process, r.Device, r.Context, r.Stream}), f.detailOf(r)
}

// Call puts a call at place i.
func (f *Filler) Call(room *CallRoom, i int, r *CallRow) {
	room.start[i], room.end[i] = span.Time(r.Start), span.Time(max(r.Start, r.End))
	room.name[i], room.thread[i], room.failed[i], room.corr[i] = r.Name, r.Thread, r.Failed, f.code(r.Corr)
}

func (f *Filler) code(corr int64) int32 {
	if c, ok := narrowCode(corr); ok {
		return c
	}
	f.shared.Lock()
	defer f.shared.Unlock()
	return f.b.wide.code(corr)
}

func (f *Filler) streamOf(s Stream) int32 {
	if at := &f.streams[f.stream]; at.known && at.stream == s {
		return at.at
	}
	f.stream = int(uint64(s.Number+s.Context*7+int64(s.Device)*31+s.Process*5) % uint64(len(f.streams)))
	at := &f.streams[f.stream]
	if !at.known || at.stream != s {
		f.shared.Lock()
		at.stream, at.at, at.known = s, f.b.stream(s), true
		f.shared.Unlock()
	}
	return at.at
}

func (f *Filler) detailOf(r *WorkRow) int32 {
	d := detailOf(r)
	at := &f.details[d.hash(f.seed)%uint64(len(f.details))]
	if !at.known || at.detail != d {
		f.shared.Lock()
		at.detail, at.at, at.known = d, f.b.details.index(&d), true
		f.shared.Unlock()
	}
	return at.at
}
