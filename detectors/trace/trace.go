// Package trace is what a trace file says, in memory: events as columns, names, threads and facts about the capture.
//
// A reader fills a Builder in any order; Build sorts, links GPU work to the calls that launched it and freezes. Nothing
// here judges: which name means what, which window counts and why a GPU idles is decided in package timeline.
package trace

// Trace is one frozen trace file. Nobody may change it after Build.
type Trace struct {
	Meta
	Names      *Names
	Work       Work
	Calls      Calls
	Ranges     Ranges
	Waits      Waits
	Overheads  Overheads
	Memory     Memory
	Threads    []Thread
	Streams    []Stream
	Collective []Collective // [0] stands for "no arguments recorded"
	Notes      []Note
}

// Meta is what the file says about itself and its machine.
type Meta struct {
	Format    string // "kineto" or "nsys"
	Producer  string // version of what wrote the file, empty when it does not say
	Origin    int64  // nanoseconds that were subtracted from all times of the file
	Rank      int    // -1 unknown
	WorldSize int    // -1 unknown
	Backend   string // of torch.distributed, as the file spells it
	Groups    []Group
	Devices   []Device // GPUs that the file lists, used or not

	HasShapes bool // input dimensions of ops were recorded
	HasFrames bool // Python frames were recorded
	HasMemory bool // allocator events were recorded
	HasOps    bool // framework ops, annotations or NVTX ranges were recorded

	NoCUDATables  bool     // an Nsight export without any CUDA table
	ForeignDevice string   // kind of a device with events that perflint does not know ("mtia", "xpu", "hpu")
	ForeignCount  int      // number of its events
	CounterRanges int      // ranges of a hardware-counter capture, which replace kernels
	SkippedAPI    bool     // the capture was told to leave out some API calls
	HasEnv        bool     // the file carries an environment
	Credentials   []string // names (never values) of variables that look like credentials, sorted
	Cut           bool     // the file ends in the middle
	Lost          int      // warnings of the profiler that it lost events
	Timeless      int      // GPU activities for which the driver gave no time; they are left out
}

// Device is a GPU that the file lists.
type Device struct {
	ID           int // as GPU events name it
	Name         string
	Major, Minor int   // compute capability, 0 unknown
	SMs          int   // 0 unknown
	Memory       int64 // bytes, 0 unknown
}

// Group is a process group of torch.distributed.
type Group struct {
	Name, Desc, Backend string
	Size                int
	Ranks               []int
}

// Thread is a host thread.
type Thread struct {
	PID, TID int64
	Name     string // may be empty
}

// Stream is a queue of GPU work. Numbers alone are not unique: two processes both have a stream 7.
type Stream struct {
	Process int64
	Device  int32
	Context int64
	Number  int64
}

// Collective is what was recorded about a communication kernel. Many kernels share one.
type Collective struct {
	Name, Dtype, Group, GroupDesc string
	InElems, OutElems             int64 // elements, not bytes; -1 unknown
	GroupSize                     int   // 0 unknown
}

// Note says what a reader dropped, repaired or could not find. Text names places and counts, never content of the file.
type Note struct {
	Code string // "cut", "repaired", "dropped", "gzip", "schema", …
	Text string
}

// Device returns the listed device of that id.
func (m *Meta) Device(id int32) (Device, bool) {
	for _, d := range m.Devices {
		if d.ID == int(id) {
			return d, true
		}
	}
	return Device{}, false
}
