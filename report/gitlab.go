package report

import (
	"cmp"
	"io"
)

type gitlabIssue struct {
	Description string         `json:"description"`
	Check       string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string `json:"path"` // without ./ in front
	Lines struct {
		Begin int `json:"begin"`
	} `json:"lines"`
}

var gitlabSeverity = map[string]string{"error": "critical", "warning": "major", "info": "info"}

// writeGitLab is GitLab's Code Quality report: an array of issues, of which two with one fingerprint show as one.
func writeGitLab(w io.Writer, r *Report, opt Options) error {
	visible, _ := r.shown(opt)
	issues := []gitlabIssue{}
	for _, f := range visible {
		file, line := r.anchor(*f.Finding, opt)
		issue := gitlabIssue{
			Description: r.annotation(f), Check: f.rule.Rule, Fingerprint: f.Fingerprint, Severity: gitlabSeverity[f.Severity],
		}
		issue.Location.Path = cmp.Or(file, ".perflint.yaml")
		issue.Location.Lines.Begin = max(1, line)
		issues = append(issues, issue)
	}
	return encode(w, issues, 1)
}
