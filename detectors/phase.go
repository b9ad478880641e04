package detectors

import (
	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
)

var _ = register(Detector{
	Name: "phase",
	Doc:  "Forward, backward and optimizer: how long each computes and communicates.",
	Features: declare(
		number("phase.coverage_frac", feature.Frac, "Share of GPU time whose phase is known; below 0.8 the other features of phases are missing"),
		duration("phase.forward", "Compute of the forward pass"),
		duration("phase.backward", "Compute of the backward pass"),
		duration("phase.optimizer", "Compute of the optimizer, zero_grad included"),
		number("phase.backward_forward_ratio", feature.Ratio, "Backward over forward compute"),
		boolean("phase.trains", "Some of this window's work belongs to a backward pass or an optimizer"),
		list("phase.list", "The passes, with how much of each the GPU works; idle time counts to the pass of the work that ends it",
			words("phase", "forward, backward, optimizer or other"), number("wall_us", feature.Us, "Its time, idle time included"),
			number("frac", feature.Frac, "The same as a share of the window"), number("busy_frac", feature.Frac, "Share of it in which the GPU does anything"),
			number("idle_us", feature.Us, "Its idle time"), feature.Decl{Name: "spans", Type: feature.Spans, Doc: "Its gaps of 2 µs and longer"}),
		phaseComm("forward"), phaseComm("backward"),
		duration("comm.tail", "Exposed communication after the last backward kernel until the optimizer"),
		number("comm.asymmetry_ratio", feature.Ratio, "Larger over smaller of forward and backward communication time"),
		words("comm.worse_phase", "The pass that hides less of its communication: forward or backward"),
		duration("comm.worse_unhidden", "Exposed communication of that pass"),
		number("comm.exposed_difference_frac", feature.Frac, "Exposed share of the worse pass minus that of the better"),
		list("comm.unpaired", "Collectives of one pass whose partner never comes in the other",
			text("collective", "Kind"), words("phase", "Pass in which it runs"), text("partner", "What never comes"),
			count("count", "Kernels"), number("total_us", feature.Us, "Time in which they run"),
			number("frac", feature.Frac, "The same as a share of the window")),
	),
	Long:   true,
	Needs:  GPUWork,
	Detect: detectPhase,
})

func phaseComm(phase string) []feature.Decl {
	return declare(
		duration("comm."+phase, "Communication of the "+phase+" pass"),
		duration("comm."+phase+"_unhidden", "Exposed communication of the "+phase+" pass"),
		count("comm."+phase+"_count", "Communication kernels of the "+phase+" pass"),
		size("comm."+phase+"_bytes", "Bytes of the collectives of the "+phase+" pass"),
		number("comm."+phase+"_exposed_frac", feature.Frac, "Exposed share of the communication of the "+phase+" pass"),
	)
}

const coverageLeast = 0.8

func detectPhase(lane *timeline.Lane, set *feature.Set) error {
	known, all := span.Time(0), span.Time(0)
	var compute [timeline.OptimizerPhase + 1]span.Packer
	backwardRuns, trains := false, false
	walls, tails := phaseWalls{end: lane.W.Start}, phaseTails{backward: -1}
	phases := lane.Phases()
	for _, i := range lane.In {
		whole, phase := lane.ActSpan(i), phases[i]
		at := whole.Clip(lane.W)
		walls.add(at, phase)
		if !lane.Own[i] {
			continue
		}
		all += at.Len()
		trains = trains || phase == timeline.BackwardPhase || phase == timeline.OptimizerPhase
		if phase != timeline.NoPhase {
			known += at.Len()
		}
		switch lane.Class[i] {
		case timeline.Compute:
			tails.add(whole, phase)
			backwardRuns = backwardRuns || phase == timeline.BackwardPhase
			compute[phase].Add(at)
		case timeline.GraphWork:
			compute[phase].Add(at)
		}
	}
	tails.put(lane, set)
	set.Bool("phase.trains", trains)
	putShare(set, "phase.coverage_frac", known, all, "no GPU work of this window takes time")
	if float64(known) < coverageLeast*float64(all) || all == 0 {
		phasesMissing(set, "it is not known which pass much of the GPU work belongs to; "+byFormat(lane,
			"mark the steps with `prof.step()`, or wrap the passes in `record_function` with the names forward, backward and optimizer",
			"push NVTX ranges named forward, backward and optimizer"))
		return nil
	}
	set.List("phase.list", walls.records(lane, phases))
	putCompute(lane, set, compute[timeline.ForwardPhase].Packed(), compute[timeline.BackwardPhase].Packed(), compute[timeline.OptimizerPhase].Packed())
	forward, backward := communicationOf(lane, phases, timeline.ForwardPhase), communicationOf(lane, phases, timeline.BackwardPhase)
	forward.put(lane, set, "forward")
	backward.put(lane, set, "backward")
	putAsymmetry(lane, set, forward, backward)
	set.List("comm.unpaired", unpaired(lane, forward, backward, backwardRuns))
	return nil
}

func phasesMissing(set *feature.Set, reason string) {
	set.Missing(reason, "phase.list", "comm.worse_phase", "comm.exposed_difference_frac")
	for _, base := range []string{"comm.worse_unhidden", "phase.forward", "phase.backward", "phase.optimizer", "comm.forward", "comm.backward", "comm.forward_unhidden", "comm.backward_unhidden"} {
		missingDuration(set, base, reason)
	}
	set.Missing(reason, "phase.backward_forward_ratio", "comm.forward_count", "comm.forward_bytes", "comm.forward_exposed_frac",
		"comm.backward_count", "comm.backward_bytes", "comm.backward_exposed_frac", "comm.asymmetry_ratio", "comm.unpaired")
}

func putCompute(lane *timeline.Lane, set *feature.Set, forward, backward, optimizer span.Packed) {
	putPackedDuration(set, lane, "phase.forward", forward)
	putPackedDuration(set, lane, "phase.backward", backward)
	putPackedDuration(set, lane, "phase.optimizer", optimizer)
	if forward.Total() == 0 || backward.Total() == 0 {
		set.Missing("the window has no forward or no backward pass", "phase.backward_forward_ratio")
		return
	}
	set.Float("phase.backward_forward_ratio", float64(backward.Total())/float64(forward.Total()))
}

// passComm is the communication of one pass.
type passComm struct {
	total span.Set
	count int
	bytes int64
	known bool // all sizes are
	kinds map[string]*passKind
}

type passKind struct {
	count  int
	length span.Length
}

func communicationOf(lane *timeline.Lane, phases []timeline.Phase, phase timeline.Phase) passComm {
	out := passComm{known: true, kinds: map[string]*passKind{}}
	payloads := payloads{lane: lane}
	var spans span.Builder
	for _, i := range lane.Comms() {
		if phases[i] != phase {
			continue
		}
		p, at := payloads.of(i), lane.ActSpan(i).Clip(lane.W)
		out.count++
		out.known = out.known && p.bytes >= 0
		out.bytes += max(0, p.bytes)
		spans.Add(at)
		k := out.kinds[p.kind]
		if k == nil {
			k = &passKind{}
			out.kinds[p.kind] = k
		}
		k.count++
		k.length.Add(at)
	}
	out.total = spans.Set()
	return out
}

func (p *passComm) put(lane *timeline.Lane, set *feature.Set, name string) {
	exposed := p.total.Minus(lane.Compute)
	putDuration(set, lane, "comm."+name, p.total)
	putDuration(set, lane, "comm."+name+"_unhidden", exposed)
	set.Int("comm."+name+"_count", int64(p.count))
	if p.known {
		set.Int("comm."+name+"_bytes", p.bytes)
	} else {
		set.Missing(sizesUnknown, "comm."+name+"_bytes")
	}
	putShare(set, "comm."+name+"_exposed_frac", exposed.Total(), p.total.Total(), "the "+name+" pass does not communicate")
}

func putAsymmetry(lane *timeline.Lane, set *feature.Set, forward, backward passComm) {
	f, b := float64(forward.total.Total()), float64(backward.total.Total())
	if f == 0 || b == 0 {
		set.Missing("only one of the passes communicates", "comm.asymmetry_ratio", "comm.exposed_difference_frac")
	} else {
		set.Float("comm.asymmetry_ratio", max(f/b, b/f))
	}
	putWorse(lane, set, forward, backward)
}

// unpaired lists the collectives of one pass whose partner never comes in the other: inference, which has no backward pass, has
// no partner to miss.
func unpaired(lane *timeline.Lane, forward, backward passComm, backwardRuns bool) []feature.Record {
	if len(lane.Steady) == 0 || !backwardRuns {
		return nil
	}
	var out []feature.Record
	add := func(pass passComm, phase, kind string, other passComm, partner string) {
		k := pass.kinds[kind]
		if k == nil || other.kinds[partner] != nil {
			return
		}
		total := k.length.Total()
		out = append(out, feature.Record{
			"collective": kind, "phase": phase, "partner": partner, "count": int64(k.count), "total_us": total.Micros(),
			"frac": float64(total) / float64(lane.W.Len()),
		})
	}
	add(forward, "forward", "allgather", backward, "reducescatter")
	add(backward, "backward", "reducescatter", forward, "allgather")
	return out
}

// putWorse names the pass that hides less of its communication; it is the only one that communicates when the other does not.
func putWorse(lane *timeline.Lane, set *feature.Set, forward, backward passComm) {
	if len(forward.total)+len(backward.total) == 0 {
		const reason = "neither pass communicates"
		set.Missing(reason, "comm.worse_phase")
		missingDuration(set, "comm.worse_unhidden", reason)
		return
	}
	f, b := forward.total.Minus(lane.Compute), backward.total.Minus(lane.Compute)
	fShare, bShare := ratio(f, forward.total), ratio(b, backward.total)
	phase, worse := "forward", f
	if bShare > fShare {
		phase, worse = "backward", b
	}
	set.Text("comm.worse_phase", phase)
	putDuration(set, lane, "comm.worse_unhidden", worse)
	if fShare >= 0 && bShare >= 0 {
		set.Float("comm.exposed_difference_frac", max(fShare, bShare)-min(fShare, bShare))
	}
}

// ratio is a part of a whole, -1 when there is no whole.
func ratio(part, whole span.Set) float64 {
	if len(whole) == 0 {
		return -1
	}
	return float64(part.Total()) / float64(whole.Total())
}
