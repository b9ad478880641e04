package rules

import (
	"cmp"
	"maps"

	"perflint/detectors/feature"
	"perflint/rules/source"
)

const defaultLimit = 5

// readRule makes a rule of a document. The rule is usable when the document gave no more than warnings.
func readRule(l language, doc *source.Node) (*Rule, source.Diagnostics) {
	r := &reader{}
	d := &draft{at: doc}
	d.rule = Rule{Confidence: "medium", Limit: defaultLimit, Grain: GPUGrain, Ceiling: Error, File: doc.Path(), Line: doc.Pos().Line}
	if newer(r, doc.Get("requires")) {
		return &d.rule, r.diags
	}
	decode(r, doc, ruleFields, d, "id")
	if doc.Kind == source.Map {
		d.build(r, l)
	}
	return &d.rule, r.diags
}

func (d *draft) build(r *reader, l language) {
	rule := &d.rule
	rule.Params = readParams(r, d.params)
	outside := l.with(rule.Params, nil)
	rule.body.forEach = d.list(r, l)
	inside := l.with(rule.Params, rule.body.forEach)
	rule.body.language = inside
	d.conditions(r, outside, inside)
	d.texts(r, inside)
	d.savings(r, inside)
	d.readSeverity(r)
	for _, n := range d.holds {
		var h holdDraft
		decode(r, n, holdFields, &h, "rules")
		h.hold.when = outside.expression(r, h.when, truth)
		rule.Holds = append(rule.Holds, h.hold)
	}
	rule.Needs = rule.needs()
	d.bound(r)
	if !r.diags.Failed() {
		d.unusedParams(r)
	}
}

// list is the list feature of foreach.
func (d *draft) list(r *reader, l language) *feature.Decl {
	if d.forEach == nil {
		return nil
	}
	name := text(r, d.forEach)
	decl, known := l.schema.Lookup(name)
	switch {
	case !known:
		r.report(d.forEach, "unknown-feature", didYouMeanFeatureOr(name, l.schema), "unknown feature %s", name)
		return unknownList
	case decl.Type != feature.List:
		r.report(d.forEach, "type-mismatch", "", "foreach takes a list; %s is a %s", name, decl.Type)
		return unknownList
	}
	d.rule.ForEach = name
	return &decl
}

func (d *draft) conditions(r *reader, outside, inside language) {
	b := &d.rule.body
	b.applies = outside.expression(r, d.applies, truth)
	b.when = inside.expression(r, d.when, truth)
	b.warningWhen = inside.expression(r, d.warningWhen, truth)
	b.errorWhen = inside.expression(r, d.errorWhen, truth)
	d.rule.Applies, d.rule.When, d.rule.ErrorWhen = b.applies.source(), b.when.source(), b.errorWhen.source()
}

func (d *draft) texts(r *reader, l language) {
	b := &d.rule.body
	b.message, b.subject = l.template(r, d.message), l.template(r, d.subject)
	if d.message != nil {
		d.rule.Message = text(&reader{}, d.message)
	}
	for _, n := range d.fixes {
		f := fixDraft{do: n}
		if n.Kind == source.Map {
			f.do = nil
			decode(r, n, fixFields, &f, "do")
		}
		t := l.template(r, f.do)
		if t != nil {
			f.fix.Do = text(&reader{}, f.do)
		}
		when := l.expression(r, f.when, truth)
		f.fix.When = when.source()
		d.rule.Fix, b.fixes = append(d.rule.Fix, f.fix), append(b.fixes, remedy{t, when})
	}
	for _, n := range d.evidence {
		e := extraDraft{value: n}
		if n.Kind == source.Map {
			e.value = nil
			decode(r, n, evidenceFields, &e, "label")
		}
		b.evidence = append(b.evidence, extra{l.template(r, e.label), l.expression(r, e.value, anything)})
	}
	for _, n := range d.locations {
		if name := l.location(r, n); name != "" {
			b.locations = append(b.locations, name)
		}
	}
}

// location is a list feature whose records can be pointed to, or it.
func (l language) location(r *reader, n *source.Node) string {
	name := text(r, n)
	if name == "it" && l.it != nil {
		return name
	}
	d, known := l.schema.Lookup(name)
	switch {
	case !known:
		r.report(n, "unknown-feature", didYouMeanFeatureOr(name, l.schema), "unknown feature %s", name)
		return ""
	case d.Type != feature.List:
		r.report(n, "type-mismatch", "", "a location is a list; %s is a %s", name, d.Type)
		return ""
	}
	return name
}

func (d *draft) savings(r *reader, l language) {
	rule := &d.rule
	for _, n := range d.claims {
		if c := l.claim(r, n); c != nil {
			rule.body.claims = append(rule.body.claims, c)
		}
		rule.Claims = append(rule.Claims, n.Value)
	}
	rule.body.share = l.expression(r, d.share, quantity)
	rule.body.saving = l.expression(r, d.saving, quantity)
	rule.Share, rule.Saving = rule.body.share.source(), rule.body.saving.source()
	if d.saving != nil && len(d.claims) > 0 {
		r.report(d.saving, "wrong-type", "leave it out, or the claims", "saving is for rules without claims")
	}
	if d.share != nil && len(d.claims) == 0 {
		r.report(d.share, "wrong-type", "", "share is a share of claims, and this rule has none")
	}
}

// readSeverity: auto is the default of a rule with claims, and takes claims.
func (d *draft) readSeverity(r *reader) {
	rule := &d.rule
	if d.severity == nil {
		rule.Auto, rule.Severity = len(d.claims) > 0, Warning
		return
	}
	switch severityWords[word(r, d.severity, "severity", severityWords)] {
	case "auto":
		rule.Auto = true
		if len(d.claims) == 0 && d.severity.Value == "auto" {
			r.report(d.severity, "wrong-type", "", "severity auto follows from claims, and this rule has none")
		}
	case "error":
		rule.Severity = Error
	case "warning":
		rule.Severity = Warning
	case "info":
		rule.Severity = Info
	}
}

// bound keeps a rule of many expressions from taking long where each of them may take a while.
func (d *draft) bound(r *reader) {
	steps := 0
	for _, e := range d.rule.expressions() {
		if d.rule.ForEach != "" {
			steps += feature.MaxRecords * e.names.steps
		} else {
			steps += e.names.steps
		}
	}
	d.rule.steps = steps
	if steps > maxSteps {
		r.report(cmp.Or(d.when, d.at), "too-long", "", "the rule takes up to %s steps, %s are allowed: a closure runs for each record, and so does a rule with foreach",
			feature.Format(int64(steps), feature.Count), feature.Format(int64(maxSteps), feature.Count))
	}
}

func (d *draft) unusedParams(r *reader) {
	used := map[string]bool{}
	for _, e := range d.rule.expressions() {
		maps.Copy(used, e.names.used)
	}
	for _, f := range d.paramFields() {
		if !used[f.Key.Value] {
			w := f.Key.Diag("unused-param", "parameter "+f.Key.Value+" is never used", "")
			w.Warning = true
			r.diags = append(r.diags, w)
		}
	}
}

func (d *draft) paramFields() []source.Field {
	if d.params == nil {
		return nil
	}
	return d.params.Fields
}
