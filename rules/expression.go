package rules

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/optimizer"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"

	"perflint/detectors/feature"
	"perflint/rules/source"
)

// want is what an expression must give.
type want uint8

const (
	anything want = iota
	truth
	quantity
)

// expression is compiled and type-checked.
type expression struct {
	text    string // as written
	program *vm.Program
	names   *names
	unit    feature.Unit // of the number it gives
}

// line is the expression on one line, for messages.
func (e *expression) line() string { return strings.Join(strings.Fields(e.text), " ") }

// compile parses the characters of n from offset on and reports every mistake at its place; nil when there was one, here or in
// what the expression names.
func (l language) compile(r *reader, n *source.Node, text string, offset int, w want) *expression {
	e, problems := l.parse(text, w)
	for _, p := range problems {
		if n.Plain() && strings.HasPrefix(n.Rest(), " #") {
			p.hint = "a blank and # begin a comment here; write the expression as a block: |"
		}
		r.diags = append(r.diags, n.DiagAt(offset+p.from, offset+p.to, p.code, p.message, p.hint))
	}
	if len(problems) > 0 {
		return nil
	}
	return e
}

// expression compiles a whole scalar.
func (l language) expression(r *reader, n *source.Node, w want) *expression {
	if n == nil {
		return nil
	}
	if !n.Scalar() {
		hint := ""
		if n.Kind == source.Map {
			hint = "an expression stands without {{ }}; quote one that begins with {"
		}
		r.report(n, "wrong-type", hint, "expected an expression, got %s", n.Kind)
		return nil
	}
	return l.compile(r, n, n.Value, 0, w)
}

func (l language) parse(text string, w want) (e *expression, problems []problem) {
	size := len([]rune(strings.TrimRight(text, " \n")))
	if size > maxLength {
		return nil, []problem{{0, size, "too-long", fmt.Sprintf("the expression is longer than %d characters", maxLength), ""}}
	}
	defer func() { // the compiler of expr has paniced on odd input before
		if p := recover(); p != nil {
			problems = []problem{{0, size, "syntax", fmt.Sprintf("the expression cannot be compiled: %v", p), ""}}
		}
	}()
	tree, err := parser.ParseWithConfig(text, l.base)
	if err != nil {
		return nil, []problem{syntaxProblem(err, text, l.known())}
	}
	names := l.names(tree.Node)
	if len(names.problems) > 0 {
		return nil, names.problems
	}
	if l.it == unknownList && names.ofRecord || names.ofBroken {
		return nil, nil // what is wrong has been said
	}
	config := l.config(names)
	if _, err := checker.Check(tree, config); err != nil {
		return nil, []problem{typeProblem(err, tree.Node, text)}
	}
	if p := resultProblem(tree.Node, w, size); p != nil {
		return nil, []problem{*p}
	}
	e = &expression{text: strings.TrimSpace(text), names: names, unit: l.unit(tree.Node)}
	e.program, err = build(tree, config, names)
	if err != nil {
		return nil, []problem{{0, size, "syntax", firstLine(err), ""}}
	}
	return e, nil
}

// build compiles a checked tree, with the operators and names that need care at run time replaced by calls.
func build(tree *parser.Tree, config *conf.Config, names *names) (*vm.Program, error) {
	ast.Walk(&tree.Node, guard{names})
	if _, err := checker.Check(tree, config); err != nil {
		return nil, err
	}
	if err := optimizer.Optimize(&tree.Node, config); err != nil {
		return nil, err
	}
	return compiler.Compile(tree, config)
}

// firstLine cuts the stack trace that an error of the compiler may carry.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// resultProblem says what is wrong with the kind of value that the expression gives, and with lists of lists in it.
func resultProblem(root ast.Node, w want, size int) *problem {
	kind := kindOf(root)
	switch {
	case w == truth && kind != "yes or no" && kind != "anything":
		return &problem{0, size, "not-bool", fmt.Sprintf("the expression must be true or false, but it is a %s", kind), ""}
	case w == quantity && kind != "number" && kind != "anything":
		return &problem{0, size, "type-mismatch", fmt.Sprintf("the expression must be a number, but it is a %s", kind), ""}
	}
	var flat flatLists
	ast.Walk(&root, &flat)
	return flat.problem
}

// flatLists finds lists that hold lists or records: nested by a chain of lets they would take for ever to compare.
type flatLists struct{ problem *problem }

func (f *flatLists) Visit(n *ast.Node) {
	var held []ast.Node
	switch n := (*n).(type) {
	case *ast.ArrayNode:
		held = n.Nodes
	case *ast.BuiltinNode:
		if n.Name == "map" && len(n.Arguments) == 2 {
			held = []ast.Node{n.Arguments[1].(*ast.PredicateNode).Node}
		}
	}
	for _, h := range held {
		if !plainValue(h) && f.problem == nil {
			at := h.Location()
			f.problem = &problem{at.From, at.To, "type-mismatch", "a list made in an expression holds numbers, texts or truth values only", ""}
		}
	}
}

func plainValue(n ast.Node) bool {
	switch kindOf(n) {
	case "number", "text", "yes or no":
		return true
	}
	switch n := n.(type) {
	case *ast.BinaryNode:
		return n.Operator == "??" && plainValue(n.Left) && plainValue(n.Right)
	case *ast.ConditionalNode:
		return plainValue(n.Exp1) && plainValue(n.Exp2)
	}
	return false
}

// kindOf is the word for the type of a checked node.
func kindOf(n ast.Node) string { return kindWord(n.Type()) }

func kindWord(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Float64, reflect.Int, reflect.Int64:
		return "number"
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "yes or no"
	case reflect.Slice:
		return "list"
	case reflect.Map:
		return "record"
	}
	return "anything"
}

// location is where an error of expr points to, in characters.
func location(err error, size int) (message string, from, to int) {
	var at *file.Error
	if !errors.As(err, &at) {
		return firstLine(err), 0, size
	}
	return at.Message, at.From, max(at.To, at.From+1)
}
