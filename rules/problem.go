package rules

import (
	"fmt"
	"strings"

	"github.com/expr-lang/expr/ast"

	"perflint/detectors/feature"
)

// syntaxProblem words an error of the parser.
func syntaxProblem(err error, text string) problem {
	message, from, to := location(err, len([]rune(text)))
	p := problem{from, to, "syntax", message, ""}
	rest := string([]rune(text)[min(from, len([]rune(text))):])
	switch {
	case strings.Contains(message, "exceeds maximum allowed nodes"):
		return problem{0, len([]rune(text)), "too-long", fmt.Sprintf("the expression has more than %d parts", maxNodes), ""}
	case strings.Contains(message, "cannot be mixed"):
		p.message, p.hint = "?? stands beside another operator", "put parentheses round it: (a ?? b)"
	case strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "=="):
		p.message, p.hint = "a single = is no comparison", "write =="
	case afterPercent(text, from):
		p.message, p.hint = "a percentage is no number here", "write 0.2 for 20%, or make it a parameter"
	case strings.HasPrefix(strings.TrimSpace(text), "{{"):
		p.message, p.hint = "an expression stands without {{ }}", "leave the braces out"
	case strings.Contains(message, "EOF"):
		p.message = "the expression ends too early"
	default:
		p.message = strings.ToLower(message[:1]) + message[1:]
	}
	return p
}

// afterPercent reports whether the mistake is a % right after a number with nothing to divide by.
func afterPercent(text string, from int) bool {
	before := strings.TrimRight(string([]rune(text)[:min(from, len([]rune(text)))]), " \t\n")
	before, ok := strings.CutSuffix(before, "%")
	return ok && before != "" && before[len(before)-1] >= '0' && before[len(before)-1] <= '9'
}

// typeProblem words an error of the type checker by the operands of the node that it points to.
func typeProblem(err error, root ast.Node, text string) problem {
	message, from, to := location(err, len([]rune(text)))
	p := problem{from, to, "type-mismatch", message, ""}
	find := &at{from: from}
	ast.Walk(&root, find)
	if b := find.binary; b != nil && strings.HasPrefix(message, "invalid operation") {
		switch b.Operator {
		case "<", ">", "<=", ">=", "==", "!=":
			p.message = fmt.Sprintf("cannot compare %s with %s", operand(b.Left), operand(b.Right))
		default:
			p.message = fmt.Sprintf("%s does not go with %s and %s", b.Operator, operand(b.Left), operand(b.Right))
		}
	}
	return p
}

// at finds the operator at a place.
type at struct {
	from   int
	binary *ast.BinaryNode
}

func (a *at) Visit(n *ast.Node) {
	if b, ok := (*n).(*ast.BinaryNode); ok && b.Location().From == a.from {
		a.binary = b
	}
}

func operand(n ast.Node) string {
	if _, named := n.(*ast.MemberNode); named {
		return fmt.Sprintf("%s (%s)", n.String(), kindOf(n))
	}
	return "a " + kindOf(n)
}

// didYouMeanUnit is the hint for a value whose suffix does not fit.
func didYouMeanUnit(u feature.Unit) string { return "write " + unitWords[u] }
