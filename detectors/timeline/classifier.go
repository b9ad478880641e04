package timeline

import (
	"sync"

	"perflint/detectors/parallel"
	"perflint/detectors/trace"
)

// shipped is classes.txt, compiled when first needed.
var shipped = sync.OnceValue(func() [sections]patterns {
	p, err := compileClasses(classesText)
	if err != nil {
		panic(err) // a mistake in an embedded file, met by every test
	}
	return p
})

// classifier knows the class of each distinct name of a trace, and what each Python frame is. Once it is made it is only
// read, so any number of goroutines may ask it.
type classifier struct {
	names    *trace.Names
	patterns [sections]patterns
	known    [sections][]Class // by Text; unasked where no row of the section has the name
	frames   []*Frame          // by Text; nil where no row has it
}

const unasked Class = 255

// newClassifier reads the names of all rows of t. The five kinds of names are read side by side: there may be a hundred
// thousand, each to be looked for fifteen words.
func newClassifier(t *trace.Trace) *classifier {
	c := &classifier{names: t.Names, patterns: shipped(), frames: make([]*Frame, t.Names.Len())}
	for s := range c.known {
		c.known[s] = make([]Class, t.Names.Len())
		for i := range c.known[s] {
			c.known[s][i] = unasked
		}
	}
	var all parallel.Group
	all.Go(func() { c.learn(kernelNames, t.Work.Name) })
	all.Go(func() { c.learn(callNames, t.Calls.Name) })
	all.Go(func() { c.learn(overheadNames, t.Overheads.Name) })
	all.Go(func() { c.learnRanges(&t.Ranges) })
	all.Go(func() { c.learnFrames(&t.Ranges) })
	all.Wait()
	return c
}

func (c *classifier) learn(s section, names []trace.Text) {
	known := c.known[s]
	for _, name := range names {
		if known[name] == unasked {
			known[name] = c.find(s, name)
		}
	}
}

func (c *classifier) learnRanges(r *trace.Ranges) {
	known := c.known[rangeNames]
	for i, name := range r.Name {
		if known[name] == unasked && r.Kind[i] != trace.Frame && r.Kind[i] != trace.OSCall {
			known[name] = c.find(rangeNames, name)
		}
	}
}

func (c *classifier) learnFrames(r *trace.Ranges) {
	for i, name := range r.Name {
		if r.Kind[i] == trace.Frame && c.frames[name] == nil {
			f := parseFrame(c.names.String(name))
			c.frames[name] = &f
		}
	}
}

// classOf is what a name means as one of a section.
func (c *classifier) classOf(s section, t trace.Text) Class {
	if known := c.known[s][t]; known != unasked {
		return known
	}
	return c.find(s, t)
}

func (c *classifier) find(s section, t trace.Text) Class {
	return c.patterns[s].classOf(c.names.String(t))
}

// frame is what a name says as that of a Python function.
func (c *classifier) frame(t trace.Text) *Frame {
	if f := c.frames[t]; f != nil {
		return f
	}
	f := parseFrame(c.names.String(t))
	return &f
}
