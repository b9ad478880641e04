package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"perflint/detectors/feature"
)

// writeMarkdown is the profile for GitHub: job summaries, comments, files. The circles are the only emoji; the level
// stands as a word in each section.
func writeMarkdown(w io.Writer, r *Report, opt Options) error {
	m := markdown{r: r, opt: opt}
	m.visible, m.hidden = r.shown(opt)
	_, err := io.WriteString(w, Harmless(m.document()))
	return err
}

type markdown struct {
	r       *Report
	opt     Options
	visible []ranked
	hidden  int
}

// document is head, sections and tail. What does not fit goes in this order: findings from the end, then the evidence.
func (m markdown) document() string {
	head, sections, tail := m.head(), m.sections(true), m.tail()
	all := len(sections)
	build := func() string {
		parts := append(slices.Clone(head), sections...)
		if n := all - len(sections); n > 0 {
			parts = append(parts, fmt.Sprintf("_The details of %s were left out for length; the JSON report has them._", counted(n, "rule")))
		}
		return join(append(parts, tail...))
	}
	limit := m.opt.MaxBytes
	fits := func() bool { return limit <= 0 || len(build()) <= limit }
	for len(sections) > 1 && !fits() {
		sections = sections[:len(sections)-1]
	}
	if !fits() {
		sections = m.sections(false)[:min(1, all)]
	}
	if !fits() {
		sections = nil
	}
	return cutLines(build(), limit)
}

// cutLines keeps the whole lines that fit: the last resort, for a head longer than the limit.
func cutLines(doc string, limit int) string {
	if limit <= 0 || len(doc) <= limit {
		return doc
	}
	return doc[:strings.LastIndexByte(doc[:limit], '\n')+1]
}

// join sets blocks apart by blank lines; empty ones vanish.
func join(blocks []string) string {
	var kept []string
	for _, b := range blocks {
		if b = strings.Trim(b, "\n"); b != "" {
			kept = append(kept, b)
		}
	}
	return strings.Join(kept, "\n\n") + "\n"
}

func bold(s string) string { return "**" + s + "**" }

func (m markdown) head() []string {
	headline, rest := m.r.verdict()
	return []string{
		"# perflint: " + name(m.r.title(), inText),
		strings.Join(m.r.facts(), " · "),
		bold(headline) + " " + rest + "\n" + m.r.floor(bold),
		m.notes(),
		m.table(),
		brackets(m.visible),
		hiddenLine(m.hidden),
		m.timeTable(),
		m.laneTable(),
		m.waterfall(),
	}
}

func (m markdown) notes() string {
	var lines []string
	for _, n := range m.r.notes() {
		lines = append(lines, "> - "+n)
	}
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n")
}

var circles = map[string]string{"error": "🔴", "warning": "🟡", "info": "🔵"}

func (m markdown) table() string {
	t := table{head: []string{"", "Rule", "Finding", "Up to"}, right: 3}
	for _, f := range m.visible {
		t.add(circles[f.Severity], fmt.Sprintf("[%s](#%s)", f.rule.Rule, f.rule.Rule), m.r.sentence(f, inTable), m.r.gain(*f.Finding))
	}
	return t.String()
}

func (m markdown) timeTable() string {
	b, ok := m.r.newBudget()
	if !ok {
		return ""
	}
	t := table{head: []string{"", "Share", "Time", ""}, right: 1, rightTo: 2}
	for _, s := range m.r.slices(b) {
		t.add(s.label, feature.Share(s.frac), b.time(s.frac), bar(s.frac))
	}
	return fmt.Sprintf("Where the %s goes%s\n\n%s", b.noun(), m.r.onLane(b.lane), t.String())
}

func (m markdown) waterfall() string {
	b, ok := m.r.newBudget()
	if !ok {
		return ""
	}
	falls := m.r.waterfall(b)
	if len(falls) < 2 {
		return ""
	}
	t := table{head: []string{"From measured to possible" + m.r.onLane(b.lane), "Saves up to", "Leaves"}, right: 1, rightTo: 2}
	t.add("measured "+b.noun(), "", b.time(1))
	for _, d := range falls {
		t.add(fmt.Sprintf("[%s](#%s)", d.rule, d.rule), b.time(d.frac), b.time(d.left))
	}
	return t.String()
}

func (m markdown) tail() []string {
	blocks := []string{}
	if t := m.notJudged(); t != "" {
		blocks = append(blocks, "## Not judged", t)
	}
	return append(blocks, "<sub>"+strings.Join(m.r.made(), " · ")+"</sub>")
}

func (m markdown) notJudged() string {
	t := table{head: []string{"Why", "Rules"}, right: -1}
	for _, g := range m.r.notJudged() {
		t.add(g.reason, codes(g.rules, 12))
	}
	return t.String()
}

// bar is a share as a code span, so that its blocks touch.
func bar(frac float64) string {
	if s := blocks(frac); s != "" {
		return "`" + s + "`"
	}
	return ""
}

// blocks is a share of twenty cells in eighths of a block.
func blocks(frac float64) string {
	eighths := min(160, int(frac*160+0.5))
	if eighths <= 0 {
		return ""
	}
	s := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		s += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return s
}
