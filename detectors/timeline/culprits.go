package timeline

import (
	"cmp"
	"slices"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

// LongGap is the length in nanoseconds from which on a gap is another disease than slow issue.
const LongGap = 1_000_000

// Culprit is one kind, subject and frame with everything that it is to blame for.
type Culprit struct {
	Cause                        // Outer and Shape are those of the longest gap
	Late, Call, Long span.Time   // host-late and launch-call time; host-late time in stretches of LongGap or longer
	Gaps             int         // in which it is to blame for either part
	Steps            int         // steady steps that those gaps hold up
	Parts, LongParts span.Packed // the times
	Worst            *Gap        // the longest
	last             *Gap
	lastStep         int32
	steps            map[int32]bool
	parts, longParts span.Packer
}

// Culprits sums the blame of all gaps, largest first. It is made once: there may be a million gaps.
func (l *Lane) Culprits() []*Culprit { return l.culprits() }

type culpritKey struct {
	kind           CauseKind
	subject, frame trace.Text
}

func (l *Lane) sumBlame() []*Culprit {
	var out []*Culprit
	byKey := map[culpritKey]*Culprit{}
	of := func(c Cause) *Culprit {
		k := culpritKey{c.Kind, c.Subject, c.Frame}
		if byKey[k] == nil {
			byKey[k] = &Culprit{Cause: Cause{Kind: c.Kind, Subject: c.Subject, Frame: c.Frame}, lastStep: -1}
			out = append(out, byKey[k])
		}
		return byKey[k]
	}
	hosts := make([]*Culprit, len(l.causes)) // gaps are many and their causes few
	calls := map[callBlame]*Culprit{}
	for i := range l.Gaps {
		g := &l.Gaps[i]
		step := l.StepOf(g)
		if late := g.HostLate(); !late.Empty() {
			c := hosts[g.hostCause]
			if c == nil {
				c = of(l.causes[g.hostCause])
				hosts[g.hostCause] = c
			}
			c.add(g, late, step)
			c.Late += late.Len()
			if late.Len() >= LongGap {
				c.Long += late.Len()
				c.longParts.Add(late)
			}
			if c.Worst == g {
				c.Outer, c.Shape = l.causes[g.hostCause].Outer, l.causes[g.hostCause].Shape
			}
		}
		if call := g.LaunchCall(); !call.Empty() {
			k := callBlame{g.callCause, l.Trace.Calls.Name[l.Call[g.Next]]}
			c := calls[k]
			if c == nil {
				c = of(l.CallCause(g))
				calls[k] = c
			}
			c.add(g, call, step)
			c.Call += call.Len()
		}
	}
	for _, c := range out {
		c.Parts, c.LongParts = c.parts.Packed(), c.longParts.Packed()
	}
	slices.SortFunc(out, func(a, b *Culprit) int {
		return cmp.Or(cmp.Compare(b.Late+b.Call, a.Late+a.Call), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(l.Name(a.Subject), l.Name(b.Subject)), cmp.Compare(l.Name(a.Frame), l.Name(b.Frame)))
	})
	return out
}

type callBlame struct {
	kind CauseKind
	name trace.Text
}

func (c *Culprit) add(g *Gap, part span.Span, step int32) {
	if c.Worst == nil || g.Len() > c.Worst.Len() {
		c.Worst = g
	}
	if c.last != g { // it may be to blame for both parts
		c.Gaps, c.last = c.Gaps+1, g
	}
	c.parts.Add(part)
	if step < 0 || step == c.lastStep {
		return
	}
	if c.steps == nil {
		c.steps = map[int32]bool{}
	}
	c.steps[step], c.lastStep = true, step
	c.Steps = len(c.steps)
}

// StepOf is the steady step that a gap holds up: that of the work after it, else of the work before it; -1 none.
func (l *Lane) StepOf(g *Gap) int32 {
	for _, i := range [2]int32{g.Next, g.Last} {
		if i < 0 {
			continue
		}
		if step := l.StepOfAct(i); step >= 0 && l.IsSteady(step) {
			return step
		}
	}
	return -1
}
