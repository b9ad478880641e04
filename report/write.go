package report

import (
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// Options are how a report is shown; they never change what it says or the exit code.
type Options struct {
	Show      string      // lowest level shown: error, warning or info; empty is info
	MinFrac   float64     // findings that save less of the step are not shown, 0 all
	MinUs     float64     // the same in µs of the step
	MaxBytes  int         // cuts Markdown at the borders of findings, 0 no limit
	Width     int         // of the text format in columns, 0 is MaxWidth
	Color     bool        // text may use colours
	Style     string      // of the text format: dark, light, plain; empty is dark
	Dir       string      // absolute path of the working folder, which relative paths of traces start from
	Workspace string      // absolute path of the repository's root, for the paths of traces recorded in it
	Files     fs.FS       // the repository, nil when there is none: annotations point only to files that it holds
	PathMap   [][2]string // from, to: paths of the trace as paths of the repository
	Anchor    string      // FILE[:LINE] where annotations point when the trace names no source
}

// format is one face of a report.
type format struct {
	name  string
	write func(io.Writer, *Report, Options) error
}

// formats is every face, in the order in which help lists them.
var formats = []format{
	{"text", writeText},
	{"markdown", writeMarkdown},
	{"json", writeJSON},
	{"html", writeHTML},
	{"github", writeGitHub},
	{"sarif", writeSARIF},
	{"gitlab", writeGitLab},
	{"junit", writeJUnit},
	{"line", writeLine},
	{"none", func(io.Writer, *Report, Options) error { return nil }},
}

// Formats is the names that Write knows.
func Formats() []string {
	var out []string
	for _, f := range formats {
		out = append(out, f.name)
	}
	return out
}

// Write shows a report in one of Formats. The report is only read, so it may be written many times.
func Write(w io.Writer, r *Report, name string, opt Options) error {
	for _, f := range formats {
		if f.name == name {
			return f.write(w, r, opt)
		}
	}
	return fmt.Errorf("unknown format %s; known: %s", name, strings.Join(Formats(), ", "))
}

// shown is the findings that the options leave visible, and how many they hide.
func (r *Report) shown(opt Options) (visible []ranked, hidden int) {
	for _, f := range r.findings() {
		if level(f.Severity) < level(opt.Show) || r.small(f, opt) {
			hidden++
			continue
		}
		visible = append(visible, f)
	}
	return visible, hidden
}

func (r *Report) small(f ranked, opt Options) bool {
	if f.Lane < 0 || f.ExclusiveUs <= 0 {
		return false // a finding without a number is no small one
	}
	return f.ShareFrac < opt.MinFrac || f.ShareFrac*r.budgetOf(f.Lane).whole() < opt.MinUs
}
