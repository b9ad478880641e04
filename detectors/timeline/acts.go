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

// Acts is the activities of a lane as columns, ordered by start, then end. A trace has millions, so whoever walks over them
// reads the columns that it needs; Act puts one together.
type Acts struct {
	Start, End []span.Time
	Call       []int32 // launching call, negative: none
	Stream     []int32 // index into Trace.Streams
	WorkName   []trace.Text
	Class      []WorkClass
	Own        []bool
	StepIndex  []int32 // index into Steps, -1 none; nil without steps

	rows []int32 // index into Trace.Work; nil where the lane has all of it, whose columns are then its own
}

// ActCount is the number of activities of the lane, inside the window or not.
func (a *Acts) ActCount() int { return len(a.Start) }

// Row is the index of activity i in Trace.Work.
func (a *Acts) Row(i int32) int32 {
	if a.rows == nil {
		return i
	}
	return a.rows[i]
}

// Act is activity i.
func (a *Acts) Act(i int32) Act {
	out := Act{Row: a.Row(i), Call: a.Call[i], Stream: a.Stream[i], Step: a.StepOfAct(i), Class: a.Class[i], Own: a.Own[i]}
	out.Start, out.End = a.Start[i], a.End[i]
	return out
}

// StepOfAct is the index of the step of activity i, -1 none.
func (a *Acts) StepOfAct(i int32) int32 {
	if a.StepIndex == nil {
		return -1
	}
	return a.StepIndex[i]
}

// ActSpan is the time of activity i.
func (a *Acts) ActSpan(i int32) span.Span { return span.Span{Start: a.Start[i], End: a.End[i]} }

// gather collects the activities of the lane in the trace's order, which is by start, then end.
func (l *Lane) gather() {
	w := &l.Trace.Work
	ours := l.ourStreams()
	n := l.screen(ours)
	aside := l.Asides
	if l.AsidesCount = n > 0 && 2*len(aside) >= n; l.AsidesCount {
		aside = nil
	}
	if n -= len(aside); n == w.Len() {
		l.Start, l.End, l.Call, l.Stream, l.WorkName = w.Start, w.End, w.Call, w.Stream, w.Name
	} else {
		l.pick(ours, aside, n)
	}
	l.Class, l.Own = make([]WorkClass, n), make([]bool, n)
	for i := range l.Class {
		l.Class[i], l.Own[i] = l.workClass(l.Row(int32(i))), true
		if l.Call[i] >= 0 {
			l.linked++
		}
	}
}

// ourStreams tells by stream whether it is one of the lane.
func (l *Lane) ourStreams() []bool {
	ours := make([]bool, len(l.Trace.Streams))
	for i, s := range l.Trace.Streams {
		ours[i] = s.Process == l.ID.Process && int(s.Device) == l.ID.GPU
	}
	return ours
}

// pick copies the n activities of our streams that are not set aside.
func (l *Lane) pick(ours []bool, aside []Aside, n int) {
	w := &l.Trace.Work
	l.rows = make([]int32, 0, n)
	for i, s := range w.Stream {
		if !ours[s] {
			continue
		}
		if len(aside) > 0 && aside[0].Row == int32(i) {
			aside = aside[1:]
			continue
		}
		l.rows = append(l.rows, int32(i))
	}
	l.Start, l.End, l.Call = take(w.Start, l.rows), take(w.End, l.rows), take(w.Call, l.rows)
	l.Stream, l.WorkName = take(w.Stream, l.rows), take(w.Name, l.rows)
}

func take[T any](column []T, rows []int32) []T {
	out := make([]T, len(rows))
	for i, r := range rows {
		out[i] = column[r]
	}
	return out
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
	if l.host.classOf(kernelNames, w.Name[row]) == Communication || l.Trace.Collective[w.Collective(row)].Name != "" {
		return Comm
	}
	return Compute
}
