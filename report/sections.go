package report

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// sections is one block of Markdown a rule, in the order of the rules' worst findings.
func (m markdown) sections(evidence bool) []string {
	var out []string
	for _, group := range byRule(m.visible) {
		out = append(out, m.section(group, evidence))
	}
	return out
}

// byRule gathers the findings of each rule at the place of its first.
func byRule(all []ranked) [][]ranked {
	var out [][]ranked
	at := map[string]int{}
	for _, f := range all {
		i, ok := at[f.rule.Rule]
		if !ok {
			i = len(out)
			at[f.rule.Rule] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], f)
	}
	return out
}

func (m markdown) section(group []ranked, evidence bool) string {
	rule := group[0].rule
	blocks := []string{"## " + rule.Rule, m.caption(rule, group)}
	for _, f := range group {
		blocks = append(blocks, m.finding(f, len(group) > 1), m.seenAs(*f.Finding))
	}
	if rule.More > 0 {
		blocks = append(blocks, fmt.Sprintf("And %d more of the same kind.", rule.More))
	}
	blocks = append(blocks, remedies(allFixes(group)))
	if evidence {
		blocks = append(blocks, m.evidence(group), details("Why it matters", join([]string{block(rule.Why), links(rule.Docs)})))
	}
	return join(blocks)
}

// allFixes is the remedies of the findings of a rule, each once.
func allFixes(group []ranked) []Fix {
	var out []Fix
	for _, f := range group {
		for _, x := range f.Fix {
			if !slices.Contains(out, x) {
				out = append(out, x)
			}
		}
	}
	return out
}

func (m markdown) caption(rule *Outcome, group []ranked) string {
	worst := group[0]
	parts := []string{fmt.Sprintf("%s %s · %s", circles[worst.Severity], worst.Severity, bold(tidy(rule.Title)))}
	if rule.Confidence != "" {
		parts = append(parts, rule.Confidence+" confidence")
	}
	if len(group) == 1 {
		parts = append(parts, m.r.circumstances(*worst.Finding)...)
	}
	return strings.Join(parts, " · ")
}

// finding is its sentence and where in the source and the trace it is; one of several is led by its own numbers.
func (m markdown) finding(f ranked, several bool) string {
	text := tidy(f.Message)
	if several {
		text = "- " + strings.Join(append([]string{text}, m.r.circumstances(*f.Finding)...), " · ")
	}
	if w := where(*f.Finding, 3); w != "" {
		text += "\n" + indentIf(several, w)
	}
	return text
}

func indentIf(yes bool, s string) string {
	if yes {
		return "  " + s
	}
	return "\n" + s
}

// circumstances are the facts beside a finding's sentence: its gain, its lanes, who holds it.
func (r *Report) circumstances(f Finding) []string {
	var out []string
	for _, s := range []string{r.worth(f), r.lanesOf(f), held(f)} {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// worth is the gain of a finding in words.
func (r *Report) worth(f Finding) string {
	g := r.gain(f)
	switch {
	case g == "":
		return ""
	case g[0] == '(':
		return "at most " + strings.Trim(g, "()")
	}
	return "up to " + g
}

func held(f Finding) string {
	if f.HeldBy == "" {
		return ""
	}
	return "held at info by " + code(f.HeldBy, inText)
}

// sentence is what a finding says in a table, with what it quotes cut to n characters.
func (r *Report) sentence(f ranked, n int) string {
	s := shorten(tidy(f.Message), n)
	if l := r.lanesOf(*f.Finding); l != "" {
		s += " (" + l + ")"
	}
	return s
}

func remedies(fixes []Fix) string {
	if len(fixes) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(bold("Do this") + "\n")
	for i, f := range fixes {
		indent := strings.Repeat(" ", len(fmt.Sprint(i+1))+2)
		fmt.Fprintf(&b, "%d. %s", i+1, tidy(f.Do))
		if l := link(f.Docs); l != "" {
			b.WriteString(" (" + l + ")")
		}
		b.WriteByte('\n')
		if f.Code != "" {
			b.WriteString(indentLines(fenced(f.Lang, f.Code), indent) + "\n")
		}
	}
	return b.String()
}

func indentLines(s, by string) string { return by + strings.ReplaceAll(s, "\n", "\n"+by) }

// link shows a page by its host.
func link(page string) string {
	a := address(page)
	if a == "" {
		return ""
	}
	u, _ := url.Parse(a)
	return fmt.Sprintf("[%s](<%s>)", literal(clean(u.Host)), a)
}

// address is a web address that can stand between angle brackets; empty for anything else.
func address(page string) string {
	u, err := url.Parse(page)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return ""
	}
	return clean(strings.NewReplacer("<", "%3C", ">", "%3E", "\\", "%5C", " ", "%20").Replace(u.String()))
}

func links(addresses []string) string {
	var out []string
	for _, a := range addresses {
		if l := link(a); l != "" {
			out = append(out, l)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "Read: " + strings.Join(out, ", ")
}

// details is a block that GitHub shows folded; empty without a body.
func details(summary, body string) string {
	if body = strings.TrimSpace(body); body == "" {
		return ""
	}
	return "<details><summary>" + summary + "</summary>\n\n" + body + "\n\n</details>"
}

func (m markdown) evidence(group []ranked) string {
	var blocks []string
	for _, f := range group {
		t := table{head: []string{"Measured", "Value", "Limit"}, right: 1, rightTo: 2}
		for _, e := range told(f.Evidence) {
			t.add(e.label(inText), e.value(inTable), e.limit())
		}
		if s := t.String(); s != "" && len(group) > 1 && f.Subject != "" {
			blocks = append(blocks, code(f.Subject, inText))
		}
		blocks = append(blocks, t.String(), when(*f.Finding, 5))
	}
	return details("Evidence", join(blocks))
}
