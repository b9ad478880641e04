// Package rules judges features: YAML rules whose conditions are expressions, and the ledger that shares out savings.
package rules

// Scope is what a rule is judged on.
type Scope uint8

// The scopes.
const (
	LaneScope  Scope = iota // each GPU of each process
	TraceScope              // each file once, also without GPU work
	JobScope                // features of job.… once
)

// Rule is one loaded rule. Its expressions are compiled and type-checked.
type Rule struct {
	ID, Title  string
	Tags       []string
	Scope      Scope
	Confidence string // high, medium, low
	Why        string // Markdown
	Fix        []Fix
	Docs       []string
}

// Fix is one remedy.
type Fix struct {
	Do   string // Markdown; a template in a Rule, filled in within a Finding
	Lang string // of Code, empty when there is none
	Code string
	Docs string // URL
}
