package detectors

import (
	"cmp"
	"strings"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
	"perflint/detectors/trace"
)

var _ = register(Detector{
	Name: "loader",
	Doc:  "Data loading on the path of the GPU.",
	Features: declare(
		duration("loader.exposed", "Host-late time inside data-loader ranges; of threads that launch nothing only while the launching thread does nothing else"),
		duration("loader.first", "The part of it in the one step that waits more than ten times as long as the others: the workers start"),
		duration("loader.steady", "Host-late time inside data-loader ranges, without that"),
		boolean("loader.single_process", "The iterator loads in the training process (num_workers=0)"),
		text("loader.range", "Name of the data-loader range"),
		text("loader.frame", "Python function that takes most of the exposed loading"),
		text("loader.file", "Its file"),
		count("loader.line", "Line where it is defined"),
		text("loader.outer", "Outermost Python function inside the loader that covers 80 % of it"),
	),
	Needs:  GPUWork,
	Detect: detectLoader,
})

func detectLoader(lane *timeline.Lane, set *feature.Set) error {
	if !lane.Trace.HasOps {
		reason := "the trace holds no host ranges; " + byFormat(lane,
			"record with `activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]`", "push NVTX ranges named `dataloader` around what loads data")
		for _, base := range []string{"loader.exposed", "loader.first", "loader.steady"} {
			missingDuration(set, base, reason)
		}
		set.Missing(reason, "loader.single_process", "loader.range", "loader.frame", "loader.file", "loader.line", "loader.outer")
		return nil
	}
	exposed := lane.Loading()
	first := firstWait(lane, exposed)
	putDuration(set, lane, "loader.exposed", exposed)
	putDuration(set, lane, "loader.first", first)
	putDuration(set, lane, "loader.steady", exposed.Minus(first))
	name := loaderName(lane)
	set.Bool("loader.single_process", strings.Contains(name, "_SingleProcessDataLoaderIter"))
	set.Text("loader.range", name)
	frame, outer := timeline.Frame{}, timeline.Frame{}
	if name != "" {
		frame, outer = loaderFrames(lane)
	}
	set.Text("loader.frame", frame.Function)
	set.Text("loader.file", frame.File)
	set.Int("loader.line", int64(frame.Line))
	set.Text("loader.outer", outer.Function)
	return nil
}

// firstWait is the exposed loading of the one step that waits more than 1 ms and ten times as long as any other. An epoch begins
// with the start of the workers; when that comes back it is no exception.
func firstWait(lane *timeline.Lane, exposed span.Set) span.Set {
	const far = 10
	if steadyCount(lane) < 4 {
		return nil
	}
	var worst, second span.Time
	var at span.Set
	for _, s := range lane.Steady {
		part := exposed.Clip(lane.Steps[s].Host)
		if t := part.Total(); t > worst {
			worst, second, at = t, worst, part
		} else {
			second = max(second, t)
		}
	}
	if worst < timeline.LongGap || worst <= far*second {
		return nil
	}
	return at
}

// loaderFrames is the function in a loader that is blamed for most time, and the outermost around it; zero when none is.
func loaderFrames(lane *timeline.Lane) (frame, outer timeline.Frame) {
	for _, b := range lane.Culprits() {
		if b.Kind == timeline.ByLoader && b.Frame != 0 {
			return lane.FrameOf(b.Frame), lane.FrameOf(b.Outer)
		}
	}
	return frame, outer
}

// loaderName is the name of the loader range with most time in the window; empty without any.
func loaderName(lane *timeline.Lane) string {
	times := map[trace.Text]span.Time{}
	for _, r := range lane.RangesOf(timeline.Loader) {
		times[lane.Trace.Ranges.Name[r]] += lane.Trace.Ranges.Span(r).Clip(lane.W).Len()
	}
	return lane.Name(mostTime(times))
}

var _ = register(Detector{
	Name: "blamed",
	Doc:  "Idle time blamed on costs that a steady step should not have.",
	Features: declare(
		count("alloc.count", "Allocation calls that start in the window"),
		duration("alloc.exposed", "Idle time blamed on allocation calls"),
		text("alloc.call", "The call that is blamed for most of it"),
		duration("jit.exposed", "Idle time blamed on code loading and compilation"),
		text("jit.subject", "The call or range that is blamed for most of it"),
		list("jit.shapes", "Ops before whose launches code was loaded or compiled, with their input dimensions", jitShapeFields...),
		duration("gc.exposed", "Idle time blamed on garbage collection"),
		duration("zero_grad.exposed", "Idle time blamed on Optimizer.zero_grad"),
		duration("zero_grad.total", "GPU work launched under Optimizer.zero_grad, with the host-late and launch-call time before it"),
		count("zero_grad.count", "GPU activities launched under Optimizer.zero_grad"),
	),
	Needs:  GPUWork,
	Detect: detectBlamed,
})

func detectBlamed(lane *timeline.Lane, set *feature.Set) error {
	n := 0
	for _, c := range lane.CallsOf(timeline.Allocation) {
		if lane.Counts(c) && lane.InWindow(c) {
			n++
		}
	}
	if lane.HasCalls() {
		set.Int("alloc.count", int64(n))
	} else {
		set.Missing(noCalls(lane), "alloc.count")
	}
	alloc, jit := costOf(timeline.ByAllocation), costOf(jitKinds...)
	gc, zeroGrad := costOf(timeline.ByCollection), costOf(timeline.ByZeroGrad)
	for i := range lane.Gaps {
		for _, c := range []*cost{alloc, jit, gc, zeroGrad} {
			c.add(lane, &lane.Gaps[i])
		}
	}
	putPackedDuration(set, lane, "alloc.exposed", alloc.spans.Packed())
	set.Text("alloc.call", alloc.subject(lane))
	putPackedDuration(set, lane, "jit.exposed", jit.spans.Packed())
	set.Text("jit.subject", jit.subject(lane))
	putJitShapes(lane, set)
	putPackedDuration(set, lane, "gc.exposed", gc.spans.Packed())
	putPackedDuration(set, lane, "zero_grad.exposed", zeroGrad.spans.Packed())
	putZeroGrad(lane, set)
	return nil
}

// cost is the idle time that kinds of culprit are blamed for.
type cost struct {
	kinds kinds
	spans span.Packer
	times map[timeline.Cause]span.Time // by kind and subject
}

func costOf(all ...timeline.CauseKind) *cost {
	return &cost{kinds: kindsOf(all...), times: map[timeline.Cause]span.Time{}}
}

func (c *cost) add(lane *timeline.Lane, g *timeline.Gap) {
	if c.kinds.has(lane.HostKind(g)) {
		host := lane.HostCause(g)
		c.spans.Add(g.HostLate())
		c.times[timeline.Cause{Kind: host.Kind, Subject: host.Subject}] += g.HostLate().Len()
	}
	if c.kinds.has(g.CallKind()) {
		c.spans.Add(g.LaunchCall())
		c.times[lane.CallCause(g)] += g.LaunchCall().Len()
	}
}

// subject is the name that is blamed for most of it; empty when nothing is.
func (c *cost) subject(lane *timeline.Lane) string {
	var best timeline.Cause
	for by, t := range c.times {
		if cmp.Or(cmp.Compare(t, c.times[best]), cmp.Compare(best.Kind, by.Kind), cmp.Compare(best.Subject, by.Subject)) > 0 {
			best = by
		}
	}
	return lane.Name(best.Subject)
}

// putZeroGrad measures what clearing gradients costs: the fills themselves are short, the gaps before them are not.
func putZeroGrad(lane *timeline.Lane, set *feature.Set) {
	if !lane.ZeroesGradients() {
		set.Int("zero_grad.count", 0)
		putDuration(set, lane, "zero_grad.total", nil)
		return
	}
	of, around := lane.Enclosures()
	under := func(i int32) bool { return lane.Own[i] && lane.Call[i] >= 0 && around[of[lane.Call[i]]].ZeroGrad }
	n := 0
	var times span.Packer
	for _, i := range lane.In {
		if under(i) {
			n++
			times.Add(lane.ActSpan(i).Clip(lane.W))
		}
	}
	for i := range lane.Gaps {
		if g := &lane.Gaps[i]; g.Next >= 0 && under(g.Next) {
			times.Add(paced(lane, g, 0))
		}
	}
	set.Int("zero_grad.count", int64(n))
	putPackedDuration(set, lane, "zero_grad.total", times.Packed())
}
