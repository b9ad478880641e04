package report

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"perflint/detectors/feature"
	"perflint/rules"
)

// counted is "1 error", "2 errors".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return feature.Format(int64(n), feature.Count) + " " + noun + "s"
}

// verdict is the report in one sentence, and whether anything about the job could be judged at all.
func (r *Report) verdict() (headline, rest string) {
	s := r.Summary
	var levels []string
	for _, l := range []struct {
		n    int
		noun string
	}{{s.Error, "error"}, {s.Warning, "warning"}} {
		if l.n > 0 {
			levels = append(levels, counted(l.n, l.noun))
		}
	}
	if s.Info > 0 {
		levels = append(levels, feature.Format(int64(s.Info), feature.Count)+" info")
	}
	none := "No finding"
	if s.Known > 0 {
		none = "No new finding"
	}
	headline = cmp.Or(strings.Join(levels, ", "), none)
	if !r.judged() {
		headline = "Nothing could be judged"
		if len(levels) > 0 {
			headline += " but the trace itself: " + strings.Join(levels, ", ")
		}
	}
	return headline + ".", r.othersInWords()
}

func (r *Report) othersInWords() string {
	s := r.Summary
	var out []string
	for _, c := range []struct {
		n    int
		text string
	}{{s.Passed, "passed"}, {s.Skipped, "not relevant"}, {s.Abstained, "could not be judged"}, {s.Suppressed, "suppressed"}} {
		if c.n == 0 {
			continue
		}
		number := feature.Format(int64(c.n), feature.Count)
		if len(out) == 0 {
			number = counted(c.n, "rule")
		}
		out = append(out, number+" "+c.text)
	}
	if s.Known > 0 {
		out = append(out, counted(s.Known, "finding")+" already in the baseline")
	}
	if len(out) == 0 {
		return ""
	}
	return strings.Join(out, ", ") + "."
}

// judged reports whether any rule about the job, not only about its trace, came to a verdict.
func (r *Report) judged() bool {
	undecided := false
	for _, o := range r.Outcomes {
		verdict := o.Status == rules.Fired.String() || o.Status == rules.Passed.String() || len(o.accepted()) > 0
		if verdict && !o.aboutTrace() {
			return true
		}
		undecided = undecided || !verdict
	}
	return !undecided
}

// aboutTrace reports whether a rule is about the quality of the trace: group 11 of the shipped rules, and what is judged
// once a file.
func (o Outcome) aboutTrace() bool {
	return o.Scope == rules.TraceScope.String() || slices.Contains(o.Tags, "group-11")
}

// floor says what could be recovered of each step, empty when nothing is claimed.
func (r *Report) floor(bold func(string) string) string {
	b, ok := r.newBudget()
	if !ok || b.recoverable <= 0 {
		return ""
	}
	of := "of each step"
	if !b.steps {
		of = "of the " + feature.Micros(b.window) + " window"
	}
	text := fmt.Sprintf("Up to %s %s could be recovered%s", bold(b.time(b.recoverable)+" ("+feature.Share(b.recoverable)+")"), of, r.onLane(b.lane))
	falls := r.waterfall(b)
	if len(falls) < 2 {
		return text + "."
	}
	largest := slices.MaxFunc(falls, func(a, b drop) int { return cmp.Compare(a.frac, b.frac) })
	return fmt.Sprintf("%s; the largest single gain is %s (%s).", text, b.time(largest.frac), feature.Share(largest.frac))
}

// gain is what a finding could save: "116 ms (28 %)", empty when it claims nothing.
func (r *Report) gain(f Finding) string {
	if f.Lane < 0 {
		return r.bound(f.UpToUs, 1)
	}
	b := r.budgetOf(f.Lane)
	if f.ExclusiveUs <= 0 || b.window <= 0 {
		return r.bound(f.UpToUs, b.scale)
	}
	return b.time(f.ShareFrac) + " (" + feature.Share(f.ShareFrac) + ")"
}

func (r *Report) bound(us, scale float64) string {
	if us <= 0 {
		return ""
	}
	return "(" + feature.Micros(us*scale) + ")"
}

// brackets explains the savings in brackets, if there is one.
func brackets(findings []ranked) string {
	for _, f := range findings {
		if f.ExclusiveUs <= 0 && f.UpToUs > 0 {
			return "In brackets: an upper bound that may overlap with other findings and is not part of the sum."
		}
	}
	return ""
}

// title is what the report is about.
func (r *Report) title() string {
	switch len(r.Traces) {
	case 0:
		return "no trace"
	case 1:
		return r.Traces[0].Path
	}
	return fmt.Sprintf("%d traces in %s", len(r.Traces), path.Dir(r.Traces[0].Path))
}

// facts are the words under the title: format, GPUs, what was looked at, the length of a step, the rank.
func (r *Report) facts() []string {
	var out []string
	add := func(s string) {
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for _, t := range r.Traces {
		add(prose(t.Format))
	}
	add(r.gpus())
	if len(r.Traces) == 1 {
		add(prose(r.Traces[0].Window))
	}
	if b, ok := r.newBudget(); ok && b.steps {
		add(feature.Micros(b.whole()) + " per step")
	} else if ok {
		add(feature.Micros(b.window) + " window")
	}
	if peers := r.peers(); len(peers) == 1 {
		add(r.rankOf(r.Lanes[peers[0]].ID))
	}
	return out
}

// rankOf is "rank 3 of 8", empty where the trace does not say.
func (r *Report) rankOf(id LaneID) string {
	if id.Rank == nil {
		return ""
	}
	s := fmt.Sprintf("rank %d", *id.Rank)
	if id.Trace < len(r.Traces) && r.Traces[id.Trace].WorldSize > 1 {
		s += fmt.Sprintf(" of %d", r.Traces[id.Trace].WorldSize)
	}
	return s
}

// unnamed is what a GPU is called whose name the trace does not say.
const unnamed = "GPU"

// gpus is "8 × NVIDIA H200", or the kinds one after the other.
func (r *Report) gpus() string {
	var kinds []string
	count := map[string]int{}
	for _, l := range r.Lanes {
		if l.ID.GPU == nil {
			continue
		}
		kind := cmp.Or(l.ID.Name, l.text("trace.gpu_name"), unnamed)
		if count[kind] == 0 {
			kinds = append(kinds, kind)
		}
		count[kind]++
	}
	for i, k := range kinds {
		switch n := count[k]; {
		case k == unnamed:
			kinds[i] = counted(n, k)
		case n > 1:
			kinds[i] = fmt.Sprintf("%d × %s", n, name(k, inTable))
		default:
			kinds[i] = name(k, inTable)
		}
	}
	return strings.Join(kinds, " + ")
}

// hiddenLine owns up to what the options hide.
func hiddenLine(n int) string {
	if n == 0 {
		return ""
	}
	return counted(n, "finding") + " below the limits of `--show` or `--min-saving` not shown."
}

// sentenceOf makes words a sentence; empty stays empty.
func sentenceOf(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}
