package rules_test

import (
	"testing"

	"perflint/detectors"
	"perflint/rules"
)

// Loading is part of every run: it must stay a few milliseconds.
func BenchmarkLoadShippedRules(b *testing.B) {
	files, err := rules.ReadFS(rules.Builtin(), ".")
	if err != nil {
		b.Fatal(err)
	}
	schema := detectors.Schema()
	b.ReportAllocs()
	for b.Loop() {
		rules.Load(schema, files...)
	}
}
