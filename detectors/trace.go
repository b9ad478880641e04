package detectors

import (
	"math"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
	"perflint/detectors/trace"
)

var _ = register(Detector{
	Name: "trace",
	Doc:  "What was recorded, and how far it can be trusted.",
	Features: declare(
		words("trace.format", "kineto or nsys"),
		text("trace.gpu_name", "Name of the GPU"),
		number("trace.gpu_cc", feature.NoUnit, "Compute capability (9.0)"),
		count("trace.rank", "Rank of the process in its job"),
		count("trace.world_size", "Ranks of the job"),
		count("trace.gpu_count", "GPUs with work in the file, once for each process"),
		count("trace.gpu_listed_count", "GPUs that the file lists"),
		count("trace.activity_count", "GPU activities of this GPU and process in the whole file"),
		count("trace.launch_count", "Launch calls of the process in the whole file, captured ones too"),
		words("trace.gpu_absence", "Why there is no GPU work: present (there is), captured, counters, foreign-device, no-cuda-tracing, not-recorded, nothing-launched, ran-on-cpu, no-gpu or no-events"),
		text("trace.foreign_device", "Kind of a device with events that perflint does not know; empty without one"),
		count("trace.foreign_count", "Its events"),
		count("trace.counter_count", "Ranges of a hardware-counter capture"),
		number("trace.linked_frac", feature.Frac, "Share of this window's activities whose launching call is in the trace"),
		number("trace.unlinked_time_frac", feature.Frac, "Time of those without one, as a share of the window"),
		number("trace.before_frac", feature.Frac, "Part of the recorded GPU time that lies before the window"),
		text("trace.before_subject", "Call whose first uses take most of the time before the window; empty without any"),
		number("trace.captured_frac", feature.Frac, "Share of launches that were recorded into a graph instead of executed"),
		number("trace.unlinked_launch_frac", feature.Frac, "Share of launches whose kernel is missing, without captured ones and those after the capture ended"),
		boolean("trace.has_ops", "Framework ops, annotations or NVTX ranges were recorded"),
		boolean("trace.has_frames", "Python frames were recorded"),
		boolean("trace.has_shapes", "Input dimensions were recorded"),
		boolean("trace.has_memory", "Allocator events were recorded"),
		boolean("trace.cut", "The file ends in the middle"),
		boolean("trace.has_environment", "The file carries an environment"),
		list("trace.credential_names", "Variables in the file whose names look like credentials", text("name", "Name; never the value")),
	),
	Long:   true,
	Detect: detectTrace,
})

func detectTrace(lane *timeline.Lane, set *feature.Set) error {
	t := lane.Trace
	set.Text("trace.format", t.Format)
	set.Text("trace.gpu_name", lane.ID.Name)
	if d, ok := t.Device(int32(lane.ID.GPU)); ok && d.Major > 0 {
		set.Float("trace.gpu_cc", float64(d.Major)+float64(d.Minor)/10)
	} else {
		set.Missing("the trace does not give the compute capability", "trace.gpu_cc")
	}
	putKnown(set, "trace.rank", lane.ID.Rank, "the trace does not name its rank")
	putKnown(set, "trace.world_size", t.WorldSize, "the trace does not give the size of the job")
	set.Int("trace.gpu_count", int64(gpuCount(lane)))
	set.Int("trace.gpu_listed_count", int64(len(t.Devices)))
	set.Int("trace.activity_count", int64(lane.ActCount()))
	set.Text("trace.foreign_device", t.ForeignDevice)
	set.Int("trace.foreign_count", int64(t.ForeignCount))
	set.Int("trace.counter_count", int64(t.CounterRanges))
	set.Bool("trace.has_ops", t.HasOps)
	set.Bool("trace.has_frames", t.HasFrames)
	set.Bool("trace.has_shapes", t.HasShapes)
	set.Bool("trace.has_memory", t.HasMemory)
	set.Bool("trace.cut", t.Cut)
	set.Bool("trace.has_environment", t.HasEnv)
	var credentials []feature.Record
	for _, name := range t.Credentials {
		credentials = append(credentials, feature.Record{"name": name})
	}
	set.List("trace.credential_names", credentials)
	launches := putLaunches(lane, set)
	set.Int("trace.launch_count", int64(launches))
	putLinks(lane, set)
	set.Text("trace.before_subject", startupCall(lane))
	set.Text("trace.gpu_absence", lane.Absent())
	return nil
}

func putKnown(set *feature.Set, name string, v int, reason string) {
	if v < 0 {
		set.Missing(reason, name)
		return
	}
	set.Int(name, int64(v))
}

func gpuCount(lane *timeline.Lane) int {
	type gpu struct {
		process int64
		device  int32
	}
	seen := map[gpu]bool{}
	for _, s := range lane.Trace.Streams {
		seen[gpu{s.Process, s.Device}] = true
	}
	return len(seen)
}

// putLaunches measures launches that were captured and launches whose kernel is missing. After the last linked launch of a
// thread the capture has ended: what is launched later cannot be in it.
func putLaunches(lane *timeline.Lane, set *feature.Set) (launches int) {
	captured, unlinked, executed := 0, 0, 0
	calls := &lane.Trace.Calls
	lastLinked := make([]span.Time, len(lane.Trace.Threads))
	for th := range lastLinked {
		lastLinked[th] = math.MinInt64
	}
	for _, c := range lane.Calls() {
		if calls.Work[c] >= 0 {
			lastLinked[calls.Thread[c]] = calls.Start[c]
		}
	}
	classes := lane.CallClasses()
	for _, c := range lane.Calls() {
		class := classes[calls.Name[c]]
		if class != timeline.Launch && class != timeline.GraphLaunch {
			continue
		}
		switch {
		case lane.Captured(c):
			launches, captured = launches+1, captured+1
		case !lane.Counts(c):
		default:
			launches++
			if calls.Start[c] <= lastLinked[calls.Thread[c]] {
				executed++
				if calls.Work[c] < 0 && !calls.Failed[c] {
					unlinked++
				}
			}
		}
	}
	putRatio(set, "trace.captured_frac", captured, launches, "the trace holds no launch")
	putRatio(set, "trace.unlinked_launch_frac", unlinked, executed, "no launch of the trace can be judged")
	return launches
}

func putRatio(set *feature.Set, name string, part, whole int, reason string) {
	if whole == 0 {
		set.Missing(reason, name)
		return
	}
	set.Float(name, float64(part)/float64(whole))
}

func putLinks(lane *timeline.Lane, set *feature.Set) {
	if reason := lane.Absence(); reason != "" {
		set.Missing(reason, "trace.linked_frac", "trace.unlinked_time_frac", "trace.before_frac")
		return
	}
	last := lane.W.End
	for _, end := range lane.End {
		last = max(last, end)
	}
	first := lane.Start[0]
	putShare(set, "trace.before_frac", max(0, lane.W.Start-first), last-first, "the GPU work takes no time")
	linked, own := 0, 0
	var unlinked span.Length
	for _, i := range lane.In {
		if !lane.Own[i] {
			continue
		}
		own++
		if lane.Call[i] >= 0 {
			linked++
		} else {
			unlinked.Add(lane.ActSpan(i).Clip(lane.W))
		}
	}
	putRatio(set, "trace.linked_frac", linked, own, "no GPU work of this window is its own")
	putShare(set, "trace.unlinked_time_frac", unlinked.Total(), lane.W.Len(), "the window is empty")
}

// startupCall is the name of the call that takes most time before the window, of those that a first use makes long.
func startupCall(lane *timeline.Lane) string {
	times := map[trace.Text]span.Time{}
	first := lane.FirstOfName()
	for _, c := range lane.Calls() {
		s := lane.Trace.Calls.Span(c)
		if s.Start >= lane.W.Start {
			break
		}
		switch class := lane.CallClass(c); class {
		case timeline.Launch, timeline.Allocation, timeline.Setup, timeline.CodeLoading:
			if s.Len() >= timeline.FirstUse && (class != timeline.Launch || first[c]) {
				times[lane.Trace.Calls.Name[c]] += s.Len()
			}
		}
	}
	return lane.Name(mostTime(times))
}
