package report

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	xansi "github.com/charmbracelet/x/ansi"

	"perflint/detectors/feature"
)

// detailed is how many findings the text format explains; the others stand in its table, and perflint explain tells more.
const detailed = 3

// writeText is the profile for terminals: no HTML, no emoji, the details of the first findings only.
func writeText(w io.Writer, r *Report, opt Options) error {
	s, err := textOf(r, opt)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, Harmless(s))
	return err
}

func textOf(r *Report, opt Options) (string, error) {
	t := screen{r: r, opt: opt}
	t.visible, t.hidden = r.shown(opt)
	s, err := terminal(unhook(join(t.blocks())), opt)
	if err != nil {
		return "", err
	}
	return t.colour(wrapLines(s, opt.width())) + "\n", nil
}

type screen struct {
	r       *Report
	opt     Options
	visible []ranked
	hidden  int
}

func (t screen) blocks() []string {
	headline, rest := t.r.verdict()
	out := []string{
		"# perflint · " + name(t.r.title(), inText),
		strings.Join(t.r.facts(), " · "),
		bold(headline) + " " + rest,
		t.r.floor(bold),
	}
	for _, n := range t.r.notes() {
		out = append(out, bold("Note:")+" "+n)
	}
	out = append(out, t.table(), brackets(t.visible), hiddenLine(t.hidden), t.times(), t.lanes(), t.waterfall())
	for _, group := range byRule(t.visible[:min(detailed, len(t.visible))]) {
		out = append(out, t.section(group))
	}
	return append(out, t.notJudged(), t.hint())
}

var levelWords = map[string]string{"error": "error", "warning": "warn", "info": "info"}

// table lists the findings. Its sentences are wrapped here, for the library breaks rule ids and numbers in two where a
// column is tight.
func (t screen) table() string {
	const level, border = 5, 8
	gain := len("Saves up to")
	for _, f := range t.visible {
		gain = max(gain, xansi.StringWidth(t.r.gain(*f.Finding)))
	}
	tab := table{head: []string{"Level", "Finding", "Saves up to"}, right: 2}
	for _, f := range t.visible {
		tab.add(levelWords[f.Severity], bold(f.rule.Rule), t.r.gain(*f.Finding))
		for _, line := range strings.Split(wrap(unmark(t.r.sentence(f, inTable)), t.opt.width()-level-gain-border), "\n") {
			tab.add("", literal(line), "")
		}
	}
	return tab.String()
}

// times is where the step goes, as a code block: it needs exact columns.
func (t screen) times() string {
	b, ok := t.r.newBudget()
	if !ok {
		return ""
	}
	var rows [][]string
	for _, s := range t.r.slices(b) {
		row := []string{s.label, feature.Share(s.frac), b.time(s.frac), ""}
		if t.opt.width() >= 80 {
			row[3] = blocks(s.frac)
		}
		rows = append(rows, row)
	}
	return fmt.Sprintf("Where the %s goes%s\n\n%s", b.noun(), t.r.onLane(b.lane), fenced("", aligned(rows)))
}

func (t screen) lanes() string {
	rows, more := t.r.laneRows()
	if len(rows) == 0 {
		return ""
	}
	for i := range rows {
		rows[i] = append(rows[i], "") // so that the last numbers are set flush right too
	}
	return fenced("", aligned(rows)) + "\n\n" + more
}

func (t screen) waterfall() string {
	b, ok := t.r.newBudget()
	if !ok {
		return ""
	}
	falls := t.r.waterfall(b)
	if len(falls) < 2 {
		return ""
	}
	rows := [][]string{{"measured " + b.noun(), "", b.time(1), ""}}
	for _, d := range falls {
		rows = append(rows, []string{"without " + d.rule, "− " + b.time(d.frac), b.time(d.left), ""})
	}
	return "From measured to possible" + t.r.onLane(b.lane) + "\n\n" + fenced("", aligned(rows))
}

// aligned sets rows in columns: the first and the last flush left, the numbers between them flush right.
func aligned(rows [][]string) string {
	var width []int
	for _, r := range rows {
		for i, c := range r {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], xansi.StringWidth(c))
		}
	}
	var b strings.Builder
	for _, r := range rows {
		var line strings.Builder
		for i, c := range r {
			pad := strings.Repeat(" ", width[i]-xansi.StringWidth(c))
			if i == 0 || i == len(r)-1 {
				line.WriteString(c + pad)
			} else {
				line.WriteString("  " + pad + c)
			}
			if i == len(r)-2 {
				line.WriteString("  ")
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// section explains a rule whose sentences stand in the table already.
func (t screen) section(group []ranked) string {
	rule := group[0].rule
	head := rule.Rule + ": " + tidy(rule.Title)
	if rule.Confidence != "" {
		head += " (" + rule.Confidence + " confidence)"
	}
	var blocks []string
	for _, f := range group {
		lines := []string{where(*f.Finding, 3), evidenceLine(f.Evidence), when(*f.Finding, 3), sentenceOf(held(*f.Finding))}
		more := bullets(append(lines, t.r.seenAlso(f)...)...)
		if len(group) > 1 && more != "" {
			blocks = append(blocks, tidy(f.Message))
		}
		blocks = append(blocks, more)
	}
	if rule.More > 0 {
		blocks = append(blocks, fmt.Sprintf("And %d more of the same kind.", rule.More))
	}
	blocks = append(blocks, steps(allFixes(group)))
	if body := join(blocks); body != "\n" {
		return "## " + head + "\n\n" + body
	}
	return ""
}

func bullets(lines ...string) string {
	var b strings.Builder
	for _, l := range lines {
		if l != "" {
			b.WriteString("- " + l + "\n")
		}
	}
	return b.String()
}

// steps is the remedies in order, each with the address of its page and its code.
func steps(fixes []Fix) string {
	var b strings.Builder
	for i, f := range fixes {
		fmt.Fprintf(&b, "%d. %s", i+1, tidy(f.Do))
		if a := address(f.Docs); a != "" {
			b.WriteString(" <" + a + ">")
		}
		b.WriteByte('\n')
		if f.Code != "" {
			b.WriteString(indentLines(fenced(f.Lang, f.Code), strings.Repeat(" ", len(fmt.Sprint(i+1))+2)) + "\n")
		}
	}
	return b.String()
}

func (t screen) notJudged() string {
	groups := t.r.notJudged()
	if len(groups) == 0 {
		return ""
	}
	var lines []string
	for _, g := range groups {
		lines = append(lines, g.reason+": "+codes(g.rules, 12))
	}
	return "## Not judged\n\n" + bullets(lines...)
}

func (t screen) hint() string {
	if len(t.visible) == 0 {
		return ""
	}
	hint := "explain a rule: " + code("perflint explain "+t.visible[0].rule.Rule, inText)
	if t.r.Tool.Config == "" {
		hint += " · for CI: " + code("perflint init", inText)
	}
	return hint
}

var levelCell = regexp.MustCompile(`(?m)^ (error|warn|info) +│`)

// colour paints the level words of the table.
func (t screen) colour(s string) string {
	profile := t.opt.profile()
	levels := paletteOf(t.opt.Style).level
	return levelCell.ReplaceAllStringFunc(s, func(cell string) string {
		word := strings.Fields(cell)[0]
		return strings.Replace(cell, word, profile.String(word).Foreground(profile.Color(levels[word])).String(), 1)
	})
}
