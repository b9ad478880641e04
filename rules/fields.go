package rules

import (
	"regexp"
	"strings"

	"perflint/detectors/feature"
	"perflint/rules/source"
)

// draft is a rule whose expressions are not compiled yet: they need all params and foreach first.
type draft struct {
	rule Rule
	at   *source.Node

	applies, when, warningWhen, errorWhen     *source.Node
	share, saving                             *source.Node
	forEach, message, subject, severity       *source.Node
	claims, evidence, locations, fixes, holds []*source.Node
	params                                    *source.Node
}

// maxID is how long an id may be.
const maxID = 64

var (
	idForm    = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	paramForm = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
)

var severityWords = []string{"auto", "error", "warning", "info"}

var confidences = []string{"high", "medium", "low"}

// ruleFields is what a rule file may say.
var ruleFields = []field[draft]{
	{"id", "the name of the rule: lower-case words joined by hyphens, unique over all packs", textShape, true, readID},
	{"title", "what is wrong, at most 80 characters, without a full stop at the end", textShape, true, readTitle},
	{"severity", "auto follows from the share of the window that a finding claims; default auto with claims, else warning", wordShape(severityWords), false,
		into(raw, func(d *draft) **source.Node { return &d.severity })},
	{"warning_when", "condition that lifts a finding to warning at least", exprShape, false, into(raw, func(d *draft) **source.Node { return &d.warningWhen })},
	{"error_when", "condition that lifts a finding to error", exprShape, false, into(raw, func(d *draft) **source.Node { return &d.errorWhen })},
	{"enabled", "false: shipped, but off until a selection names it", boolShape, false,
		func(r *reader, n *source.Node, d *draft) { d.rule.Disabled = !boolean(r, n) }},
	{"tags", "words to select the rule by", listShape(textShape), false, into(texts, func(d *draft) *[]string { return &d.rule.Tags })},
	{"params", "limits that users may override: name to value, or to default, unit, doc, min, max", paramsShape(), false,
		into(raw, func(d *draft) **source.Node { return &d.params })},
	{"applies", "condition without which the rule is skipped", exprShape, false, into(raw, func(d *draft) **source.Node { return &d.applies })},
	{"foreach", "list feature; the rule is judged for each of its records, called it", textShape, false,
		into(raw, func(d *draft) **source.Node { return &d.forEach })},
	{"limit", "with foreach: how many findings are kept, the rest is counted; default 5", shape{"type": "integer", "minimum": 1}, false,
		into(positive, func(d *draft) *int { return &d.rule.Limit })},
	{"when", "condition on which the rule fires", exprShape, true, into(raw, func(d *draft) **source.Node { return &d.when })},
	{"message", "one sentence with numbers; {{ expression }} is filled in", textShape, true, into(raw, func(d *draft) **source.Node { return &d.message })},
	{"subject", "what is to blame, with {{ expression }}; findings of one subject on several lanes are shown as one", textShape, false,
		into(raw, func(d *draft) **source.Node { return &d.subject })},
	{"scope", "lane: judged for each GPU; trace: once a file; job: once over job features", wordShape(scopeNames), false,
		func(r *reader, n *source.Node, d *draft) { d.rule.Scope = Scope(word(r, n, "scope", scopeNames)) }},
	{"grain", "how precisely the culprit is named; finer claims are served first; default gpu", wordShape(grainNames), false,
		func(r *reader, n *source.Node, d *draft) { d.rule.Grain = Grain(word(r, n, "grain", grainNames)) }},
	{"claims", "intervals that the remedy could recover: span features, minus(a, b), both(a, b), it.spans in a foreach", listShape(textShape), false,
		into(items, func(d *draft) *[]*source.Node { return &d.claims })},
	{"share", "the part of the claimed time that the remedy can win back, 0 to 1", exprShape, false, into(raw, func(d *draft) **source.Node { return &d.share })},
	{"saving", "upper bound in microseconds, for a rule without claims", exprShape, false, into(raw, func(d *draft) **source.Node { return &d.saving })},
	{"confidence", "how sure the rule is; default medium", wordShape(confidences), false,
		func(r *reader, n *source.Node, d *draft) {
			d.rule.Confidence = confidences[word(r, n, "confidence", confidences)]
		}},
	{"evidence", "features shown beside those that when names, or maps of label and value", listShape(evidenceShape), false,
		into(items, func(d *draft) *[]*source.Node { return &d.evidence })},
	{"locations", "list features whose records say where in the trace it happens, or it", listShape(textShape), false,
		into(items, func(d *draft) *[]*source.Node { return &d.locations })},
	{"why", "Markdown: why it matters", textShape, false, into(text, func(d *draft) *string { return &d.rule.Why })},
	{"fix", "remedies, most effective first", listShape(fixShape()), false, into(items, func(d *draft) *[]*source.Node { return &d.fixes })},
	{"docs", "links", listShape(textShape), false, into(texts, func(d *draft) *[]string { return &d.rule.Docs })},
	{"requires", "versions of perflint that the rule is for, such as >=0.1", textShape, false, into(text, func(d *draft) *string { return &d.rule.Requires })},
	{"since", "version that first had the rule", textShape, false, into(text, func(d *draft) *string { return &d.rule.Since })},
	{"formerly", "older ids, which keep working", listShape(textShape), false, into(texts, func(d *draft) *[]string { return &d.rule.Formerly })},
	{"deprecated", "why the rule should no longer be used", textShape, false, into(text, func(d *draft) *string { return &d.rule.Deprecated })},
	{"holds", "rules that rise no higher than info, or are off, when this one fires", listShape(holdShape()), false,
		into(items, func(d *draft) *[]*source.Node { return &d.holds })},
	{"refines", "ids of rules that see the same time less precisely", listShape(textShape), false,
		into(texts, func(d *draft) *[]string { return &d.rule.Refines })},
	{"replaces", "id of the rule that this one stands in for", textShape, false, into(text, func(d *draft) *string { return &d.rule.Replaces })},
}

func readID(r *reader, n *source.Node, d *draft) {
	d.rule.ID = text(r, n)
	if !ValidID(d.rule.ID) {
		r.report(n, "bad-id", "", "an id is lower-case words joined by hyphens, at most %d characters; got %s", maxID, shown(n))
	}
}

func readTitle(r *reader, n *source.Node, d *draft) {
	d.rule.Title = text(r, n)
	switch {
	case len([]rune(d.rule.Title)) > 80:
		r.report(n, "too-long", "", "a title has at most 80 characters, this one has %d", len([]rune(d.rule.Title)))
	case strings.Contains(d.rule.Title, "{{"):
		r.report(n, "wrong-type", "", "a title takes no {{ }}; put the numbers into the message")
	case strings.HasSuffix(d.rule.Title, "."):
		r.report(n, "wrong-type", "", "a title does not end in a full stop")
	}
}

var fixFields = []field[fixDraft]{
	{"do", "what to change; {{ expression }} is filled in", textShape, true, into(raw, func(f *fixDraft) **source.Node { return &f.do })},
	{"code", "language to code", shape{"type": "object", "maxProperties": 1, "additionalProperties": textShape}, false, readCode},
	{"docs", "link", textShape, false, into(text, func(f *fixDraft) *string { return &f.fix.Docs })},
	{"when", "condition on which the remedy fits; default always", exprShape, false, into(raw, func(f *fixDraft) **source.Node { return &f.when })},
}

type fixDraft struct {
	fix      Fix
	do, when *source.Node
}

func readCode(r *reader, n *source.Node, f *fixDraft) {
	if n.Kind != source.Map || len(n.Fields) != 1 {
		r.report(n, "wrong-type", "", "code is a map of one language to the code, such as python: x = 1")
		return
	}
	f.fix.Lang, f.fix.Code = n.Fields[0].Key.Value, text(r, n.Fields[0].Value)
}

var holdFields = []field[holdDraft]{
	{"rules", "ids, globs such as comm-*, or tag:NAME", listShape(textShape), true, into(texts, func(h *holdDraft) *[]string { return &h.hold.Rules })},
	{"at", "info: they rise no higher; off: they are silent", wordShape(holdWords), true,
		func(r *reader, n *source.Node, h *holdDraft) { h.hold.Silent = word(r, n, "at", holdWords) == 1 }},
	{"when", "condition on which it holds them; default always", exprShape, false, into(raw, func(h *holdDraft) **source.Node { return &h.when })},
}

type holdDraft struct {
	hold Hold
	when *source.Node
}

var holdWords = []string{"info", "off"}

var evidenceFields = []field[extraDraft]{
	{"label", "what the value is; {{ expression }} is filled in", textShape, true, into(raw, func(e *extraDraft) **source.Node { return &e.label })},
	{"value", "expression", exprShape, true, into(raw, func(e *extraDraft) **source.Node { return &e.value })},
}

type extraDraft struct{ label, value *source.Node }

var paramFields = []field[paramDraft]{
	{"default", "value: 0.2, 20%, 500us, 3ms, 64MiB, true, or a text", scalarShape, true, into(raw, func(p *paramDraft) **source.Node { return &p.value })},
	{"unit", "unit of a number", wordShape(unitNames), false,
		func(r *reader, n *source.Node, p *paramDraft) {
			p.param.Unit = feature.Unit(unitNames[word(r, n, "unit", unitNames)])
		}},
	{"doc", "what the limit means", textShape, false, into(text, func(p *paramDraft) *string { return &p.param.Doc })},
	{"min", "least value allowed", scalarShape, false, into(raw, func(p *paramDraft) **source.Node { return &p.min })},
	{"max", "largest value allowed", scalarShape, false, into(raw, func(p *paramDraft) **source.Node { return &p.max })},
}

type paramDraft struct {
	param           Param
	value, min, max *source.Node
}

var unitNames = []string{"frac", "ratio", "us", "bytes", "count", "gbps"}
