package trace

// corrKey is what a GPU activity and the call that launched it share. In Kineto a correlation id is unique in the file and
// GPU events do not name their process; in Nsight it is unique only inside one process.
type corrKey struct{ process, corr int64 }

func (t *Trace) corrKey(process, corr int64) corrKey {
	if t.Format == "kineto" {
		process = 0
	}
	return corrKey{process, corr}
}

// firstCalls is, for each correlation id, the call that starts first: a driver call inside its runtime call shares its id.
func firstCalls(t *Trace, calls []corrKey) map[corrKey]int32 {
	byKey := make(map[corrKey]int32, len(calls))
	for i, k := range calls {
		if k.corr < 0 {
			continue
		}
		k = t.corrKey(k.process, k.corr)
		if _, ok := byKey[k]; !ok {
			byKey[k] = int32(i)
		}
	}
	return byKey
}

// link connects GPU work with its launching calls and settles the process of work whose file does not name one.
func link(t *Trace, calls, works []corrKey) {
	byKey := firstCalls(t, calls)
	for i, k := range works {
		if k.corr < 0 {
			continue
		}
		call, ok := byKey[t.corrKey(k.process, k.corr)]
		if !ok {
			continue
		}
		t.Work.Call[i] = call
		if t.Calls.WorkCount[call]++; t.Calls.Work[call] < 0 {
			t.Calls.Work[call] = int32(i)
		}
		if t.Work.Process[i] == 0 {
			t.Work.Process[i] = t.Threads[t.Calls.Thread[call]].PID
		}
	}
	adopt(t)
}

// adopt gives work without a process the one that launched most on its device, else the only one that launched anything.
func adopt(t *Trace) {
	count := map[int32]map[int64]int{}
	for i, p := range t.Work.Process {
		if p != 0 {
			d := t.Work.Device[i]
			if count[d] == nil {
				count[d] = map[int64]int{}
			}
			count[d][p]++
		}
	}
	main := map[int32]int64{}
	for d, byProcess := range count {
		best := int64(0)
		for p, n := range byProcess {
			if m := byProcess[best]; best == 0 || n > m || n == m && p < best {
				best = p
			}
		}
		main[d] = best
	}
	for i, p := range t.Work.Process {
		if p == 0 {
			t.Work.Process[i] = main[t.Work.Device[i]]
		}
	}
	renumber(t)
}

// renumber makes streams of one number distinct where two processes turned out to share it.
func renumber(t *Trace) {
	index := map[Stream]int32{}
	old := t.Streams
	t.Streams = nil
	for i, p := range t.Work.Process {
		s := old[t.Work.Stream[i]]
		s.Process = p
		k, ok := index[s]
		if !ok {
			k = int32(len(t.Streams))
			t.Streams = append(t.Streams, s)
			index[s] = k
		}
		t.Work.Stream[i] = k
	}
}
