package trace

// canonical numbers names, threads and collectives by their first row, so that a trace is the same however many builders
// it was read into, and drops the names that no row has: raw spellings, names of rows that were dropped.
func (b *Builder) canonical(t *Trace) {
	texts := numbers[Text]{now: make([]Text, t.Names.Len())}
	texts.number(0)
	for _, column := range [][]Text{t.Work.Name, t.Calls.Name, t.Ranges.Name, t.Ranges.Shape, t.Overheads.Name} {
		texts.renumber(column)
	}
	t.Names = t.Names.picked(texts.order)

	threads := numbers[int32]{now: make([]int32, len(b.threads))}
	threads.renumber(t.Calls.Thread)
	threads.renumber(t.Ranges.Thread)
	index := map[[2]int64]int32{}
	old := b.threads
	for _, i := range threads.order {
		index[[2]int64{old[i].PID, old[i].TID}] = int32(len(t.Threads))
		t.Threads = append(t.Threads, Thread{PID: old[i].PID, TID: old[i].TID})
	}
	for _, n := range b.named {
		i, ok := index[[2]int64{n.pid, n.tid}]
		if !ok {
			i = int32(len(t.Threads))
			index[[2]int64{n.pid, n.tid}] = i
			t.Threads = append(t.Threads, Thread{PID: n.pid, TID: n.tid})
		}
		t.Threads[i].Name = n.name
	}

	details := numbers[int32]{now: make([]int32, len(b.details.all))}
	details.renumber(t.Work.detail)
	t.Work.details = b.details.picked(details.order)

	collectives := numbers[int32]{now: make([]int32, len(b.collectives))}
	collectives.number(0)
	for i := range t.Work.details {
		d := &t.Work.details[i]
		d.collective = collectives.number(d.collective)
	}
	for _, i := range collectives.order {
		t.Collective = append(t.Collective, b.collectives[i])
	}
}

// numbers gives old numbers new ones, in the order in which they are met.
type numbers[T int32 | Text] struct {
	now   []T // new number plus one, 0 not met
	order []T // old numbers by new ones
}

func (n *numbers[T]) number(old T) T {
	if n.now[old] == 0 {
		n.order = append(n.order, old)
		n.now[old] = T(len(n.order))
	}
	return n.now[old] - 1
}

func (n *numbers[T]) renumber(column []T) {
	for i, old := range column {
		now := n.now[old]
		if now == 0 {
			now = n.number(old) + 1
		}
		column[i] = now - 1
	}
}
