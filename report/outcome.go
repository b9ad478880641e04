package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/rules"
)

func (r *Report) outcome(o rules.Outcome, prints fingerprints) Outcome {
	out := Outcome{
		Rule: o.Rule.ID, Title: o.Rule.Title, Scope: o.Rule.Scope.String(), Confidence: o.Rule.Confidence,
		Grain: o.Rule.Grain.String(), Holds: len(o.Rule.Holds) > 0, Refines: o.Rule.Refines,
		Status: o.Status.String(), Reason: o.Reason, Missing: o.Missing, More: o.More, Tags: o.Rule.Tags,
	}
	worst := rules.Silent
	for _, f := range o.Findings {
		if f.Severity == rules.Silent {
			continue
		}
		if f.Suppressed == "" {
			worst = max(worst, f.Severity)
		}
		out.Findings = append(out.Findings, r.finding(o.Rule, f, prints))
	}
	if worst > rules.Silent {
		out.Severity = worst.String()
		out.Why, out.Docs = o.Rule.Why, o.Rule.Docs
	}
	return out
}

func (r *Report) finding(rule *rules.Rule, f rules.Finding, prints fingerprints) Finding {
	out := Finding{
		Lanes: f.Lanes, Lane: f.Lane, Subject: f.Subject, Message: f.Message, Severity: f.Severity.String(),
		AloneUs: f.Alone, ExclusiveUs: f.Exclusive, UpToUs: f.UpTo,
		HeldBy: f.HeldBy, Decides: f.Decides(), FoldedInto: f.FoldedInto, SeenAs: f.SeenAs, Suppressed: f.Suppressed, Claims: longest(f.Claims, MaxSpans),
	}
	if out.Lanes == nil {
		out.Lanes = []int{}
	}
	if out.Lane < 0 || out.Lane >= len(r.Lanes) {
		out.Lane = -1
	}
	for i, b := range f.ByLane {
		if i < len(f.Lanes) {
			out.ByLane = append(out.ByLane, Saving{f.Lanes[i], b.Alone, b.Exclusive, fraction(b.Exclusive, b.Window)})
		}
	}
	if i := slices.Index(f.Lanes, out.Lane); i >= 0 && i < len(out.ByLane) {
		out.ShareFrac = out.ByLane[i].ShareFrac
	}
	for _, e := range f.Evidence {
		out.Evidence = append(out.Evidence, evidence(e))
	}
	for _, p := range f.Places {
		out.Locations = append(out.Locations, Place{p.Start, p.Dur, p.Track, p.Op, p.Frame, p.File, p.Line, p.Function})
	}
	for _, x := range f.Fix {
		out.Fix = append(out.Fix, Fix(x))
	}
	out.Fingerprint = prints.next(rule.ID, r.labelOf(out), f.Subject)
	return out
}

// fraction is zero where there is no whole.
func fraction(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return part / whole
}

func evidence(e rules.Evidence) Evidence {
	out := Evidence{Feature: e.Label, Value: plainValue(e.Value), Unit: e.Unit}
	if _, set := e.Value.(span.Set); set {
		out.Unit = feature.Us
	}
	if e.Op != "" {
		out.Limit = &Limit{Op: e.Op, Value: plainValue(e.Limit), Param: e.Param}
	}
	return out
}

// plainValue keeps what JSON can hold: a set of intervals becomes its length in µs, a list its number of records.
func plainValue(v any) any {
	switch v := v.(type) {
	case span.Set:
		return v.Total().Micros()
	case []feature.Record:
		return int64(len(v))
	case int:
		return int64(v)
	}
	return v
}

// labelOf names the lane of a finding in its fingerprint. A finding about several lanes has none: which of them is the
// worst changes from run to run.
func (r *Report) labelOf(f Finding) string {
	if len(f.Lanes) > 1 || f.Lane < 0 {
		return ""
	}
	id := r.Lanes[f.Lane].ID
	return fmt.Sprintf("rank %s GPU %s", orUnknown(id.Rank), orUnknown(id.GPU))
}

func orUnknown(n *int) string {
	if n == nil {
		return "?"
	}
	return fmt.Sprint(*n)
}

// fingerprints tells findings apart from run to run. Values are no part of them, so that a baseline survives noise.
type fingerprints struct {
	label string
	seen  map[string]int
}

// next is the first 16 hex digits of SHA-256 over rule, label and subject; a second finding of the same three is numbered,
// for GitLab shows only the first of two equal ones.
func (p fingerprints) next(rule, label, subject string) string {
	if p.label != "" {
		label = p.label
	}
	key := rule + "\x00" + label + "\x00" + subject
	n := p.seen[key]
	p.seen[key]++
	if n > 0 {
		key = fmt.Sprintf("%s\x00%d", key, n)
	}
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:8])
}
