package report

import (
	"io"

	"perflint/rules"
)

// RulePage is the page of one rule in Markdown, for a folder of documentation.
func RulePage(rule *rules.Rule) string { return unhook(explanation(rule, "#")) }

// RuleIndex is a table of all rules in Markdown; page gives the address of a rule's page.
func RuleIndex(list []*rules.Rule, page func(*rules.Rule) string) string {
	t := table{head: []string{"Rule", "Level", "What it finds"}, right: -1}
	for i, d := range ruleDocs(list).Rules {
		title := prose(d.Title)
		if d.Off {
			title += " (off unless selected)"
		}
		t.add("["+d.ID+"]("+page(list[i])+")", d.Level, title)
	}
	return unhook("# Rules\n\n" + t.String())
}

// RuleBook is the index and all pages in one document.
func RuleBook(w io.Writer, list []*rules.Rule) error {
	doc := RuleIndex(list, func(r *rules.Rule) string { return "#" + r.ID })
	for _, r := range list {
		doc += "\n" + unhook(explanation(r, "##"))
	}
	_, err := io.WriteString(w, doc)
	return err
}
