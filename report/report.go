// Package report turns outcomes into text and pictures.
//
// Report is the document that all faces read: the JSON of a run is this type written down, and every other format can be
// made from a saved one. A format is one file and one line in the table of write.go.
package report

import (
	"perflint/detectors/feature"
	"perflint/rules"
)

// Schema is the version of the JSON document. Within it fields are only ever added.
const Schema = 1

// Meta is what a report says about the run itself. Nothing in it comes from a clock or the environment.
type Meta struct {
	Version string  // of perflint
	Traces  []Trace // in the order of feature.Lane.Trace
	Rules   string  // "builtin 0.1.0 + ./perf-rules", empty for the builtin rules alone
	Config  string  // path of the config file, empty without one
	Label   string  // names the trace in fingerprints; empty: rank and GPU
}

// Trace is one input file.
type Trace struct {
	Path      string   `json:"path"`
	Format    string   `json:"format"` // "Kineto", "Nsight Systems"
	Producer  string   `json:"producer,omitempty"`
	Window    string   `json:"window,omitempty"` // "steps 3–12 of 20": what of the trace was looked at
	WorldSize int      `json:"world_size,omitempty"`
	Notes     []string `json:"notes,omitempty"` // of the reader: what was dropped or repaired
}

// Report is the result of one run: immutable once made, and the only thing that decides the exit code.
type Report struct {
	Schema   int       `json:"schema"`
	Tool     Tool      `json:"tool"`
	Traces   []Trace   `json:"traces"`
	Lanes    []Lane    `json:"lanes"`
	Job      Measured  `json:"job"`
	Summary  Summary   `json:"summary"`
	Outcomes []Outcome `json:"outcomes"`
}

// Tool names the program and what it judged by.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Rules   string `json:"rules,omitempty"`
	Config  string `json:"config,omitempty"`
}

// Summary counts findings by level, and rules by what became of those that did not fire. Folded findings do not count.
// Suppressed is findings that the user accepts, and rules that another one silences; Known is findings of the baseline.
type Summary struct {
	Error      int `json:"error"`
	Warning    int `json:"warning"`
	Info       int `json:"info"`
	Passed     int `json:"passed"`
	Skipped    int `json:"skipped"`
	Abstained  int `json:"abstained"`
	Suppressed int `json:"suppressed"`
	Known      int `json:"known,omitempty"`
}

// Outcome is what became of one rule. Title and the fields after it are the rule's own words, in Markdown.
type Outcome struct {
	Rule       string    `json:"rule"`
	Status     string    `json:"status"`
	Severity   string    `json:"severity,omitempty"` // of its worst finding
	Title      string    `json:"title"`
	Scope      string    `json:"scope"`           // lane, trace, job
	Grain      string    `json:"grain,omitempty"` // how precisely it names its culprit: frame, op, loader, collective, call, gpu
	Holds      bool      `json:"holds,omitempty"` // it says how far others can be trusted
	Refines    []string  `json:"refines,omitempty"`
	Confidence string    `json:"confidence,omitempty"`
	Reason     string    `json:"reason,omitempty"`
	Missing    []string  `json:"missing,omitempty"`
	Findings   []Finding `json:"findings,omitempty"`
	More       int       `json:"more,omitempty"` // findings beyond the rule's limit
	Tags       []string  `json:"tags,omitempty"`
	Why        string    `json:"why,omitempty"` // of fired rules only, as Docs
	Docs       []string  `json:"docs,omitempty"`
}

// Finding is one thing that slows the job down. Times are µs of the window of Lane.
type Finding struct {
	Lanes       []int      `json:"lanes"` // indices into Report.Lanes, worst first
	Lane        int        `json:"lane"`  // of the numbers below; -1 when the finding is not about one lane
	Subject     string     `json:"subject,omitempty"`
	Message     string     `json:"message"` // Markdown
	Severity    string     `json:"severity"`
	AloneUs     float64    `json:"alone_us"`
	ExclusiveUs float64    `json:"exclusive_us"`
	ShareFrac   float64    `json:"share_frac"` // ExclusiveUs of the window
	UpToUs      float64    `json:"up_to_us,omitempty"`
	ByLane      []Saving   `json:"by_lane,omitempty"` // of each of Lanes
	Decides     bool       `json:"decides"`           // whether it counts for the exit code
	HeldBy      string     `json:"held_by,omitempty"`
	FoldedInto  string     `json:"folded_into,omitempty"`
	SeenAs      []string   `json:"seen_as,omitempty"`
	Suppressed  string     `json:"suppressed,omitempty"` // why the user accepts it
	Known       bool       `json:"known,omitempty"`      // the baseline has it too
	Claims      [][2]int64 `json:"claims,omitempty"`     // start and length in ns, the longest MaxSpans
	Evidence    []Evidence `json:"evidence,omitempty"`
	Locations   []Place    `json:"locations,omitempty"`
	Fix         []Fix      `json:"fix,omitempty"`
	Fingerprint string     `json:"fingerprint"`
}

// Saving is what a finding claims on one lane, in µs, and the share of the lane's window that its exclusive part is.
type Saving struct {
	Lane        int     `json:"lane"`
	AloneUs     float64 `json:"alone_us"`
	ExclusiveUs float64 `json:"exclusive_us"`
	ShareFrac   float64 `json:"share_frac"`
}

// Evidence is one operand of the condition that fired. Value is nil when the feature was missing.
type Evidence struct {
	Feature string       `json:"feature"` // or the rule's own label
	Value   any          `json:"value"`
	Unit    feature.Unit `json:"unit,omitempty"`
	Limit   *Limit       `json:"limit,omitempty"`
}

// Limit is what a value was compared with.
type Limit struct {
	Op    string `json:"op"`
	Value any    `json:"value"`
	Param string `json:"param,omitempty"`
}

// Place points into a trace and, where it knows one, into a source file.
type Place struct {
	StartUs  float64 `json:"start_us"`
	DurUs    float64 `json:"dur_us"`
	Track    string  `json:"track,omitempty"`
	Op       string  `json:"op,omitempty"`
	Frame    string  `json:"frame,omitempty"`
	File     string  `json:"file,omitempty"`
	Line     int     `json:"line,omitempty"` // in Kineto traces the line where Function is defined
	Function string  `json:"function,omitempty"`
}

// Fix is one remedy, its templates filled in.
type Fix struct {
	Do   string `json:"do"` // Markdown
	When string `json:"when,omitempty"`
	Lang string `json:"lang,omitempty"`
	Code string `json:"code,omitempty"`
	Docs string `json:"docs,omitempty"`
}

// New makes the report of one run. lanes are in the order that the findings' lane indices mean; job may be nil.
func New(meta Meta, lanes []*feature.Set, job *feature.Set, outcomes []rules.Outcome) *Report {
	r := &Report{
		Schema:   Schema,
		Tool:     Tool{Name: "perflint", Version: meta.Version, Rules: meta.Rules, Config: meta.Config},
		Traces:   meta.Traces,
		Lanes:    laneList(lanes),
		Job:      measured(job, true),
		Outcomes: make([]Outcome, 0, len(outcomes)),
	}
	prints := fingerprints{label: meta.Label, seen: map[string]int{}}
	for _, o := range outcomes {
		r.Outcomes = append(r.Outcomes, r.outcome(o, prints))
	}
	r.sort()
	r.Summary = r.count()
	return r
}

func (r *Report) count() Summary {
	var s Summary
	for _, o := range r.Outcomes {
		switch o.Status {
		case rules.Passed.String():
			s.Passed++
		case rules.Skipped.String():
			s.Skipped++
		case rules.Abstained.String():
			s.Abstained++
		case rules.Suppressed.String():
			s.Suppressed += max(1, len(o.Findings))
		case rules.Fired.String():
			s.Suppressed += len(o.accepted())
			s.Known += len(o.known())
		}
	}
	for _, f := range r.findings() {
		switch f.Severity {
		case "error":
			s.Error++
		case "warning":
			s.Warning++
		default:
			s.Info++
		}
	}
	return s
}
