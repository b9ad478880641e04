// Package rules judges features: YAML rules whose conditions are expressions, and the ledger that shares out savings.
package rules

import (
	"slices"

	"perflint/detectors/feature"
)

// Scope is what a rule is judged on.
type Scope uint8

// The scopes.
const (
	LaneScope  Scope = iota // each GPU of each process
	TraceScope              // each file once, also without GPU work
	JobScope                // features of job.… once
)

var scopeNames = []string{"lane", "trace", "job"}

func (s Scope) String() string { return scopeNames[s] }

// Grain is how precisely a rule names its culprit. The ledger serves the finer grain first.
type Grain uint8

// The grains, finest first.
const (
	FrameGrain      Grain = iota // a source line
	OpGrain                      // an operator
	LoaderGrain                  // the data loader
	CollectiveGrain              // a collective
	CallGrain                    // a kind of call
	GPUGrain                     // the GPU as a whole
)

var grainNames = []string{"frame", "op", "loader", "collective", "call", "gpu"}

func (g Grain) String() string { return grainNames[g] }

// rank is the order of service: loaders and collectives are equals.
func (g Grain) rank() int {
	if g == CollectiveGrain {
		return int(LoaderGrain)
	}
	return int(g)
}

// Rule is one loaded rule. Its expressions are compiled and type-checked.
type Rule struct {
	ID, Title  string
	Tags       []string
	Scope      Scope
	Confidence string // high, medium, low
	Why        string // Markdown
	Fix        []Fix
	Docs       []string

	Auto     bool     // severity follows from the share of the window that a finding claims
	Severity Severity // of a rule that is not Auto
	Disabled bool     // shipped but off: only a selection that names it turns it on
	Params   []Param
	Grain    Grain
	Limit    int    // findings of a foreach that are kept
	Holds    []Hold // rules that this one, when it fires, makes untrustworthy
	Refines  []string

	// As written, for those who explain the rule; empty where the rule leaves them out.
	Applies, ForEach, When, ErrorWhen, Message, Share, Saving string
	Claims                                                    []string

	Since, Deprecated, Requires, Replaces string
	Formerly                              []string

	Needs   []string // the features without which it abstains, sorted
	Pack    string   // name of its pack, may be empty
	Ceiling Severity // no finding rises higher; a pack may set it below Error
	File    string   // where it was read
	Line    int

	body  body
	steps int // that judging it once may take
}

// Fix is one remedy.
type Fix struct {
	Do   string // Markdown; a template in a Rule, filled in within a Finding
	When string // the condition on which it helps, as written in a Rule; empty in a Finding, which has only what helps
	Lang string // of Code, empty when there is none
	Code string
	Docs string // URL
}

// Param is a limit of a rule that its users may override.
type Param struct {
	Name     string
	Default  any // float64 in base units, bool or string
	Unit     feature.Unit
	Doc      string
	Min, Max *float64 // in base units, nil when open
}

// Hold is what a rule, when it fires, does to others: they rise no higher than info, or are silent.
type Hold struct {
	Rules  []string // ids, globs or tag:NAME
	Silent bool
	when   *expression // nil: always
}

// Param finds a parameter by its name.
func (r *Rule) Param(name string) (Param, bool) {
	i := slices.IndexFunc(r.Params, func(p Param) bool { return p.Name == name })
	if i < 0 {
		return Param{}, false
	}
	return r.Params[i], true
}

// body is the compiled part of a rule. A nil expression is one that the rule leaves out.
type body struct {
	language                              language // what inside foreach may be named
	applies, when, warningWhen, errorWhen *expression
	share, saving                         *expression
	forEach                               *feature.Decl
	message, subject                      *template
	fixes                                 []remedy
	claims                                []*claim
	evidence                              []extra
	locations                             []string // list features, or it
}

// remedy is what a Fix leaves to be filled in.
type remedy struct {
	do   *template
	when *expression // nil: always
}

// extra is evidence beyond what when names.
type extra struct {
	label *template // nil: the expression as written
	value *expression
}
