package timeline

// CallClasses is what names of calls mean, by trace.Text: for who asks about millions of calls.
func (l *Lane) CallClasses() []Class { return l.host.known[callNames] }

// CallsOf is the calls of a class in the order of Calls. Launches and calls without a meaning have no list: they are most of
// the calls.
func (l *Lane) CallsOf(class Class) []int32 { return l.byClass()[class] }

func (l *Lane) callsByClass() [][]int32 {
	out := make([][]int32, len(classNames))
	classes, names := l.CallClasses(), l.Trace.Calls.Name
	for _, c := range l.calls {
		if class := classes[names[c]]; class != Plain && class != Launch {
			out[class] = append(out[class], c)
		}
	}
	return out
}
