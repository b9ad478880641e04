package timeline

import "slices"

// assignCalls gives each lane the calls of its process; where a process drives several GPUs, a call belongs to the GPU it
// is linked to, and an unlinked one to that of the linked call before it on its thread (the first after it at the start).
func (h *host) assignCalls(lanes []*Lane) {
	byProcess := map[int64][]*Lane{}
	for _, l := range lanes {
		byProcess[l.ID.Process] = append(byProcess[l.ID.Process], l)
	}
	owner := make([]*Lane, len(h.t.Threads)) // of all calls of the thread
	for i, thread := range h.t.Threads {
		switch owners := byProcess[thread.PID]; len(owners) {
		case 0:
			if l := soleLane(lanes); l != nil && l.ID.Process == 0 {
				owner[i] = l
			}
		case 1:
			owner[i] = owners[0]
		default:
			h.shareCalls(h.calls.of(int32(i)), owners)
		}
	}
	h.giveCalls(owner)
	for _, l := range lanes {
		if !slices.IsSorted(l.calls) {
			slices.Sort(l.calls)
		}
	}
}

// giveCalls gives the calls of each thread to its owner.
func (h *host) giveCalls(owner []*Lane) {
	count := map[*Lane]int{}
	for i, l := range owner {
		count[l] += len(h.calls.of(int32(i)))
	}
	delete(count, nil)
	for l, n := range count {
		if n == h.t.Calls.Len() {
			l.calls = h.from(0, n)
			return
		}
		l.calls = slices.Grow(l.calls, n)
	}
	for c, thread := range h.t.Calls.Thread {
		if l := owner[thread]; l != nil {
			l.calls = append(l.calls, int32(c))
		}
	}
}

// soleLane is the one lane of a trace in which no GPU work names its process.
func soleLane(lanes []*Lane) *Lane {
	if len(lanes) == 1 {
		return lanes[0]
	}
	return nil
}

func (h *host) shareCalls(calls []int32, owners []*Lane) {
	current := -1
	owner := func(c int32) int {
		work := h.t.Calls.Work[c]
		if work < 0 {
			return -1
		}
		return slices.IndexFunc(owners, func(l *Lane) bool { return l.ID.GPU == int(h.t.Work.Device(work)) })
	}
	for _, c := range calls {
		if current = owner(c); current >= 0 {
			break
		}
	}
	for _, c := range calls {
		if o := owner(c); o >= 0 {
			current = o
		}
		if current >= 0 {
			owners[current].calls = append(owners[current].calls, c)
		}
	}
}
