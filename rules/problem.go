package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"

	"perflint/rules/source"
)

var (
	unexpectedToken = regexp.MustCompile(`^unexpected token \w+\("(.*)"\)`)
	wrongArgument   = regexp.MustCompile(`^cannot use (.*) as argument \(type (.*)\) to call (\w+)`)
	calls           = regexp.MustCompile(`\b([A-Za-z_]\w*)\(`)
)

// syntaxProblem words an error of the parser. known are the functions there are, nil where none are called.
func syntaxProblem(err error, text string, known []string) problem {
	runes := []rune(text)
	message, from, to := location(err, len(runes))
	p := problem{from, to, "syntax", message, ""}
	at := min(from, len(runes))
	before, rest := string(runes[:at]), string(runes[at:])
	token := unexpectedToken.FindStringSubmatch(message)
	switch {
	case strings.Contains(message, "exceeds maximum allowed nodes"):
		return problem{0, len(runes), "too-long", fmt.Sprintf("the expression has more than %d parts", maxNodes), ""}
	case strings.Contains(message, "cannot be mixed"):
		p.message, p.hint = "?? stands beside another operator", "put parentheses round it: (a ?? b)"
	case strings.HasPrefix(rest, "=~"):
		p.message, p.hint = "=~ is no operator", "write matches, with a pattern in quotes behind it"
	case strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "=="):
		p.message, p.hint = "a single = is no comparison", "write =="
	case afterPercent(text) && strings.Contains(message, "EOF"):
		percent := len([]rune(strings.TrimRight(text, " \t\n")))
		p = problem{percent - 1, percent, "syntax", "a percentage is no number here", "write 0.2 for 20%, or make it a parameter"}
	case afterPercent(before):
		p.message, p.hint = "a percentage is no number here", "write 0.2 for 20%, or make it a parameter"
	case strings.HasPrefix(strings.TrimSpace(text), "{{"):
		p.message, p.hint = "an expression stands without {{ }}", "leave the braces out"
	case strings.Contains(message, "EOF"):
		p.message = "the expression ends too early"
	case token != nil:
		if f := unknownCall(before, known); f != nil { // only the argument of a function that takes a closure begins like that
			return *f
		}
		p.message = "unexpected " + token[1]
		if slices.Contains(betweenTexts, token[1]) && strings.HasPrefix(rest, token[1]+"(") {
			p.hint = fmt.Sprintf("%s stands between two texts: a %s b", token[1], token[1])
		}
	}
	return p
}

// unknownCall is the innermost function around a mistake that does not exist: its closure made no sense to the parser.
func unknownCall(before string, known []string) *problem {
	all := calls.FindAllStringSubmatchIndex(before, -1)
	for _, m := range slices.Backward(all) {
		name, inside := before[m[2]:m[3]], before[m[1]:]
		if known == nil || strings.Count(inside, "(") < strings.Count(inside, ")") || slices.Contains(known, name) {
			continue
		}
		from := len([]rune(before[:m[2]]))
		return &problem{from, from + len(name), "unknown-function", "unknown function " + name, source.DidYouMean(name, known)}
	}
	return nil
}

// betweenTexts are the operators that people take for functions.
var betweenTexts = []string{"contains", "startsWith", "endsWith", "matches"}

// afterPercent reports whether a text ends in a number and %.
func afterPercent(before string) bool {
	before, ok := strings.CutSuffix(strings.TrimRight(before, " \t\n"), "%")
	return ok && before != "" && before[len(before)-1] >= '0' && before[len(before)-1] <= '9'
}

// typeProblem words an error of the type checker by the operands of the node that it points to.
func typeProblem(err error, root ast.Node, text string) problem {
	message, from, to := location(err, len([]rune(text)))
	p := problem{from, to, "type-mismatch", message, ""}
	find := &operatorAt{from: from}
	ast.Walk(&root, find)
	invalid := strings.HasPrefix(message, "invalid operation")
	switch b := find.binary; {
	case invalid && b != nil && mirrored[b.Operator] != "":
		p.message = fmt.Sprintf("cannot compare %s with %s", operand(b.Left), operand(b.Right))
	case invalid && b != nil:
		p.message = fmt.Sprintf("%s does not go with %s and %s", b.Operator, operand(b.Left), operand(b.Right))
	case invalid && find.unary != nil:
		p.message = fmt.Sprintf("%s does not go with %s", find.unary.Operator, operand(find.unary.Node))
	}
	if m := wrongArgument.FindStringSubmatch(message); m != nil {
		p.message = fmt.Sprintf("%s takes a %s, got a %s", m[3], goType(m[2]), goType(m[1]))
	}
	return p
}

// operatorAt finds the operator at a place.
type operatorAt struct {
	from   int
	binary *ast.BinaryNode
	unary  *ast.UnaryNode
}

func (a *operatorAt) Visit(n *ast.Node) {
	if (*n).Location().From != a.from {
		return
	}
	switch n := (*n).(type) {
	case *ast.BinaryNode:
		a.binary = n
	case *ast.UnaryNode:
		a.unary = n
	}
}

func operand(n ast.Node) string {
	if _, named := n.(*ast.MemberNode); named {
		return fmt.Sprintf("%s (%s)", n.String(), kindOf(n))
	}
	return "a " + kindOf(n)
}

// goType is our word for a type as expr prints it.
func goType(name string) string {
	switch name {
	case "float64", "int", "int64":
		return "number"
	case "string":
		return "text"
	case "bool":
		return "yes or no"
	case "[]interface {}", "[]any":
		return "list"
	}
	return name
}
