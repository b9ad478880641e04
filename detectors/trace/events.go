package trace

import "perflint/detectors/span"

// WorkKind tells what a GPU activity is; whether a kernel computes or communicates is told by its name.
type WorkKind uint8

// The kinds of GPU activity.
const (
	Kernel WorkKind = iota
	Copy
	Fill
	GraphBody // GPU work of one graph launch whose kernels were not recorded
)

// Direction of a copy.
type Direction uint8

// The directions; Unified… are page migrations of managed memory.
const (
	NoDirection Direction = iota // not a copy, or not recorded
	HtoD
	DtoH
	DtoD
	HtoH
	PtoP
	UnifiedHtoD
	UnifiedDtoH
	UnifiedDtoD
)

// MemKind is where a side of a copy lies.
type MemKind uint8

// The kinds of memory. HostMem is host memory of which the file does not say whether it is pinned (ROCm).
const (
	UnknownMem MemKind = iota
	PageableMem
	PinnedMem
	HostMem
	DeviceMem
	ArrayMem
	ManagedMem
)

// Work is GPU activities, ordered by start, then end. What repeats from one to the next is behind methods.
type Work struct {
	Start, End []span.Time
	Name       []Text
	Kind       []WorkKind
	Stream     []int32 // index into Trace.Streams
	Call       []int32 // index into Calls of the launching call, -1 none

	detail  []int32 // index into details
	details []detail
	streams []Stream // those of the trace
}

// Len is the number of activities.
func (w *Work) Len() int { return len(w.Start) }

// Span is the time of activity i.
func (w *Work) Span(i int32) span.Span { return span.Span{Start: w.Start[i], End: w.End[i]} }

// Calls is calls of the CUDA or HIP runtime or driver, ordered by start, then longest first.
type Calls struct {
	Start, End []span.Time
	Name       []Text // without version suffixes
	Thread     []int32
	Failed     []bool
	Work       []int32 // the earliest activity that names this call, -1 none
	Several    []bool  // more than one activity names this call
}

// Len is the number of calls.
func (c *Calls) Len() int { return len(c.Start) }

// Span is the time of call i.
func (c *Calls) Span(i int32) span.Span { return span.Span{Start: c.Start[i], End: c.End[i]} }

// RangeKind tells who wrote a host range.
type RangeKind uint8

// The kinds of host range.
const (
	Op         RangeKind = iota // an op of the framework (cpu_op), or NVTX text that emit_nvtx wrote for one
	Annotation                  // user_annotation, NVTX push/pop
	Frame                       // a Python function
	Open                        // NVTX start/end: need not nest, may end on another thread
	OSCall                      // a blocking call of the operating system's runtime
)

// Ranges is host ranges, ordered by start, then longest first, so that a parent stands before its children.
type Ranges struct {
	Start, End []span.Time
	Name       []Text
	Kind       []RangeKind
	Thread     []int32
	Shape      []Text // raw text of the input dimensions, empty when not recorded
}

// Len is the number of ranges.
func (r *Ranges) Len() int { return len(r.Start) }

// Span is the time of range i.
func (r *Ranges) Span(i int32) span.Span { return span.Span{Start: r.Start[i], End: r.End[i]} }

// WaitKind is a kind of recorded synchronisation.
type WaitKind uint8

// The kinds of recorded synchronisation.
const (
	UnknownWait WaitKind = iota
	StreamSync
	EventSync
	ContextSync
	StreamWaitEvent
)

// Waits is synchronisation as the GPU library recorded it, ordered by start. They are no GPU work.
type Waits struct {
	Start, End []span.Time
	Kind       []WaitKind
	Device     []int32
	Stream     []int64 // number of the waiting stream, -1 none
	OnStream   []int64 // number of the stream that is waited for, -1 unknown
	Call       []int32 // -1 none
}

// Overheads is time that the profiler or the driver says it took for itself, ordered by start.
type Overheads struct {
	Start, End []span.Time
	Name       []Text
}

// Memory is allocator events, ordered by time.
type Memory struct {
	At        []span.Time
	Bytes     []int64 // negative: freed
	Allocated []int64 // total after the event, -1 unknown
	Reserved  []int64 // total after the event, -1 unknown
	Device    []int32 // GPU, -1 host memory
}
