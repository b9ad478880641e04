package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

//go:embed page.html.tmpl
var pageSource string

var page = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(pageSource)) })

// writeHTML is one file without network or script: it opens wherever it is kept. Markdown goes through a renderer that drops
// raw HTML and dangerous links, for rules may be strangers' and names are the trace's.
func writeHTML(w io.Writer, r *Report, opt Options) error {
	v := view{Report: r}
	v.visible, v.hidden = r.shown(opt)
	var b bytes.Buffer
	if err := page().Execute(&b, v); err != nil {
		return fmt.Errorf("html: %w", err)
	}
	_, err := io.WriteString(w, unhook(b.String()))
	return err
}

// view is what the page asks for. Its methods answer in words or in HTML that is safe.
type view struct {
	*Report
	visible []ranked
	hidden  int
}

var toHTML = sync.OnceValue(func() goldmark.Markdown { return goldmark.New(goldmark.WithExtensions(extension.Table)) })

// md renders Markdown of a rule or of perflint.
func md(s string) template.HTML {
	var b bytes.Buffer
	if err := toHTML().Convert([]byte(s), &b); err != nil {
		return template.HTML(template.HTMLEscapeString(s))
	}
	return template.HTML(b.String())
}

// inline is md without the paragraph around it.
func inline(s string) template.HTML {
	out := strings.TrimSpace(string(md(s)))
	return template.HTML(strings.TrimSuffix(strings.TrimPrefix(out, "<p>"), "</p>"))
}

func (v view) Title() string           { return clean(v.title()) }
func (v view) Facts() template.HTML    { return inline(strings.Join(v.facts(), " · ")) }
func (v view) Verdict() string         { h, _ := v.verdict(); return h }
func (v view) Others() string          { _, o := v.verdict(); return o }
func (v view) Floor() template.HTML    { return inline(v.floor(bold)) }
func (v view) Made() template.HTML     { return inline(strings.Join(v.made(), " · ")) }
func (v view) Brackets() string        { return brackets(v.visible) }
func (v view) Hidden() template.HTML   { return inline(hiddenLine(v.hidden)) }
func (v view) Sections() []sectionView { return v.sections() }

func (v view) Notes() []template.HTML {
	var out []template.HTML
	for _, n := range v.notes() {
		out = append(out, inline(n))
	}
	return out
}

type rowView struct {
	Severity, Rule, Gain string
	Text                 template.HTML
}

func (v view) Rows() []rowView {
	var out []rowView
	for _, f := range v.visible {
		out = append(out, rowView{f.Severity, f.rule.Rule, v.gain(*f.Finding), inline(v.sentence(f, inTable))})
	}
	return out
}

type reasonView struct{ Reason, Rules template.HTML }

func (v view) NotJudged() []reasonView {
	var out []reasonView
	for _, g := range v.notJudged() {
		out = append(out, reasonView{inline(g.reason), inline(codes(g.rules, len(g.rules)))})
	}
	return out
}

// LaneTable is the comparison of lanes, its headings first.
func (v view) LaneTable() [][]string { rows, _ := v.laneRows(); return rows }

type sectionView struct {
	Rule, Title, Confidence, Severity string
	Findings                          []findingView
	More                              int
	Fixes, Why                        template.HTML
}

type findingView struct {
	Message, Where, When, SeenAs template.HTML
	About                        template.HTML
	Evidence                     []evidenceView
}

type evidenceView struct{ Label, Value, Limit template.HTML }

func (v view) sections() []sectionView {
	m := markdown{r: v.Report}
	var out []sectionView
	for _, group := range byRule(v.visible) {
		rule := group[0].rule
		s := sectionView{
			Rule: rule.Rule, Title: clean(rule.Title), Confidence: rule.Confidence, Severity: group[0].Severity, More: rule.More,
			Fixes: md(remedies(allFixes(group))), Why: md(join([]string{block(rule.Why), links(rule.Docs)})),
		}
		for _, f := range group {
			s.Findings = append(s.Findings, v.findingView(m, f))
		}
		out = append(out, s)
	}
	return out
}

func (v view) findingView(m markdown, f ranked) findingView {
	out := findingView{
		Message: md(tidy(f.Message)), Where: inline(where(*f.Finding, 5)), When: inline(when(*f.Finding, 5)), SeenAs: md(m.seenAs(*f.Finding)),
		About: inline(strings.Join(v.circumstances(*f.Finding), " · ")),
	}
	for _, e := range told(f.Evidence) {
		out.Evidence = append(out.Evidence, evidenceView{inline(e.label(inText)), inline(e.value(inText)), inline(e.limit())})
	}
	return out
}
