package timeline

import "fmt"

// Absent is a word for why the lane has no GPU work: present when there is some, else captured, counters, foreign-device,
// no-cuda-tracing, not-recorded, nothing-launched, ran-on-cpu, no-gpu or no-events. Few activities beside many launches are
// as good as none.
func (l *Lane) Absent() string {
	const few, many = 10, 100
	if l.ActCount() >= few {
		return "present"
	}
	t := l.Trace
	launches, captured, gives := l.given()
	switch {
	case l.ActCount() > 0 && launches < many:
		return "present"
	case captured > 0 && 2*captured > launches:
		return "captured"
	case t.CounterRanges > 0:
		return "counters"
	case t.ForeignDevice != "":
		return "foreign-device"
	case t.NoCUDATables:
		return "no-cuda-tracing"
	case gives:
		return "not-recorded"
	case t.HasOps && (len(t.Devices) > 0 || l.HasCalls()):
		return "ran-on-cpu"
	case l.HasCalls():
		return "nothing-launched"
	case len(t.Ranges.Start) == 0:
		return "no-events"
	}
	return "no-gpu"
}

// given counts the launches of the lane and those of them that were captured, and tells whether any call gives the GPU work.
func (l *Lane) given() (launches, captured int, gives bool) {
	for _, c := range l.Calls() {
		switch l.CallClass(c) {
		case Launch, GraphLaunch:
			gives = true
			if l.Captured(c) {
				captured++
				launches++
			} else if l.Counts(c) {
				launches++
			}
		case AsyncCopy, BlockingCopy, FillCall:
			gives = true
		}
	}
	return launches, captured, gives
}

var absences = map[string]string{
	"captured":         "the launches of the trace were captured into a graph, not run; profile the replay of the graph",
	"counters":         "the trace holds hardware counters instead of GPU activities; record without the counter (range) profiler",
	"no-cuda-tracing":  "the export holds no CUDA activity; record with `nsys profile -t cuda,nvtx`",
	"not-recorded":     "the trace holds calls but no GPU activity; record with `activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]`",
	"nothing-launched": "the trace holds no GPU work, and no call that would give the GPU any",
	"ran-on-cpu":       "what ran, ran on the CPU, so the trace holds no GPU work",
	"no-gpu":           "the process has no GPU, so the trace holds no GPU work",
	"no-events":        "the trace holds no events",
}

// Absence tells why there is no GPU work to judge, and what would record it; empty when W holds some time.
func (l *Lane) Absence() string {
	switch {
	case !l.W.Empty():
		return ""
	case l.ActCount() > 0 && l.opt.Step >= 0 && l.stepNumbered(l.opt.Step) < 0:
		return fmt.Sprintf("the trace has no step %d%s", l.opt.Step, l.stepNumbers())
	case l.ActCount() > 0 && (l.opt.Step >= 0 || !l.opt.Range.Empty()):
		return "the part of the trace that was asked for holds no GPU work of the steps or of the window; ask for another with --window or --step"
	case l.ActCount() > 0:
		return "the window is empty: no GPU work of the steady steps takes time; look at all of it with --window gpu"
	}
	switch word := l.Absent(); {
	case word == "foreign-device":
		return fmt.Sprintf("the trace holds work of a device that perflint does not know (%s)", l.Trace.ForeignDevice)
	case word == "not-recorded" && l.Trace.Format == "nsys":
		return "the export holds calls but no GPU activity; record with `nsys profile -t cuda,nvtx`"
	default:
		return absences[word]
	}
}

// stepNumbers names the first and the last step that there are.
func (l *Lane) stepNumbers() string {
	switch n := len(l.Steps); n {
	case 0:
		return ", nor any step marks"
	case 1:
		return fmt.Sprintf("; it has step %d", l.Steps[0].Number)
	default:
		return fmt.Sprintf("; it has steps %d to %d", l.Steps[0].Number, l.Steps[n-1].Number)
	}
}
