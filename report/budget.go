package report

import (
	"slices"

	"perflint/detectors/feature"
)

// budget is where the time of one lane goes, and what could be won back of it. Times are µs of the window; scale turns
// them into those of one step.
type budget struct {
	lane        int
	window      float64
	scale       float64
	steps       bool
	recoverable float64 // share of the window
}

// newBudget speaks of the lane on which most can be recovered, for savings of different lanes never add up.
func (r *Report) newBudget() (budget, bool) {
	best := -1
	sums := r.recoverable()
	for i, l := range r.Lanes {
		if l.number("gpu.window_us") > 0 && (best < 0 || sums[i] > sums[best]) {
			best = i
		}
	}
	if best < 0 {
		return budget{}, false
	}
	b := r.budgetOf(best)
	b.recoverable = sums[best]
	return b, true
}

func (r *Report) budgetOf(lane int) budget {
	f := r.Lanes[lane]
	b := budget{lane: lane, window: f.number("gpu.window_us"), scale: 1}
	if step := f.number("steps.median_us"); f.number("steps.count") > 0 && step > 0 && b.window > 0 {
		b.steps, b.scale = true, min(1, step/b.window)
	}
	return b
}

// recoverable is the sum of the exclusive savings on each lane, as a share of its window.
func (r *Report) recoverable() []float64 {
	sums := make([]float64, len(r.Lanes))
	for _, f := range r.findings() {
		for _, s := range f.ByLane {
			if s.Lane >= 0 && s.Lane < len(sums) {
				sums[s.Lane] = min(1, sums[s.Lane]+s.ShareFrac)
			}
		}
	}
	return sums
}

// shareOn is the exclusive share of the window that a finding claims on a lane.
func (f Finding) shareOn(lane int) float64 {
	for _, s := range f.ByLane {
		if s.Lane == lane {
			return s.ShareFrac
		}
	}
	return 0
}

// whole is the length of what shares are of: a step, or the window.
func (b budget) whole() float64 { return b.window * b.scale }

// time prints a share of the window as the time that it is in one step.
func (b budget) time(frac float64) string { return feature.Micros(frac * b.whole()) }

// noun is what the shares are of.
func (b budget) noun() string {
	if b.steps {
		return "step"
	}
	return "window"
}

// slice is one part of the window.
type slice struct {
	label string
	frac  float64
}

// parts are the terms of the identity of the window, in the words of somebody who has not read its definition.
var parts = []struct{ label, feature string }{
	{"compute", "gpu.compute_us"},
	{"communication, no compute beside it", "comm.exposed_us"},
	{"copies, nothing beside them", "copy.exposed_us"},
	{"work launched before the window", "gpu.foreign_us"},
}

var idleParts = []struct{ label, feature string }{
	{"idle, nothing launched", "idle.host_late_us"},
	{"idle, inside a launch call", "idle.launch_call_us"},
	{"idle, launch on its way", "idle.launch_latency_us"},
	{"idle, queued work waits", "idle.device_wait_us"},
	{"idle, cause unknown", "idle.unknown_us"},
	{"idle, pauses under 2 µs", "idle.micro_us"},
}

// slices lists where the time of the lane goes, largest first. What is under half a percent is summed up as "other", and
// so is what the features leave open.
func (r *Report) slices(b budget) []slice {
	f := r.Lanes[b.lane]
	var out []slice
	rest := b.window
	add := func(label string, us float64) {
		rest -= us
		out = append(out, slice{label, us / b.window})
	}
	for _, p := range parts {
		add(p.label, f.number(p.feature))
	}
	idle := f.number("gpu.idle_us")
	for _, p := range idleParts {
		us := f.number(p.feature)
		idle -= us
		add(p.label, us)
	}
	add("idle", max(0, idle)) // the part whose kind is not known
	return tidySlices(out, rest/b.window)
}

func tidySlices(all []slice, other float64) []slice {
	const least = 0.005
	var out []slice
	for _, s := range all {
		if s.frac < least {
			other += s.frac
			continue
		}
		out = append(out, s)
	}
	slices.SortStableFunc(out, func(a, b slice) int {
		switch {
		case a.frac > b.frac:
			return -1
		case a.frac < b.frac:
			return 1
		}
		return 0
	})
	if other >= 0.0005 {
		out = append(out, slice{"other", other})
	}
	return out
}

// drop is one line of the waterfall: what a rule's remedies take away, and what is left after it.
type drop struct {
	rule       string
	frac, left float64
}

// waterfall leads from the measured step to the floor, by rule.
func (r *Report) waterfall(b budget) []drop {
	var out []drop
	for _, f := range r.findings() {
		frac := f.shareOn(b.lane)
		if frac <= 0 {
			continue
		}
		i := slices.IndexFunc(out, func(d drop) bool { return d.rule == f.rule.Rule })
		if i < 0 {
			i = len(out)
			out = append(out, drop{rule: f.rule.Rule})
		}
		out[i].frac += frac
	}
	left := 1.0
	for i := range out {
		left = max(0, left-out[i].frac)
		out[i].left = left
	}
	return out
}
