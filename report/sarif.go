package report

import (
	"cmp"
	"io"
	"strings"

	"perflint/rules"
)

// writeSARIF is SARIF 2.1.0 as GitHub's code scanning reads it: it shows the first location only, needs a file for each
// result, and takes empty strings for missing ones (docs and staticcheck's notes, November 2026). A trace finding is rarely
// in the diff, so this is for the Security tab and its history.
func writeSARIF(w io.Writer, r *Report, opt Options) error {
	visible, _ := r.shown(opt)
	run := sarifRun{
		Tool:       sarifTool{Driver: sarifDriver{Name: "perflint", Version: r.Tool.Version, Rules: []sarifRule{}}},
		Results:    []sarifResult{},
		Automation: sarifID{ID: "perflint/" + clean(r.title()) + "/"},
	}
	index := map[string]int{}
	for _, f := range visible {
		i, ok := index[f.rule.Rule]
		if !ok {
			i = len(run.Tool.Driver.Rules)
			index[f.rule.Rule] = i
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(f))
		}
		run.Results = append(run.Results, r.sarifResult(f, i, opt))
	}
	run.Invocations = []sarifInvocation{{Successful: true, Notifications: r.sarifNotes()}}
	return encode(w, sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}, 6)
}

// maxDescription is the longest description of a rule that GitHub takes.
const maxDescription = 1024

var (
	sarifLevel   = map[string]string{"error": "error", "warning": "warning", "info": "note"}
	sarifProblem = map[string]string{"error": "error", "warning": "warning", "info": "recommendation"}
)

func sarifRuleOf(f ranked) sarifRule {
	o := f.rule
	first, _, _ := strings.Cut(block(o.Why), "\n\n")
	help := join([]string{block(o.Why), remedies(f.Fix), links(o.Docs)})
	return sarifRule{
		ID: o.Rule, Name: pascal(o.Rule),
		Short:  sarifText{Text: cut(clean(cmp.Or(o.Title, o.Rule)), maxDescription)},
		Full:   sarifText{Text: cut(cmp.Or(unmark(first), clean(o.Title), o.Rule), maxDescription)},
		Help:   sarifText{Text: cmp.Or(unmark(help), o.Rule), Markdown: help},
		Config: sarifConfig{Level: sarifLevel[f.Severity]},
		Properties: sarifRuleProperties{Tags: append([]string{"performance"}, o.Tags[:min(9, len(o.Tags))]...), // GitHub keeps ten
			Precision: cmp.Or(o.Confidence, "medium"), Severity: sarifProblem[f.Severity]},
	}
}

// pascal is exposed-comm as ExposedComm, the form of SARIF's names.
func pascal(id string) string {
	var b strings.Builder
	for _, word := range strings.Split(id, "-") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

func (r *Report) sarifResult(f ranked, rule int, opt Options) sarifResult {
	file, line := r.anchor(*f.Finding, opt)
	return sarifResult{
		RuleID: f.rule.Rule, RuleIndex: rule, Level: sarifLevel[f.Severity],
		Message: sarifText{Text: r.annotation(f)},
		Locations: []sarifLocation{{Physical: sarifPhysical{
			Artifact: sarifArtifact{URI: uri(cmp.Or(file, ".perflint.yaml"))},
			Region:   sarifRegion{max(1, line), 1, max(1, line), 1},
		}}},
		Fingerprints: map[string]string{"primaryLocationLineHash": f.Fingerprint},
		Properties: sarifProperties{Subject: f.Subject, Lanes: unmark(r.lanesOf(*f.Finding)), AloneUs: f.AloneUs, ExclusiveUs: f.ExclusiveUs,
			Claims: f.Claims[:min(10, len(f.Claims))]},
	}
}

// sarifNotes is what could not be judged.
func (r *Report) sarifNotes() []sarifNotification {
	out := []sarifNotification{}
	for _, o := range r.Outcomes {
		if o.Status == rules.Abstained.String() {
			out = append(out, sarifNotification{sarifID{ID: o.Rule}, "note", sarifText{Text: o.Rule + " could not be judged: " + unmark(prose(o.Reason))}})
		}
	}
	return out
}

// uri is a relative path as a URI reference.
func uri(path string) string {
	const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/"
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		if strings.IndexByte(plain, path[i]) >= 0 {
			b.WriteByte(path[i])
		} else {
			const hex = "0123456789ABCDEF"
			b.WriteString("%" + string(hex[path[i]>>4]) + string(hex[path[i]&15]))
		}
	}
	return b.String()
}

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Automation  sarifID           `json:"automationDetails"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID         string              `json:"id"`
	Name       string              `json:"name"`
	Short      sarifText           `json:"shortDescription"`
	Full       sarifText           `json:"fullDescription"`
	Help       sarifText           `json:"help"`
	Config     sarifConfig         `json:"defaultConfiguration"`
	Properties sarifRuleProperties `json:"properties"`
}

type sarifConfig struct {
	Level string `json:"level"`
}

type sarifRuleProperties struct {
	Tags      []string `json:"tags"`
	Precision string   `json:"precision"`
	Severity  string   `json:"problem.severity"`
}

type sarifText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	Properties   sarifProperties   `json:"properties"`
}

type sarifProperties struct {
	Subject     string     `json:"subject,omitempty"`
	Lanes       string     `json:"lanes,omitempty"`
	AloneUs     float64    `json:"alone_us"`
	ExclusiveUs float64    `json:"exclusive_us"`
	Claims      [][2]int64 `json:"claims_ns,omitempty"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications"`
}

type sarifNotification struct {
	Descriptor sarifID   `json:"associatedRule"`
	Level      string    `json:"level"`
	Message    sarifText `json:"message"`
}

type sarifID struct {
	ID string `json:"id"`
}
