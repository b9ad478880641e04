package trace

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// detail is what many activities have in common: a program launches the same few kernels and copies again and again. Without
// gaps and with the bits of the fraction in place of it, equal details are equal bytes.
type detail struct {
	bytes, blocks       int64
	threads, collective int32
	perSM               uint32
	dir                 Direction
	src, dst            MemKind
	node                bool
}

func detailOf(r *WorkRow) detail {
	return detail{r.Bytes, r.Blocks, r.Threads, r.Collective, math.Float32bits(r.BlocksPerSM), r.Dir, r.Src, r.Dst, r.Node}
}

// detailTable holds each distinct detail once.
type detailTable struct {
	all   []detail
	slots []int32 // open addressing: index into all plus one, 0 free; length a power of two
	last  int32   // index of the one that was asked for last
	seed  uint64  // of the hash: not for a file to know
}

// index returns the index of d, adding it when it is new.
func (t *detailTable) index(d *detail) int32 {
	if int(t.last) < len(t.all) && t.all[t.last] == *d {
		return t.last
	}
	if 2*len(t.all) >= len(t.slots) {
		t.rehash(max(256, 2*len(t.slots)))
	}
	at := t.slot(d)
	if t.slots[at] == 0 {
		t.all = append(t.all, *d)
		t.slots[at] = int32(len(t.all))
	}
	t.last = t.slots[at] - 1
	return t.last
}

// slot is where d is, or would be.
func (t *detailTable) slot(d *detail) uint64 {
	mask := uint64(len(t.slots) - 1)
	at := d.hash(t.seed) & mask
	for t.slots[at] != 0 && t.all[t.slots[at]-1] != *d {
		at = (at + 1) & mask
	}
	return at
}

func (d *detail) hash(seed uint64) uint64 {
	small := uint64(d.perSM)<<32 | uint64(d.dir)<<24 | uint64(d.src)<<16 | uint64(d.dst)<<8
	if d.node {
		small |= 1
	}
	a := mix(uint64(d.bytes)^seed, uint64(d.blocks)^0x9E3779B97F4A7C15)
	b := mix(uint64(uint32(d.threads))<<32|uint64(uint32(d.collective))^seed, small^0xD1B54A32D192ED03)
	return mix(a^seed, b^0x8CB92BA72F3D8DD7)
}

func newSeed() uint64 { return rand.Uint64() | 1 }

func mix(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

func (t *detailTable) rehash(slots int) {
	if t.seed == 0 {
		t.seed = newSeed()
	}
	t.slots = make([]int32, slots)
	for i := range t.all {
		t.slots[t.slot(&t.all[i])] = int32(i + 1)
	}
}

// picked is the details that have those indices. The table must not be used afterwards.
func (t *detailTable) picked(order []int32) []detail {
	t.slots = nil // makes room
	all := make([]detail, len(order))
	for i, at := range order {
		all[i] = t.all[at]
	}
	return all
}

func (w *Work) detailOf(i int32) *detail { return &w.details[w.detail[i]] }

// Bytes is the size of a copy or fill, -1 unknown.
func (w *Work) Bytes(i int32) int64 { return w.detailOf(i).bytes }

// Dir is the direction of a copy.
func (w *Work) Dir(i int32) Direction { return w.detailOf(i).dir }

// Src is where the source of a copy lies.
func (w *Work) Src(i int32) MemKind { return w.detailOf(i).src }

// Dst is where the destination of a copy or fill lies.
func (w *Work) Dst(i int32) MemKind { return w.detailOf(i).dst }

// Node tells whether the activity is a node of a graph launch.
func (w *Work) Node(i int32) bool { return w.detailOf(i).node }

// Blocks is the number of blocks of a kernel's grid, 0 unknown.
func (w *Work) Blocks(i int32) int64 { return w.detailOf(i).blocks }

// Threads is the number of threads of a kernel's block, 0 unknown.
func (w *Work) Threads(i int32) int32 { return w.detailOf(i).threads }

// BlocksPerSM is a kernel's blocks for each multiprocessor, -1 unknown.
func (w *Work) BlocksPerSM(i int32) float32 { return math.Float32frombits(w.detailOf(i).perSM) }

// Collective is the index into Trace.Collective of what was recorded about a communication kernel, 0 none.
func (w *Work) Collective(i int32) int32 { return w.detailOf(i).collective }

// Device is the GPU of activity i.
func (w *Work) Device(i int32) int32 { return w.streams[w.Stream[i]].Device }

// Process is that of the launching call, 0 when nothing tells.
func (w *Work) Process(i int32) int64 { return w.streams[w.Stream[i]].Process }
