package timeline

import (
	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// WorkClass is what a GPU activity counts as.
type WorkClass uint8

// The classes of GPU work: K, N, X, Z and G of the definitions.
const (
	Compute WorkClass = iota
	Comm
	CopyWork
	FillWork
	GraphWork
)

// Act is one GPU activity of a lane, put together from the columns of the trace and of the lane.
type Act struct {
	span.Span
	Row    int32 // index into Trace.Work
	Call   int32 // launching call, -1 none
	Stream int32
	Step   int32 // index into Steps, -1 none
	Class  WorkClass
	Own    bool
}

// acts is the activities of a lane as columns: a trace has millions, so each costs a few bytes.
type acts struct {
	rows  []int32 // index into Trace.Work; nil where the lane has all of it
	steps []int32 // nil without steps
	class []WorkClass
	own   []bool
}

// ActCount is the number of activities of the lane, inside the window or not.
func (l *Lane) ActCount() int { return len(l.acts.class) }

// Act is activity i; they are ordered by start, then end.
func (l *Lane) Act(i int32) Act {
	w, row := &l.Trace.Work, i
	if l.acts.rows != nil {
		row = l.acts.rows[i]
	}
	a := Act{Row: row, Call: w.Call[row], Stream: w.Stream[row], Step: -1, Class: l.acts.class[i], Own: l.acts.own[i]}
	a.Start, a.End = w.Start[row], w.End[row]
	if l.acts.steps != nil {
		a.Step = l.acts.steps[i]
	}
	return a
}

// gather collects the activities of the lane in the trace's order, which is by start, then end.
func (l *Lane) gather(key laneKey) {
	w := &l.Trace.Work
	n := l.screen(key)
	aside := l.Asides
	if l.AsidesCount = n > 0 && 2*len(aside) >= n; l.AsidesCount {
		aside = nil
	}
	if n -= len(aside); n < w.Len() {
		l.acts.rows = make([]int32, 0, n)
	}
	l.acts.class, l.acts.own = make([]WorkClass, 0, n), make([]bool, 0, n)
	for i := range w.Start {
		if w.Process[i] != key.process || w.Device[i] != key.device {
			continue
		}
		if len(aside) > 0 && aside[0].Row == int32(i) {
			aside = aside[1:]
			continue
		}
		if l.acts.rows != nil {
			l.acts.rows = append(l.acts.rows, int32(i))
		}
		l.acts.class = append(l.acts.class, l.workClass(int32(i)))
		l.acts.own = append(l.acts.own, true)
	}
}

func (l *Lane) workClass(row int32) WorkClass {
	w := &l.Trace.Work
	switch w.Kind[row] {
	case trace.Copy:
		return CopyWork
	case trace.Fill:
		return FillWork
	case trace.GraphBody:
		return GraphWork
	}
	if l.host.class(kernelNames, w.Name[row]) == Communication || l.Trace.Collective[w.Collective[row]].Name != "" {
		return Comm
	}
	return Compute
}
