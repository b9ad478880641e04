package trace

// Part is the rows that a builder got between two calls of Part, and the names of threads that it was told. A parallel reader cuts
// its builders where it changes to another stretch of the file, so that the parts can be joined in the order of the file.
type Part struct {
	from      *Builder
	work      workColumns
	calls     callColumns
	ranges    rangeColumns
	waits     column[WaitRow]
	overheads column[OverheadRow]
	memory    column[MemoryRow]
	named     []named
}

// named is a thread's name, by which the file tells it.
type named struct {
	pid, tid int64
	name     string
}

// Part takes the rows that b got since the last part. Names and threads stay, for the rows to come.
func (b *Builder) Part() Part {
	w, c, g := &b.work, &b.calls, &b.ranges
	p := Part{
		from:   b,
		work:   workColumns{w.start.cut(), w.end.cut(), w.corr.cut(), w.name.cut(), w.kind.cut(), w.stream.cut(), w.detail.cut()},
		calls:  callColumns{c.start.cut(), c.end.cut(), c.corr.cut(), c.name.cut(), c.thread.cut(), c.failed.cut()},
		ranges: rangeColumns{g.start.cut(), g.end.cut(), g.name.cut(), g.shape.cut(), g.thread.cut(), g.kind.cut()},
		waits:  b.waits.cut(), overheads: b.overheads.cut(), memory: b.memory.cut(),
		named: b.named,
	}
	b.named = nil
	return p
}

// Join adds the rows of parts behind those of b, in that order, and keeps their memory. The parts may come from any number
// of builders, which must not be used afterwards; what they hold and no part refers to is left behind.
func (b *Builder) Join(parts []Part) {
	known := map[*Builder]*renumbering{}
	for i := range parts {
		p := &parts[i]
		n, ok := known[p.from]
		if !ok {
			n = b.renumbering(p.from)
			known[p.from] = n
		}
		b.work.absorb(&p.work, n)
		b.calls.absorb(&p.calls, n)
		b.ranges.absorb(&p.ranges, n)
		b.waits.absorb(&p.waits)
		p.overheads.each(func(r *OverheadRow) { r.Name = n.texts[r.Name] })
		b.overheads.absorb(&p.overheads)
		b.memory.absorb(&p.memory)
		b.named = append(b.named, p.named...)
	}
}

// renumbering is what the indices of one builder have become in another.
type renumbering struct {
	texts                     []Text
	threads, streams, details []int32
	wide                      []int32 // by what is missing to the code -2
}

func (b *Builder) renumbering(other *Builder) *renumbering {
	n := &renumbering{b.Names.adopt(other.Names), make([]int32, len(other.threads)), make([]int32, len(other.streams)),
		make([]int32, len(other.details.all)), make([]int32, len(other.wide.ids))}
	for i, t := range other.threads {
		n.threads[i] = b.Thread(t.PID, t.TID)
	}
	for i, s := range other.streams {
		n.streams[i] = b.stream(s)
	}
	for i, id := range other.wide.ids {
		n.wide[i] = b.wide.code(id)
	}
	collectives := make([]int32, len(other.collectives))
	for i, c := range other.collectives[1:] { // the first stands for none in both
		collectives[i+1] = b.Collective(c)
	}
	for i, d := range other.details.all {
		d.collective = collectives[d.collective]
		n.details[i] = b.details.index(&d)
	}
	return n
}

func (w *workColumns) absorb(o *workColumns, n *renumbering) {
	renumberBy(&o.name, n.texts)
	renumberBy(&o.stream, n.streams)
	renumberBy(&o.detail, n.details)
	n.renumberCodes(&o.corr)
	w.start.absorb(&o.start)
	w.end.absorb(&o.end)
	w.corr.absorb(&o.corr)
	w.name.absorb(&o.name)
	w.kind.absorb(&o.kind)
	w.stream.absorb(&o.stream)
	w.detail.absorb(&o.detail)
}

func (c *callColumns) absorb(o *callColumns, n *renumbering) {
	renumberBy(&o.name, n.texts)
	renumberBy(&o.thread, n.threads)
	n.renumberCodes(&o.corr)
	c.start.absorb(&o.start)
	c.end.absorb(&o.end)
	c.corr.absorb(&o.corr)
	c.name.absorb(&o.name)
	c.thread.absorb(&o.thread)
	c.failed.absorb(&o.failed)
}

func (g *rangeColumns) absorb(o *rangeColumns, n *renumbering) {
	renumberBy(&o.name, n.texts)
	renumberBy(&o.shape, n.texts)
	renumberBy(&o.thread, n.threads)
	g.start.absorb(&o.start)
	g.end.absorb(&o.end)
	g.name.absorb(&o.name)
	g.shape.absorb(&o.shape)
	g.thread.absorb(&o.thread)
	g.kind.absorb(&o.kind)
}

// renumberBy replaces the indices of a column by what they have become.
func renumberBy[T int32 | Text](c *column[T], now []T) {
	for _, s := range append(c.full, c.tail) {
		for i, v := range s {
			s[i] = now[v]
		}
	}
}

// renumberCodes replaces the codes of wideIDs.
func (n *renumbering) renumberCodes(c *column[int32]) {
	if len(n.wide) == 0 {
		return
	}
	c.each(func(code *int32) {
		if *code < -1 {
			*code = n.wide[-2-*code]
		}
	})
}
