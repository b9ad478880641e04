package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"perflint/detectors/feature"
	"perflint/rules"
)

// Explain writes what a rule looks at, why it exists and what to do, as text or markdown.
func Explain(w io.Writer, rule *rules.Rule, format string, opt Options) error {
	md := explanation(rule, "#")
	switch format {
	case "markdown":
		_, err := io.WriteString(w, Harmless(md))
		return err
	case "text":
		s, err := terminal(unhook(md), opt)
		if err != nil {
			return err
		}
		_, err = io.WriteString(w, Harmless(wrapLines(s, opt.width()))+"\n")
		return err
	}
	return fmt.Errorf("unknown format %s for a rule; known: text, markdown", format)
}

// explanation is the page of a rule, its heading at the level of that many signs.
func explanation(rule *rules.Rule, level string) string {
	blocks := []string{
		level + " " + rule.ID,
		bold(tidy(rule.Title)),
		bullets(character(rule)...),
	}
	if rule.When != "" {
		blocks = append(blocks, level+"# When it fires", conditions(rule), limits(rule.Params))
	}
	if rule.Why != "" {
		blocks = append(blocks, level+"# Why it matters", block(rule.Why))
	}
	if len(rule.Fix) > 0 {
		var fixes []Fix
		for _, f := range rule.Fix {
			fixes = append(fixes, conditional(Fix(f)))
		}
		blocks = append(blocks, level+"# What to do", steps(fixes))
	}
	return join(append(blocks, readings(rule.Docs), origin(rule)))
}

var scopeWords = map[rules.Scope]string{
	rules.LaneScope: "for each GPU of each process", rules.TraceScope: "once for each trace", rules.JobScope: "once for the whole job",
}

// character is the rule in a few facts, each a line.
func character(rule *rules.Rule) []string {
	level := "Level: " + rule.Severity.String()
	if rule.Auto {
		level = "Level: by the share of the time that a finding could win back"
	}
	if rule.ErrorWhen != "" {
		level += "; error when " + code(oneLine(rule.ErrorWhen), inText)
	}
	out := []string{level + ".", "Judged " + scopeWords[rule.Scope] + "."}
	add := func(words string, names []string) {
		if len(names) > 0 {
			out = append(out, words+" "+codes(names, len(names))+".")
		}
	}
	if rule.Confidence != "" {
		out = append(out, "Confidence: "+rule.Confidence+".")
	}
	if rule.Disabled {
		out = append(out, "Off unless selected by its id.")
	}
	if rule.Deprecated != "" {
		out = append(out, "Deprecated: "+tidy(rule.Deprecated))
	}
	if rule.Since != "" {
		out = append(out, "Since "+clean(rule.Since)+".")
	}
	add("Needs", rule.Needs)
	add("Claims the time of", rule.Claims)
	add("Sees more precisely what these see:", rule.Refines)
	for _, h := range rule.Holds {
		if h.Silent {
			add("When it fires, these are silent:", h.Rules)
		} else {
			add("When it fires, these rise no higher than info:", h.Rules)
		}
	}
	add("Tags:", rule.Tags)
	return out
}

// conditional says with a remedy when it helps.
func conditional(f Fix) Fix {
	if f.When != "" {
		f.Do += " Only when " + code(oneLine(f.When), inText) + "."
	}
	return f
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// conditions shows the expressions as they are written.
func conditions(rule *rules.Rule) string {
	var b strings.Builder
	for _, e := range []struct{ name, text string }{
		{"applies", rule.Applies}, {"foreach", rule.ForEach}, {"when", rule.When},
	} {
		if text := block(e.text); text != "" {
			fmt.Fprintf(&b, "%s: %s\n", e.name, strings.ReplaceAll(text, "\n", "\n  "))
		}
	}
	return fenced("yaml", b.String())
}

func limits(params []rules.Param) string {
	var lines []string
	for _, p := range params {
		s := code(p.Name, inText) + " " + Evidence{Value: p.Default, Unit: p.Unit}.value(inText)
		if p.Doc != "" {
			s += ": " + tidy(p.Doc)
		}
		lines = append(lines, s+between(p))
	}
	if len(lines) == 0 {
		return ""
	}
	return "Its limits, to be changed with `--set RULE.PARAM=VALUE`:\n\n" + bullets(lines...)
}

func between(p rules.Param) string {
	show := func(v float64) string { return feature.Format(v, p.Unit) }
	switch {
	case p.Min != nil && p.Max != nil:
		return " (" + show(*p.Min) + " to " + show(*p.Max) + ")"
	case p.Min != nil:
		return " (at least " + show(*p.Min) + ")"
	case p.Max != nil:
		return " (at most " + show(*p.Max) + ")"
	}
	return ""
}

func readings(pages []string) string {
	var out []string
	for _, p := range pages {
		if a := address(p); a != "" {
			out = append(out, "<"+a+">")
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "Read:\n\n" + bullets(out...)
}

func origin(rule *rules.Rule) string {
	if rule.File == "" {
		return ""
	}
	at := rule.File
	if rule.Line > 0 {
		at = fmt.Sprintf("%s:%d", rule.File, rule.Line)
	}
	return "From " + code(at, inText) + "."
}

// RuleList writes the rules with their levels and titles, as text or json.
func RuleList(w io.Writer, list []*rules.Rule, format string) error {
	switch format {
	case "json":
		return encode(w, ruleDocs(list), 2)
	case "text":
		var rows [][]string
		for _, d := range ruleDocs(list).Rules {
			title := d.Title
			if d.Off {
				title += " (off)"
			}
			rows = append(rows, []string{d.ID, d.Level, title})
		}
		var b strings.Builder
		columns(&b, rows)
		_, err := io.WriteString(w, b.String())
		return err
	}
	return fmt.Errorf("unknown format %s for the list of rules; known: text, json", format)
}

type ruleListDoc struct {
	Rules []ruleDoc `json:"rules"`
}

type ruleDoc struct {
	ID     string   `json:"id"`
	Title  string   `json:"title"`
	Level  string   `json:"severity"`
	Scope  string   `json:"scope"`
	Off    bool     `json:"off,omitempty"`
	Tags   []string `json:"tags,omitempty"`
	Needs  []string `json:"needs,omitempty"`
	Source string   `json:"source,omitempty"`
}

func ruleDocs(list []*rules.Rule) ruleListDoc {
	doc := ruleListDoc{Rules: []ruleDoc{}}
	for _, r := range list {
		d := ruleDoc{ID: r.ID, Title: clean(r.Title), Level: r.Severity.String(), Scope: r.Scope.String(), Off: r.Disabled, Tags: r.Tags, Needs: r.Needs, Source: r.File}
		if r.Auto {
			d.Level = "auto"
		}
		d.Source = cmp.Or(r.Pack, r.File)
		doc.Rules = append(doc.Rules, d)
	}
	return doc
}
