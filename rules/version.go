package rules

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"perflint/rules/source"
)

// Version is that of the rule language; requires in rules and packs speaks of it.
const Version = "0.1"

var constraintForm = regexp.MustCompile(`^(>=|<=|>|<|=|) ?([0-9]+(?:\.[0-9]+)*)$`)

// newer reports whether a file needs another version than this one, and says so. Nothing else in it is judged then: this
// perflint does not know its words.
func newer(r *reader, n *source.Node) bool {
	if n == nil {
		return false
	}
	for _, c := range strings.Split(n.Value, ",") {
		m := constraintForm.FindStringSubmatch(strings.TrimSpace(c))
		if m == nil {
			r.report(n, "wrong-type", "", "expected versions such as >=0.1 or >=0.2, <1; got %s", shown(n))
			return true
		}
		if !meets(m[1], compareVersions(Version, m[2])) {
			r.report(n, "needs-newer", "", "this needs a perflint whose rule language is %s; this one has %s", n.Value, Version)
			return true
		}
	}
	return false
}

func meets(op string, order int) bool {
	switch op {
	case ">=":
		return order >= 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	case "<":
		return order < 0
	}
	return order == 0
}

// compareVersions compares number by number; what is left out is 0.
func compareVersions(a, b string) int {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range max(len(x), len(y)) {
		if c := cmp.Compare(versionPart(x, i), versionPart(y, i)); c != 0 {
			return c
		}
	}
	return 0
}

func versionPart(parts []string, i int) int {
	if i >= len(parts) {
		return 0
	}
	n, _ := strconv.Atoi(parts[i])
	return n
}
