package timeline

import (
	"math/bits"
	"regexp/syntax"
	"slices"
	"strings"
)

// hooks tells in one pass over a name which patterns may match it: those of whose literals it holds one. A trace may have a
// hundred thousand names, and a dozen regular expressions take 50 µs for each.
type hooks struct {
	always uint64 // the patterns that need no literal
	tables []hookTable
}

// hookTable is up to 64 literals, in lower case, by their first two bytes in either case.
type hookTable struct {
	first, second [256]uint64
	texts         []string
	pattern       []int
}

// maxPatterns is how many patterns a section may have: one for each bit of a set.
const maxPatterns = 64

// add gives the hooks a pattern, which compiles.
func (h *hooks) add(expr string, pattern int) {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		h.always |= 1 << pattern
		return
	}
	needed := literals(re)
	if needed == nil {
		h.always |= 1 << pattern
	}
	for _, text := range needed {
		h.addLiteral(text, pattern)
	}
}

func (h *hooks) addLiteral(text string, pattern int) {
	if n := len(h.tables); n == 0 || len(h.tables[n-1].texts) == 64 {
		h.tables = append(h.tables, hookTable{})
	}
	t := &h.tables[len(h.tables)-1]
	bit := uint64(1) << len(t.texts)
	for _, s := range [2]string{text, strings.ToUpper(text)} {
		t.first[s[0]] |= bit
		t.second[s[1]] |= bit
	}
	t.texts, t.pattern = append(t.texts, text), append(t.pattern, pattern)
}

// mayMatch is the set of the patterns that may match name. All may match a name that is not ASCII, where case has more than
// two forms.
func (h *hooks) mayMatch(name string) uint64 {
	found := h.always
	for i := range len(name) {
		if name[i] >= 0x80 {
			return ^uint64(0)
		}
	}
	for k := range h.tables {
		t := &h.tables[k]
		for i := 1; i < len(name); i++ {
			for m := t.first[name[i-1]] & t.second[name[i]]; m != 0; m &= m - 1 {
				if hook := bits.TrailingZeros64(m); startsFolded(name[i-1:], t.texts[hook]) {
					found |= 1 << t.pattern[hook]
				}
			}
		}
	}
	return found
}

// startsFolded reports whether an ASCII name starts with a text in lower case.
func startsFolded(name, text string) bool {
	return len(name) >= len(text) && strings.EqualFold(name[:len(text)], text)
}

// literals is what a match of re must hold one of, in lower case and of two bytes or more; nil where nothing is certain.
func literals(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		text := strings.ToLower(string(re.Rune))
		if len(text) < 2 || strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 }) {
			return nil
		}
		return []string{text}
	case syntax.OpCapture, syntax.OpPlus:
		return literals(re.Sub[0])
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			one := literals(sub)
			if one == nil {
				return nil
			}
			all = append(all, one...)
		}
		return all
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if one := literals(sub); shortest(one) > shortest(best) {
				best = one
			}
		}
		return best
	}
	return nil
}

func shortest(texts []string) int {
	if len(texts) == 0 {
		return 0
	}
	return len(slices.MinFunc(texts, func(a, b string) int { return len(a) - len(b) }))
}
