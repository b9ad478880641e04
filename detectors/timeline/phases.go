package timeline

// Enclosures is what encloses every call of the trace, for who asks about millions: call c lies in kinds[of[c]].
func (l *Lane) Enclosures() (of []int32, kinds []Enclosure) {
	e := l.host.enclosing()
	return e.of, e.kind
}

// Phases is the phase of every activity, from what encloses its launching call; forward where no range says so but it lies in
// a step, or the trace has a backward pass at all.
func (l *Lane) Phases() []Phase {
	of, kinds := l.Enclosures()
	known := make([]Phase, len(kinds)) // what ranges say
	for i, k := range kinds {
		known[i] = k.Phase
	}
	backward := l.host.enclosing().backward
	out := make([]Phase, l.ActCount())
	for i, call := range l.Call {
		switch {
		case call < 0:
		case known[of[call]] != NoPhase:
			out[i] = known[of[call]]
		case backward || l.StepOfAct(int32(i)) >= 0:
			out[i] = ForwardPhase
		}
	}
	return out
}
