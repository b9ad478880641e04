package rules

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"

	"perflint/detectors/feature"
)

// Step is one operand of a condition and what became of it.
type Step struct {
	Text   string // gpu.idle_frac (0.31) > params.min_idle (0.4)
	Result string // true, false, not reached, or why it could not be judged
}

// widestStep is how far right the results of steps are aligned.
const widestStep = 90

// WriteSteps prints each step on a line of its own, the results below each other.
func WriteSteps(w io.Writer, indent string, steps []Step) {
	width := 0
	for _, s := range steps {
		if n := utf8.RuneCountInString(s.Text); n <= widestStep {
			width = max(width, n)
		}
	}
	for _, s := range steps {
		fmt.Fprintf(w, "%s%s%s  %s\n", indent, s.Text, strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s.Text))), s.Result)
	}
}

// inspector evaluates a condition part by part, in the order and with the shortcuts that the whole has.
type inspector struct {
	gatherer
	steps []Step
}

// inspect explains a condition in a scene; s must be bound to what it names.
func (l language) inspect(condition string, s *scene) []Step {
	tree, err := parser.ParseWithConfig(condition, l.base)
	if err != nil {
		return nil
	}
	i := &inspector{gatherer: gatherer{language: l, scene: s}}
	i.visit(tree.Node, true)
	return i.steps
}

// visit adds the steps of a node and gives its result. A node that is not reached is only listed.
func (i *inspector) visit(n ast.Node, reached bool) string {
	if b, ok := n.(*ast.BinaryNode); ok {
		switch b.Operator {
		case "and", "&&":
			return i.both(b, reached, "false")
		case "or", "||":
			return i.both(b, reached, "true")
		}
	}
	step := Step{i.shown(n, reached), "not reached"}
	if reached {
		step.Result = i.result(n)
	}
	i.steps = append(i.steps, step)
	return step.Result
}

// both stops after the left side when that is decisive, or cannot be judged.
func (i *inspector) both(b *ast.BinaryNode, reached bool, decisive string) string {
	left := i.visit(b.Left, reached)
	right := i.visit(b.Right, reached && (left == "true" || left == "false") && left != decisive)
	if right == "not reached" {
		return left
	}
	return right
}

func (i *inspector) result(n ast.Node) string {
	e, problems := i.parse(n.String(), anything)
	if len(problems) > 0 {
		return problems[0].message
	}
	v, err := e.run(i.scene)
	if err != nil {
		return err.Error()
	}
	return plainly(v, fewDigits)
}

// shown is a part as written with the value of each name behind it, to so many digits that the two sides of a comparison do
// not look alike when they differ.
func (i *inspector) shown(n ast.Node, reached bool) string {
	b, ok := n.(*ast.BinaryNode)
	if !ok || mirrored[b.Operator] == "" || !reached {
		return i.written(n, reached, fewDigits)
	}
	left, isNumber := i.gatherer.value(b.Left).Value.(float64)
	right, areNumbers := i.gatherer.value(b.Right).Value.(float64)
	if isNumber && areNumbers && left != right && fewDigits(left) == fewDigits(right) {
		return i.written(n, reached, allDigits)
	}
	return i.written(n, reached, fewDigits)
}

func (i *inspector) written(n ast.Node, reached bool, digits func(float64) string) string {
	switch n := n.(type) {
	case *ast.BinaryNode:
		side := func(x ast.Node) string {
			s := i.written(x, reached, digits)
			if b, ok := x.(*ast.BinaryNode); ok && b.Operator != n.Operator && (mirrored[n.Operator] == "" || b.Operator == "??") {
				s = "(" + s + ")"
			}
			return s
		}
		return side(n.Left) + " " + n.Operator + " " + side(n.Right)
	case *ast.UnaryNode:
		if n.Operator == "not" {
			return "not (" + i.written(n.Node, reached, digits) + ")"
		}
	case *ast.MemberNode, *ast.CallNode, *ast.BuiltinNode:
		if v := i.gatherer.value(n).Value; v != nil && reached {
			return fmt.Sprintf("%s (%s)", n, plainly(v, digits))
		}
	}
	return n.String()
}

func allDigits(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// fewDigits is what a reader wants of a measured number: four digits, and no less than its whole part.
func fewDigits(v float64) string {
	decimals := 3
	for x := math.Abs(v); x > 0 && x < 1 && decimals < 12; x *= 10 {
		decimals++
	}
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// plainly is a value as the expression has it, without its unit.
func plainly(v any, digits func(float64) string) string {
	switch v := v.(type) {
	case float64:
		return digits(v)
	case string:
		return strconv.Quote(Clean(v, maxInText))
	case []any:
		return fmt.Sprintf("%d records", len(v))
	case nil:
		return "n/a"
	}
	return fmt.Sprint(v)
}

// Explanation is how a rule came to its outcome on one lane.
type Explanation struct {
	Lane     int // index in the input, -1 for a job without lanes
	Status   Status
	Reason   string
	Subject  string // of the record, in a foreach
	Steps    []Step // of applies when the rule was skipped, else of when
	Operands []Evidence
}

// Explain judges one rule, whatever the selection says, and shows each part of its condition. Of a foreach, as many
// records are shown as there may be findings.
func (rs *Ruleset) Explain(rule *Rule, in Input, cfg Config) []Explanation {
	e := newEvaluation(in, cfg)
	set := e.cfg.settings(rule)
	var out []Explanation
	for _, s := range e.scopeScenes(rule.Scope) {
		j := judge{rule: rule, settings: set, scene: s, materiality: e.cfg.Materiality}
		out = append(out, j.explain()...)
	}
	return out
}

func (j judge) explain() []Explanation {
	l := j.rule.body.language
	v := j.verdict()
	x := Explanation{Lane: j.scene.index, Status: v.status, Reason: v.reason}
	for _, name := range j.rule.Needs {
		d, _ := l.schema.Lookup(name)
		value, _ := j.scene.get(name)
		x.Operands = append(x.Operands, Evidence{Label: name, Value: value, Unit: d.Unit})
	}
	if v.status == Skipped {
		x.Steps = l.with(j.rule.Params, nil).inspect(j.rule.Applies, j.scene)
		return []Explanation{x}
	}
	if j.rule.body.forEach == nil {
		x.Steps = l.inspect(j.rule.When, j.scene)
		return []Explanation{x}
	}
	return j.explainRecords(l, x)
}

func (j judge) explainRecords(l language, x Explanation) []Explanation {
	value, _ := j.scene.get(j.rule.ForEach)
	records, _ := value.([]feature.Record)
	if len(records) == 0 {
		return []Explanation{x}
	}
	var out []Explanation
	for _, r := range records[:min(len(records), j.rule.Limit)] {
		j.scene.each(*j.rule.body.forEach, r)
		x.Subject = j.subject()
		x.Steps = l.inspect(j.rule.When, j.scene)
		out = append(out, x)
	}
	return out
}
