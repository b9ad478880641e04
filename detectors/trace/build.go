package trace

import (
	"cmp"
	"slices"

	"perflint/detectors/parallel"
	"perflint/detectors/span"
)

// Build sorts, links, checks and freezes. The builder must not be used afterwards.
func (b *Builder) Build() *Trace {
	b.Origin = b.earliest()
	t := &Trace{Meta: b.Meta, Names: b.Names, Notes: b.notes}
	slices.SortFunc(t.Devices, func(x, y Device) int { return cmp.Compare(x.ID, y.ID) })
	slices.Sort(t.Credentials)
	t.Credentials = slices.Compact(t.Credentials)

	var ranges, works parallel.Group
	var codes []int32
	ranges.Go(func() { b.buildRanges(t) })
	works.Go(func() { codes = b.buildWork(t) })
	index := b.buildCalls(t)
	works.Wait()
	b.link(t, index, codes)
	b.buildWaits(t, index)
	b.buildOverheads(t)
	b.buildMemory(t)
	ranges.Wait()
	b.canonical(t)
	return t
}

// earliest is the first start of all rows. Metadata carries times too, which are no events: they are no rows.
func (b *Builder) earliest() int64 {
	const never = span.Time(1<<63 - 1)
	first := never
	for _, c := range []*column[span.Time]{&b.work.start, &b.calls.start, &b.ranges.start} {
		c.each(func(t *span.Time) { first = min(first, *t) })
	}
	b.waits.each(func(r *WaitRow) { first = min(first, span.Time(r.Start)) })
	b.overheads.each(func(r *OverheadRow) { first = min(first, span.Time(r.Start)) })
	b.memory.each(func(r *MemoryRow) { first = min(first, span.Time(r.At)) })
	if first == never {
		return 0
	}
	return int64(first)
}

func (b *Builder) at(t int64) span.Time { return span.Time(t - b.Origin) }

// timeColumns puts the two columns of times in order, counted from the origin, and returns the order for the others.
func (b *Builder) timeColumns(start, end *column[span.Time], outer bool) ([]span.Time, []span.Time, order) {
	s, e := start.join(), end.join()
	for i := range s {
		s[i] = b.at(int64(s[i]))
		e[i] = b.at(int64(e[i]))
	}
	o := timeOrder(s, e, outer)
	return arrange(s, o), arrange(e, o), o
}

// buildWork fills the columns of GPU work and returns the codes of its correlation ids.
func (b *Builder) buildWork(t *Trace) []int32 {
	w, from := &t.Work, &b.work
	var order order
	w.Start, w.End, order = b.timeColumns(&from.start, &from.end, false)
	w.Name, w.Kind = from.name.take(order), from.kind.take(order)
	w.Stream, w.detail = from.stream.take(order), from.detail.take(order)
	return from.corr.take(order)
}

// buildCalls fills the columns of calls and indexes them by correlation id, whose codes make room for the activities.
func (b *Builder) buildCalls(t *Trace) *callIndex {
	c, from := &t.Calls, &b.calls
	var order order
	c.Start, c.End, order = b.timeColumns(&from.start, &from.end, true)
	c.Name, c.Thread, c.Failed = from.name.take(order), from.thread.take(order), from.failed.take(order)
	c.Several = make([]bool, c.Len())
	codes := from.corr.take(order)
	index := b.indexCalls(c, codes)
	for i := range codes {
		codes[i] = -1
	}
	c.Work = codes
	return index
}

func (b *Builder) buildRanges(t *Trace) {
	g, from := &t.Ranges, &b.ranges
	var order order
	g.Start, g.End, order = b.timeColumns(&from.start, &from.end, true)
	g.Name, g.Kind, g.Thread, g.Shape = from.name.take(order), from.kind.take(order), from.thread.take(order), from.shape.take(order)
}

func (b *Builder) buildWaits(t *Trace, calls *callIndex) {
	rows := b.waits.join()
	slices.SortStableFunc(rows, func(x, y WaitRow) int { return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(x.End, y.End)) })
	w := &t.Waits
	for _, r := range rows {
		w.Start, w.End = append(w.Start, b.at(r.Start)), append(w.End, b.at(max(r.Start, r.End)))
		w.Kind, w.Device = append(w.Kind, r.Kind), append(w.Device, r.Device)
		w.Stream, w.OnStream = append(w.Stream, r.Stream), append(w.OnStream, r.OnStream)
		w.Call = append(w.Call, calls.find(r.Process, b.wide.code(r.Corr)))
	}
}

func (b *Builder) buildOverheads(t *Trace) {
	rows := b.overheads.join()
	slices.SortStableFunc(rows, func(x, y OverheadRow) int { return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(y.End, x.End)) })
	o := &t.Overheads
	for _, r := range rows {
		o.Start, o.End = append(o.Start, b.at(r.Start)), append(o.End, b.at(max(r.Start, r.End)))
		o.Name = append(o.Name, r.Name)
	}
}

func (b *Builder) buildMemory(t *Trace) {
	rows := b.memory.join()
	slices.SortStableFunc(rows, func(x, y MemoryRow) int { return cmp.Compare(x.At, y.At) })
	m := &t.Memory
	for _, r := range rows {
		m.At, m.Bytes = append(m.At, b.at(r.At)), append(m.Bytes, r.Bytes)
		m.Allocated, m.Reserved = append(m.Allocated, r.Allocated), append(m.Reserved, r.Reserved)
		m.Device = append(m.Device, r.Device)
	}
}
