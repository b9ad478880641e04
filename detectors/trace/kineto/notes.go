package kineto

import "fmt"

// finish tells the builder what the tally and the top level add to the rows.
func (d *document) finish(zip *inflated) {
	b, t := d.root, &d.total
	b.HasShapes = d.about.shapes || t.shapes
	b.HasFrames = d.about.stack || t.frames
	b.HasMemory = d.about.memory || t.memory
	b.HasOps = t.ops
	b.CounterRanges, b.Timeless = t.counters, t.clocked
	for k, n := range t.foreign {
		if n > b.ForeignCount {
			b.ForeignDevice, b.ForeignCount = foreignKinds[k], n
		}
	}
	if zip != nil {
		d.zipped(zip)
	}
	if d.cut {
		b.Cut = true
		b.Note("cut", fmt.Sprintf("%s; %s before that %s kept", d.cutAt, many(t.events, "event"), were(t.events)))
	}
	d.repairs()
	d.drops()
}

func (d *document) zipped(zip *inflated) {
	if zip.members > 1 {
		d.root.Note("gzip", fmt.Sprintf("the file has %d gzip members; all were read", zip.members))
	}
	for _, n := range zip.notes {
		d.root.Note("gzip", n)
	}
}

func (d *document) repairs() {
	for k, n := range d.total.fixed {
		if n > 0 {
			d.root.Note("repaired", fmt.Sprintf("%s with %s, the first at byte %d", many(n, "event"), fixNames[k], d.total.fixedAt[k]))
		}
	}
}

func (d *document) drops() {
	t := &d.total
	if t.broken > 0 {
		d.root.Note("dropped", fmt.Sprintf("events could not be read at %s, the first at byte %d", many(t.broken, "place"), t.brokenAt))
	}
	for _, k := range []struct {
		n    int
		what string
	}{
		{t.noDur, "with neither end nor duration"},
		{t.noTime, "without a usable time"},
		{t.clocked, "of the GPU for which the driver gave no time"},
		{t.pairs, "of a begin/end pair, which Kineto does not write"},
		{t.noObject, "other than a JSON object"},
		{t.unknown, "of a category that Kineto does not write"},
	} {
		if k.n > 0 {
			d.root.Note("dropped", many(k.n, "event")+" "+k.what)
		}
	}
	if t.negative > 0 {
		d.root.Note("repaired", many(t.negative, "event")+" with a negative duration, taken as zero")
	}
}

func many(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func were(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}
