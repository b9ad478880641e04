package rules

import (
	"fmt"
	"maps"
	"regexp"
	"strings"

	"perflint/detectors/feature"
	"perflint/rules/source"
)

// RuleTest is one test file: the cases of one rule.
type RuleTest struct {
	Rule  *Rule
	File  string
	Cases []Case
}

// Case is one judgement that a rule must come to.
type Case struct {
	Name   string
	Line   int
	Expect Status
	Todo   string // why it is known to fail, empty when it must pass

	trace    string // path of a trace to measure, instead of features
	lane     *feature.Set
	job      *feature.Set // nil unless the case gives features of job.…
	params   []Override
	severity Severity // Silent: not asserted
	saving   [2]*float64
	message  string
	subject  string
	pattern  *regexp.Regexp // of a message between slashes
	missing  []string
	findings int // 0: not asserted
}

var expectWords = []string{"fire", "pass", "abstain", "skip"}

var expectStatus = []Status{Fired, Passed, Abstained, Skipped}

// testDraft is a test file before its features are read: they need the schema.
type testDraft struct {
	rule  *source.Node
	given *source.Node
	cases []*source.Node
}

type caseDraft struct {
	c                        Case
	features, params, saving *source.Node
}

var testFields = []field[testDraft]{
	{"rule", "id of the rule", textShape, true, into(raw, func(t *testDraft) **source.Node { return &t.rule })},
	{"given", "features that all cases share", featuresShape, false, into(raw, func(t *testDraft) **source.Node { return &t.given })},
	{"tests", "the cases", listShape(caseShape()), true, into(items, func(t *testDraft) *[]*source.Node { return &t.cases })},
}

var caseFields = []field[caseDraft]{
	{"name", "what the case shows", textShape, true, into(text, func(d *caseDraft) *string { return &d.c.Name })},
	{"features", "name to value; null takes a given one away", featuresShape, false, into(raw, func(d *caseDraft) **source.Node { return &d.features })},
	{"trace", "path of a trace to measure, relative to this file", textShape, false, into(text, func(d *caseDraft) *string { return &d.c.trace })},
	{"params", "parameters of the rule to override", shape{"type": "object", "additionalProperties": scalarShape}, false,
		into(raw, func(d *caseDraft) **source.Node { return &d.params })},
	{"expect", "what becomes of the rule", wordShape(expectWords), true, func(r *reader, n *source.Node, d *caseDraft) {
		d.c.Expect = expectStatus[word(r, n, "expect", expectWords)]
	}},
	{"severity", "severity of the worst finding", wordShape(severityWords[1:]), false, func(r *reader, n *source.Node, d *caseDraft) {
		d.c.severity = Error - Severity(word(r, n, "severity", severityWords[1:]))
	}},
	{"saving", "bounds of what the worst finding claims alone, or of its upper bound", mapShape(savingFields), false,
		into(raw, func(d *caseDraft) **source.Node { return &d.saving })},
	{"message", "part of the message, or /regular expression/", textShape, false, readMessage},
	{"subject", "what the worst finding blames", textShape, false, into(text, func(d *caseDraft) *string { return &d.c.subject })},
	{"missing", "features for whose lack it abstains", listShape(textShape), false, into(texts, func(d *caseDraft) *[]string { return &d.c.missing })},
	{"findings", "how many findings there are", shape{"type": "integer", "minimum": 1}, false, into(positive, func(d *caseDraft) *int { return &d.c.findings })},
	{"todo", "why the case is known to fail", textShape, false, into(text, func(d *caseDraft) *string { return &d.c.Todo })},
}

func caseShape() shape { return mapShape(caseFields) }

var savingFields = []field[[2]*float64]{
	{"min", "least", scalarShape, false, savingBound(0)},
	{"max", "largest", scalarShape, false, savingBound(1)},
}

func savingBound(i int) func(*reader, *source.Node, *[2]*float64) {
	return func(r *reader, n *source.Node, b *[2]*float64) {
		v, ok := numberOf(n.Value, feature.Us)
		if !ok {
			r.report(n, "wrong-type", "", "expected %s, got %s", unitWords[feature.Us], shown(n))
		}
		b[i] = &v
	}
}

func readMessage(r *reader, n *source.Node, d *caseDraft) {
	d.c.message = text(r, n)
	pattern, isPattern := strings.CutPrefix(d.c.message, "/")
	if pattern, closed := strings.CutSuffix(pattern, "/"); isPattern && closed && pattern != "" {
		var err error
		if d.c.pattern, err = regexp.Compile(pattern); err != nil {
			r.report(n, "wrong-type", "", "%v", err)
		}
	}
}

// LoadTests reads the test files among files. Every problem of every file is reported.
func (rs *Ruleset) LoadTests(files ...File) ([]RuleTest, source.Diagnostics) {
	var out []RuleTest
	r := &reader{}
	for _, f := range files {
		if !f.IsTest() {
			continue
		}
		docs, problems := source.Parse(f.Path, f.Data)
		r.diags = append(r.diags, problems...)
		for _, doc := range docs {
			if t, ok := rs.readTest(r, doc); ok {
				out = append(out, t)
			}
		}
	}
	r.diags.Sort()
	return out, r.diags
}

func (rs *Ruleset) readTest(r *reader, doc *source.Node) (RuleTest, bool) {
	var d testDraft
	decode(r, doc, testFields, &d, "rule")
	if d.rule == nil {
		return RuleTest{}, false
	}
	rule, ok := rs.Find(text(r, d.rule))
	if !ok && rs.broke(d.rule.Value) {
		return RuleTest{}, false
	}
	if !ok {
		r.report(d.rule, "unknown-rule", source.DidYouMean(d.rule.Value, rs.ids()), "unknown rule %s", shown(d.rule))
		return RuleTest{}, false
	}
	t := RuleTest{Rule: rule, File: doc.Path()}
	given := caseFeatures{r, rs.schema, map[string]any{}}
	given.read(d.given)
	for _, n := range d.cases {
		t.Cases = append(t.Cases, rs.readCase(r, n, rule, given))
	}
	return t, true
}

func (rs *Ruleset) readCase(r *reader, n *source.Node, rule *Rule, given caseFeatures) Case {
	d := caseDraft{c: Case{Line: n.Pos().Line}}
	decode(r, n, caseFields, &d, "name")
	if d.saving != nil {
		decode(r, d.saving, savingFields, &d.c.saving, "")
	}
	if d.c.trace != "" && d.features != nil {
		r.report(d.features, "wrong-type", "", "a case has features or a trace, not both")
	}
	d.c.params = rs.caseParams(r, rule, d.params)
	given.values = maps.Clone(given.values)
	given.read(d.features)
	d.c.lane, d.c.job = given.sets()
	return d.c
}

func (rs *Ruleset) caseParams(r *reader, rule *Rule, n *source.Node) []Override {
	if n == nil {
		return nil
	}
	var out []Override
	for _, f := range n.Fields {
		o := Override{Rule: rule.ID, Param: f.Key.Value, Value: f.Value.Value, At: f.Value, param: f.Key}
		if p := rs.refuse(o); p != nil {
			r.diags = append(r.diags, o.diag(p))
		}
		out = append(out, o)
	}
	return out
}

// featuresShape stands in the schema of tests, where the features are defined.
var featuresShape = shape{"$ref": "#/definitions/features"}

// reached is for messages: fire, pass, abstain, skip.
func reached(s Status) string {
	for i, e := range expectStatus {
		if e == s {
			return expectWords[i]
		}
	}
	return fmt.Sprint(s)
}
