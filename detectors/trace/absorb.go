package trace

// Absorb adds the rows, threads, names and notes of another builder behind those of b and keeps its memory; other must not
// be used afterwards. What Meta says of the file stays that of b, but for what other saw recorded.
func (b *Builder) Absorb(other *Builder) {
	texts := make([]Text, other.Names.Len())
	for i := range texts {
		texts[i] = b.Names.Intern(other.Names.String(Text(i)))
	}
	threads := make([]int32, len(other.threads))
	for i, t := range other.threads {
		threads[i] = b.Thread(t.PID, t.TID)
		if t.Name != "" {
			b.threads[threads[i]].Name = t.Name
		}
	}
	streams := make([]int32, len(other.streams))
	for i, s := range other.streams {
		streams[i] = b.stream(s)
	}
	collectives := make([]int32, len(other.collectives))
	for i, c := range other.collectives {
		collectives[i] = b.Collective(c)
	}
	b.notes = append(b.notes, other.notes...)
	b.HasShapes, b.HasFrames = b.HasShapes || other.HasShapes, b.HasFrames || other.HasFrames
	b.HasMemory, b.HasOps = b.HasMemory || other.HasMemory, b.HasOps || other.HasOps
	b.ForeignCount, b.CounterRanges = b.ForeignCount+other.ForeignCount, b.CounterRanges+other.CounterRanges
	if b.ForeignDevice == "" {
		b.ForeignDevice = other.ForeignDevice
	}

	b.work.absorb(&other.work, texts, streams, collectives)
	b.calls.absorb(&other.calls, texts, threads)
	b.ranges.absorb(&other.ranges, texts, threads)
	b.waits.absorb(&other.waits)
	other.overheads.each(func(r *OverheadRow) { r.Name = texts[r.Name] })
	b.overheads.absorb(&other.overheads)
	b.memory.absorb(&other.memory)
}

func (w *workColumns) absorb(o *workColumns, texts []Text, streams, collectives []int32) {
	renumberBy(&o.name, texts)
	renumberBy(&o.stream, streams)
	renumberBy(&o.coll, collectives)
	w.start.absorb(&o.start)
	w.end.absorb(&o.end)
	w.corr.absorb(&o.corr)
	w.process.absorb(&o.process)
	w.bytes.absorb(&o.bytes)
	w.blocks.absorb(&o.blocks)
	w.stream.absorb(&o.stream)
	w.device.absorb(&o.device)
	w.threads.absorb(&o.threads)
	w.coll.absorb(&o.coll)
	w.perSM.absorb(&o.perSM)
	w.name.absorb(&o.name)
	w.kind.absorb(&o.kind)
	w.dir.absorb(&o.dir)
	w.src.absorb(&o.src)
	w.dst.absorb(&o.dst)
	w.node.absorb(&o.node)
}

func (c *callColumns) absorb(o *callColumns, texts []Text, threads []int32) {
	renumberBy(&o.name, texts)
	renumberBy(&o.thread, threads)
	c.start.absorb(&o.start)
	c.end.absorb(&o.end)
	c.corr.absorb(&o.corr)
	c.name.absorb(&o.name)
	c.thread.absorb(&o.thread)
	c.failed.absorb(&o.failed)
}

func (g *rangeColumns) absorb(o *rangeColumns, texts []Text, threads []int32) {
	renumberBy(&o.name, texts)
	renumberBy(&o.shape, texts)
	renumberBy(&o.thread, threads)
	g.start.absorb(&o.start)
	g.end.absorb(&o.end)
	g.name.absorb(&o.name)
	g.shape.absorb(&o.shape)
	g.thread.absorb(&o.thread)
	g.kind.absorb(&o.kind)
}

// renumberBy replaces the indices of a column by what they have become.
func renumberBy[T int32 | Text](c *column[T], now []T) {
	c.each(func(v *T) { *v = now[*v] })
}
