// Package timeline is what follows from a trace, computed once: lanes, steps, the window, gaps and their causes, phases.
//
// All definitions are those of the features page; where a rule there leaves a choice, the comment beside the code names it.
package timeline

import (
	"cmp"
	"slices"
	"sync"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// Lane is one GPU of one process, with everything that detectors measure on. Sets are clipped to W. Once it is made it is
// only read, so that detectors may run side by side.
type Lane struct {
	Acts
	ID    feature.Lane
	Trace *trace.Trace

	In     []int32   // the activities that meet W
	W      span.Span // the window; empty without GPU work
	Steps  []Step
	Steady []int32 // indices into Steps, one behind the other
	Source string  // of the steps; "none"

	FirstOff bool // the first step is unlike the others, so it is not steady

	Compute, Comm, Copies, Foreign, Idle  span.Set // unions inside W
	ExposedComm, ExposedCopy, ForeignOnly span.Set // the terms of the identity

	Gaps  []Gap
	Micro span.Packed // idle shorter than 2 µs: many intervals, and rarely looked at

	Asides      []Aside // activities that cannot be true, once each, ordered by row
	AsidesCount bool    // they are half of all, so that the clock must be off: they stay activities of the lane

	Launchers  []int32 // threads that launched GPU work of this lane, or opened a step in W, sorted
	calls      []int32 // calls of this lane, ordered as in Trace.Calls
	causes     []Cause // [0] unknown; of the host-late parts of gaps
	causeAt    map[Cause]int32
	culprits   func() []*Culprit     // see Culprits
	first      func() map[int32]bool // see FirstOfName
	byClass    func() [][]int32      // see CallsOf
	opt        Options
	whole      span.Span // W before the user narrowed it
	linked     int       // activities with a launching call
	comms      []int32   // own communication of W
	moves      []int32   // own copies and fills of W
	oneStream  bool      // all its work runs on one stream
	lastThread int32     // of the last launch before W ends, -1 none
	host       *host
}

// Options choose the part of the trace that is looked at.
type Options struct {
	Window string    // "gpu", else auto
	Range  span.Span // times since the trace's first event to narrow the window to; empty: not given
	Step   int       // number of one step to narrow the window to, -1 none
	Mark   string    // name of the annotation or range that marks a step, empty: found
}

// Lanes derives every lane of a trace. A process without GPU work has a lane of its own when it launched something, or
// when the trace has no GPU work at all.
func Lanes(t *trace.Trace, opt Options) []*Lane {
	h := newHost(t)
	h.encloseBeside()
	var lanes []*Lane
	for _, key := range laneKeys(t, h) {
		l := &Lane{Trace: t, host: h, ID: feature.Lane{Process: key.process, GPU: int(key.device), Rank: t.Rank}}
		l.culprits, l.first, l.byClass = sync.OnceValue(l.sumBlame), sync.OnceValue(l.firstOfName), sync.OnceValue(l.callsByClass)
		if d, ok := t.Device(key.device); ok {
			l.ID.Name = d.Name
		}
		l.gather()
		lanes = append(lanes, l)
	}
	h.assignCalls(lanes)
	for _, l := range lanes {
		l.derive(opt)
	}
	return lanes
}

type laneKey struct {
	process int64
	device  int32 // -1: no GPU
}

func laneKeys(t *trace.Trace, h *host) []laneKey {
	seen := map[laneKey]bool{}
	busy := map[int64]bool{}
	for _, s := range t.Streams { // each has work
		seen[laneKey{s.Process, s.Device}] = true
		busy[s.Process] = true
	}
	anyGPU := len(seen) > 0
	for _, p := range h.processes() {
		if !busy[p.pid] && (p.launches > 0 || !anyGPU && p.events > 0) {
			seen[laneKey{p.pid, -1}] = true
		}
	}
	if len(seen) == 0 {
		seen[laneKey{0, -1}] = true
	}
	keys := make([]laneKey, 0, len(seen))
	for k := range seen {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b laneKey) int {
		return cmp.Or(cmp.Compare(a.device, b.device), cmp.Compare(a.process, b.process))
	})
	return keys
}

func (l *Lane) derive(opt Options) {
	l.opt = opt
	l.findSteps(opt)
	if l.ActCount() == 0 {
		return
	}
	l.setWindow(opt)
	l.findLaunchers()
	l.unite()
	l.findGaps()
	l.blame()
}

// InWindow reports whether call c starts inside W.
func (l *Lane) InWindow(c int32) bool {
	at := l.Trace.Calls.Start[c]
	return at >= l.W.Start && at < l.W.End
}
