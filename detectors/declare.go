package detectors

import (
	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
)

func number(name string, unit feature.Unit, doc string) feature.Decl {
	return feature.Decl{Name: name, Type: feature.Float, Unit: unit, Doc: doc}
}

func count(name, doc string) feature.Decl {
	return feature.Decl{Name: name, Type: feature.Int, Unit: feature.Count, Doc: doc}
}

func size(name, doc string) feature.Decl {
	return feature.Decl{Name: name, Type: feature.Int, Unit: feature.Bytes, Doc: doc}
}

func text(name, doc string) feature.Decl {
	return feature.Decl{Name: name, Type: feature.Text, Doc: doc}
}

// words declares a text of perflint's own, a word of a closed list or Markdown; nothing of it comes from the trace.
func words(name, doc string) feature.Decl {
	return feature.Decl{Name: name, Type: feature.Text, Doc: doc, Words: true}
}

func boolean(name, doc string) feature.Decl {
	return feature.Decl{Name: name, Type: feature.Bool, Doc: doc}
}

func list(name, doc string, fields ...feature.Decl) feature.Decl {
	return feature.Decl{Name: name, Type: feature.List, Doc: doc, Fields: fields}
}

// duration declares a time with its twins: base_us, base_frac (its share of the window) and base_spans.
func duration(base, doc string) []feature.Decl {
	return []feature.Decl{
		number(base+"_us", feature.Us, doc),
		number(base+"_frac", feature.Frac, doc+", as a share of the window"),
		{Name: base + "_spans", Type: feature.Spans, Doc: doc + ", as intervals"},
	}
}

func declare(parts ...any) []feature.Decl {
	var out []feature.Decl
	for _, p := range parts {
		switch p := p.(type) {
		case feature.Decl:
			out = append(out, p)
		case []feature.Decl:
			out = append(out, p...)
		}
	}
	return out
}

// putDuration sets a time that was declared with duration.
func putDuration(set *feature.Set, lane *timeline.Lane, base string, s span.Set) {
	set.Spans(base+"_spans", s)
	putLength(set, lane, base, s.Total())
}

// putSharedDuration sets a time of which the lane itself keeps the intervals; total is their length.
func putSharedDuration(set *feature.Set, lane *timeline.Lane, base string, s span.Set, total span.Time) {
	set.SharedSpans(base+"_spans", s)
	putLength(set, lane, base, total)
}

// putPackedDuration sets a time whose intervals are packed already.
func putPackedDuration(set *feature.Set, lane *timeline.Lane, base string, p span.Packed) {
	set.PackedSpans(base+"_spans", p)
	putLength(set, lane, base, p.Total())
}

func putLength(set *feature.Set, lane *timeline.Lane, base string, length span.Time) {
	set.Float(base+"_us", length.Micros())
	putShare(set, base+"_frac", length, lane.W.Len(), "the window is empty")
}

func missingDuration(set *feature.Set, base, reason string) {
	set.Missing(reason, base+"_us", base+"_frac", base+"_spans")
}

// putShare sets part/whole, or marks it missing where the whole is nothing.
func putShare(set *feature.Set, name string, part, whole span.Time, reason string) {
	if whole <= 0 {
		set.Missing(reason, name)
		return
	}
	set.Float(name, float64(part)/float64(whole))
}

// steadyCount is the number of steady steps, by which counts are divided.
func steadyCount(lane *timeline.Lane) int { return len(lane.Steady) }

// byFormat picks the words for who records with torch.profiler or with Nsight Systems.
func byFormat(lane *timeline.Lane, kineto, nsys string) string {
	if lane.Trace.Format == "nsys" {
		return nsys
	}
	return kineto
}

func noSteps(lane *timeline.Lane) string {
	return "the trace has no step marks; " + byFormat(lane, "call `prof.step()` once an iteration", "push an NVTX range around each step")
}

func noShapes(lane *timeline.Lane) string {
	return "the trace holds no input dimensions; record with " + byFormat(lane, "`record_shapes=True`", "`--pytorch=autograd-shapes-nvtx`")
}

const (
	noSteadyStep = "no steady step lies in the part of the trace that was asked for"
)

// stepless says why nothing can be counted a step.
func stepless(lane *timeline.Lane) string {
	if len(lane.Steps) > 0 {
		return noSteadyStep
	}
	return noSteps(lane)
}

// putPerStep sets a count a steady step.
func putPerStep(set *feature.Set, lane *timeline.Lane, name string, n int) {
	if steadyCount(lane) == 0 {
		set.Missing(stepless(lane), name)
		return
	}
	set.Float(name, float64(n)/float64(steadyCount(lane)))
}
