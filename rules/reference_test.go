package rules

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

var generated = regexp.MustCompile(`(?s)(<!-- (\w+): made by go test \./rules -update -->\n).*?(<!-- end -->)`)

// The tables of LANGUAGE.md follow from the tables that read the files.
func TestTheReferenceOfFieldsIsFresh(t *testing.T) {
	text, err := os.ReadFile("LANGUAGE.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{
		"rule": fieldTable(ruleFields, ""), "fix": fieldTable(fixFields, ""), "params": fieldTable(paramFields, ""),
		"test":     fieldTable(testFields, "") + fieldTable(caseFields, "tests[]."),
		"config":   fieldTable(configFields, "") + fieldTable(selectionFields, "rules.") + fieldTable(suppressFields, "suppress[]."),
		"pack":     fieldTable(packFields, ""),
		"function": functionTable(),
	}
	seen := 0
	got := generated.ReplaceAllStringFunc(string(text), func(section string) string {
		m := generated.FindStringSubmatch(section)
		part, ok := parts[m[2]]
		if !ok {
			t.Errorf("LANGUAGE.md asks for %s, which nobody makes", m[2])
		}
		seen++
		return m[1] + part + m[3]
	})
	if seen != len(parts) {
		t.Errorf("LANGUAGE.md has %d of the %d tables", seen, len(parts))
	}
	golden(t, "LANGUAGE.md", got)
}

func fieldTable[T any](fields []field[T], prefix string) string {
	head := ""
	if prefix == "" {
		head = "| field | what it says |\n|---|---|\n"
	}
	var b strings.Builder
	for _, f := range fields {
		must := ""
		if f.required {
			must = " (required)"
		}
		doc := strings.ReplaceAll(strings.ReplaceAll(f.doc, "|", "\\|"), "{{ expression }}", "`{{ expression }}`")
		fmt.Fprintf(&b, "| `%s%s`%s | %s |\n", prefix, f.name, must, doc)
	}
	return head + b.String()
}

func functionTable() string {
	var b strings.Builder
	b.WriteString("| function | what it gives |\n|---|---|\n")
	for _, f := range functions {
		if f.doc != "" {
			fmt.Fprintf(&b, "| `%s` | %s |\n", f.name, f.doc)
		}
	}
	return b.String()
}
