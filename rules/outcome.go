package rules

import (
	"perflint/detectors/feature"
	"perflint/detectors/span"
)

// Severity of a finding; larger is worse.
type Severity uint8

// The severities. Silent is what a claim below the materiality limit gets: it is no finding.
const (
	Silent Severity = iota
	Info
	Warning
	Error
)

var severityNames = [...]string{"silent", "info", "warning", "error"}

func (s Severity) String() string { return severityNames[s] }

// Status is what became of a rule.
type Status uint8

// The outcomes. Abstained means that the rule could not be judged; it is never the same as Passed.
const (
	Passed Status = iota
	Fired
	Skipped
	Abstained
	Suppressed
)

var statusNames = [...]string{"passed", "fired", "skipped", "abstained", "suppressed"}

func (s Status) String() string { return statusNames[s] }

// Outcome is one rule judged over all lanes. It fired when it fired on any lane; else it abstained when it abstained on any.
type Outcome struct {
	Rule     *Rule
	Status   Status
	Reason   string   // why it abstained, in the detector's words, was suppressed, or passed although its condition holds
	Missing  []string // the features for whose lack it abstained
	Findings []Finding
	More     int // findings beyond the rule's limit
}

// Finding is one thing that slows the job down, with its evidence.
type Finding struct {
	Severity Severity
	HeldBy   string // id of the rule that holds this finding at info, empty when none does
	Lanes    []int  // indices of the sets it holds for, worst first
	Subject  string // what is to blame: op, frame, kernel, collective; empty when the rule is about the whole lane
	Message  string // Markdown; what comes from the trace is escaped in it
	Claims   span.Set
	Lane     int // the lane that Claims, Alone, Exclusive, Evidence and Places speak of: the worst; -1 for a job without lanes

	// What the remedy could recover of the window, in µs: by itself, and what no finding served earlier already claims.
	Alone, Exclusive float64
	AloneFrac        float64  // Alone as a share of the window of Lane
	UpTo             float64  // an upper bound outside the ledger, 0 none; never added up
	ByLane           []Saving // of each of Lanes, in their order: what may be added up is what one lane has

	FoldedInto string   // id of the rule under whose finding this one is printed as "seen also as"
	SeenAs     []string // ids of the rules whose findings are folded into this one
	Suppressed string   // why the user accepts it, in Markdown; empty when it counts
	Evidence   []Evidence
	Places     []feature.Place
	Fix        []Fix // the rule's remedies with their templates filled in
}

// Evidence is one operand of the condition that fired, or a value that the rule adds.
type Evidence struct {
	Label string // feature name or the rule's own words
	Value any    // as in feature.Set; nil when missing
	Unit  feature.Unit
	Op    string // of the comparison with Limit, empty when there was none
	Limit any
	Param string // name of the parameter that gave Limit
}

// Saving is what a finding claims on one lane, in µs, and the window that it is a part of.
type Saving struct{ Alone, Exclusive, Window float64 }

// least is the share of a window that a finding must hold exclusively to decide the exit status by itself.
const least = 0.01

// Decides reports whether the finding may decide the exit status by its severity: not when it is printed under another one or
// suppressed, nor when others claim all but 1 % of the window of what it claims.
func (f *Finding) Decides() bool {
	if f.FoldedInto != "" || f.Suppressed != "" {
		return false
	}
	for _, s := range f.ByLane {
		if s.Alone == 0 || s.Exclusive >= least*s.Window {
			return true
		}
	}
	return len(f.ByLane) == 0 // it is about no lane and claims nothing
}
