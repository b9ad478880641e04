package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"perflint/detectors"
	"perflint/detectors/feature"
	"perflint/detectors/timeline"
	"perflint/detectors/trace"
	"perflint/report"
	"perflint/rules"
)

// atOnce is how many traces are in memory at the same time, at most.
const atOnce = 8

// measured is the features of one trace: what is left of it when it has been read.
type measured struct {
	in    input
	about report.Trace
	sets  []*feature.Set
	err   error
}

// measurements is what could be measured.
type measurements struct {
	traces []measured
	failed bool // some trace could not be read; that has been said
}

// measure reads and measures the traces of the arguments, several side by side. A trace that fails is reported and left
// out; an error means that nothing is left.
func (c *Command) measure(ctx context.Context, args []string, how reading) (*measurements, error) {
	files := inputs(args)
	collectAsUsual(files)
	if !how.quiet && isTerminal(c.Stderr) {
		line := startProgress(c.Stderr)
		line.expect(len(files), totalSize(files))
		c.line.Store(line)
		defer line.stop()
	}
	all := make([]measured, len(files))
	cores := runtime.GOMAXPROCS(0)
	sideBySide := min(atOnce, cores, len(files))
	how.workers = max(1, cores/max(1, sideBySide))
	var wait sync.WaitGroup
	free := make(chan struct{}, sideBySide)
	for i, in := range files {
		free <- struct{}{}
		wait.Go(func() {
			defer func() { <-free }()
			all[i] = c.measureOne(ctx, in, how)
			forget()
		})
	}
	wait.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return c.settle(all, how)
}

// collectAsUsual ends the leave that the collector is on since the program started, unless what is to be read is known to be
// small.
func collectAsUsual(files []input) {
	const small, packed = 128 << 20, 16 // bytes; how many times as large a gzip file becomes
	bytes := totalSize(files)
	if slices.ContainsFunc(files, func(in input) bool { return strings.HasSuffix(in.path, ".gz") }) {
		bytes *= packed
	}
	if bytes == 0 || bytes > small {
		debug.SetGCPercent(100)
	}
}

// much is the number of bytes in use from which on memory is spared.
const much = 64 << 20

func usesMuch() bool {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc > much
}

// spareMemory makes the collector work more often once a large trace has been read. What it holds are long slices without
// pointers, so that a collection costs next to nothing, and sets of intervals that come and go are as large as the trace.
func spareMemory() {
	if usesMuch() {
		debug.SetGCPercent(15)
	}
}

// forget collects what a large trace leaves behind, before the next one is read or the rules make garbage of their own.
func forget() {
	if usesMuch() {
		runtime.GC()
	}
}

// settle sorts out what failed, and numbers the traces that are left.
func (c *Command) settle(all []measured, how reading) (*measurements, error) {
	var m measurements
	for _, one := range all {
		var no refusal
		switch {
		case one.err != nil && one.in.found && errors.As(one.err, &no):
			if how.verbose {
				c.say("%v", one.err)
			}
			continue
		case one.err != nil:
			c.complain(one.err)
			m.failed = true
			continue
		}
		for _, set := range one.sets {
			set.Lane.Trace = len(m.traces)
		}
		m.traces = append(m.traces, one)
		if !how.quiet {
			c.warn(one)
		}
	}
	if len(m.traces) == 0 {
		if !m.failed {
			return nil, fmt.Errorf("no trace found\n    %s", readable)
		}
		return nil, exit(exitFailed)
	}
	return &m, nil
}

// warn says what a reader had to drop.
func (c *Command) warn(one measured) {
	for _, note := range one.about.Notes {
		c.say("%s: warning: %s", shown(one.in.path), printable(note))
	}
}

func (c *Command) measureOne(ctx context.Context, in input, how reading) (m measured) {
	m.in, m.err = in, in.err
	if m.err != nil {
		return m
	}
	defer func() {
		if r := recover(); r != nil {
			m.err = fmt.Errorf("%s: %w", shown(in.path), internalError(r))
		}
	}()
	start := time.Now()
	line := c.line.Load()
	line.begin(in.path)
	defer line.end()
	t, err := c.read(ctx, in.path, how.workers)
	if err != nil {
		m.err = err
		return m
	}
	read := time.Now()
	spareMemory()
	schema := detectors.Schema()
	lanes := timeline.Lanes(t, how.Options)
	for _, lane := range lanes {
		m.sets = append(m.sets, detectors.Run(lane, schema))
	}
	if m.err = asked(how.Options, lanes); m.err != nil {
		m.err = fmt.Errorf("%s: %w", shown(in.path), m.err)
		return m
	}
	m.about = about(in.path, t, lanes)
	if how.verbose {
		c.say("%s: read in %v, %s measured in %v", shown(in.path), read.Sub(start).Round(time.Millisecond),
			counted(len(lanes), "lane"), time.Since(read).Round(time.Millisecond))
	}
	return m
}

// asked reports that the part of a trace which the flags ask for holds none of its GPU work: a report about nothing would
// pass for one without findings.
func asked(how timeline.Options, lanes []*timeline.Lane) error {
	if how.Step < 0 && how.Range.Empty() {
		return nil
	}
	var err error
	for _, lane := range lanes {
		why := lane.Absence()
		if why == "" {
			return nil
		}
		if lane.ActCount() > 0 {
			err = errors.New(why)
		}
	}
	return err
}

// about describes a trace to the report.
func about(path string, t *trace.Trace, lanes []*timeline.Lane) report.Trace {
	d := report.Trace{Path: shown(path), Format: "Kineto", Producer: t.Producer, WorldSize: max(0, t.WorldSize)}
	if t.Format == "nsys" {
		d.Format = "Nsight Systems"
	}
	for _, lane := range lanes {
		if d.Window = window(lane); d.Window != "" {
			break
		}
	}
	for _, n := range t.Notes {
		d.Notes = append(d.Notes, n.Text)
	}
	return d
}

// window says which of a lane's steps were looked at: "steps 3–12 of 20". The numbers count from 1 in the order of the
// trace, whatever the marks say.
func window(lane *timeline.Lane) string {
	switch n := len(lane.Steady); {
	case n == 0:
		return ""
	case n == 1:
		return fmt.Sprintf("step %d of %d", lane.Steady[0]+1, len(lane.Steps))
	default:
		return fmt.Sprintf("steps %d–%d of %d", lane.Steady[0]+1, lane.Steady[n-1]+1, len(lane.Steps))
	}
}

func (m *measurements) sets() []*feature.Set {
	var all []*feature.Set
	for _, one := range m.traces {
		all = append(all, one.sets...)
	}
	return all
}

// input is what rules judge.
func (m *measurements) input() rules.Input {
	in := rules.Input{Lanes: m.sets()}
	for _, one := range m.traces {
		in.Traces = append(in.Traces, one.in.path)
	}
	return in
}

func (m *measurements) described() []report.Trace {
	var all []report.Trace
	for _, one := range m.traces {
		all = append(all, one.about)
	}
	return all
}

// laneName tells the lanes of a run apart.
func (m *measurements) laneName(l feature.Lane) string {
	name := shown(m.traces[l.Trace].in.path)
	if l.Rank >= 0 {
		name += fmt.Sprintf(" · rank %d", l.Rank)
	}
	if l.GPU >= 0 {
		name += fmt.Sprintf(" · GPU %d", l.GPU)
	}
	if l.Process != 0 {
		name += fmt.Sprintf(" · process %d", l.Process)
	}
	return printable(name)
}

// verdict is the exit code of a command that judges nothing.
func (m *measurements) verdict() error {
	if m.failed {
		return exit(exitFailed)
	}
	return nil
}
