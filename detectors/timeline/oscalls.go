package timeline

import (
	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// hintOSCalls names, for host-late time that nothing else explains, the call of the operating system that had most of it: a
// wait for a socket or a file says something where no range does. Nobody is blamed for it.
func (l *Lane) hintOSCalls() {
	gaps := map[int32][]int{}
	for i := range l.Gaps {
		if g := &l.Gaps[i]; !g.HostLate().Empty() && l.HostCause(g) == (Cause{}) {
			if th := l.ThreadOf(g); th >= 0 {
				gaps[th] = append(gaps[th], i)
			}
		}
	}
	for th, unexplained := range gaps {
		l.hintThread(th, unexplained)
	}
}

// hintThread follows the calls of one thread through its unexplained gaps, both in order.
func (l *Lane) hintThread(th int32, gaps []int) {
	r := &l.Trace.Ranges
	var calls []int32
	for _, i := range l.host.ranges.of(th) {
		if r.Kind[i] == trace.OSCall {
			calls = append(calls, i)
		}
	}
	for _, i := range gaps {
		late := l.Gaps[i].HostLate()
		for len(calls) > 0 && r.End[calls[0]] <= late.Start {
			calls = calls[1:]
		}
		var times map[trace.Text]span.Time
		var most trace.Text
		for _, c := range calls {
			if r.Start[c] >= late.End {
				break
			}
			if times == nil {
				times = map[trace.Text]span.Time{}
			}
			name := r.Name[c]
			if times[name] += r.Span(c).Clip(late).Len(); times[name] > times[most] {
				most = name
			}
		}
		if 2*times[most] > late.Len() {
			l.Gaps[i].hostCause = l.intern(Cause{Subject: most})
		}
	}
}
