package main

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"perflint/rules"
	"perflint/rules/source"
)

func (c *Command) configCommand() *cobra.Command {
	var f ruleFlags
	cmd := &cobra.Command{
		Use:   "config [flags]",
		Short: "Print the configuration that holds, and where each value is from",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			conf, err := c.configure(cmd, f.configFlags)
			if err != nil {
				return err
			}
			if _, err := c.judge(conf, f.skipBad, false); err != nil {
				return err
			}
			p := originPrinter{}
			p.fields(conf.merged, "")
			return p.write(c.out)
		},
	}
	cmd.Flags().SortFlags = false
	f.define(cmd)
	defineVerdict(cmd)
	defineShown(cmd)
	return cmd
}

// originPrinter gathers the lines of a YAML document, each with the place that its value is from.
type originPrinter struct{ lines []originLine }

type originLine struct{ text, origin string }

func (p *originPrinter) fields(n *source.Node, indent string) {
	for _, f := range n.Fields {
		p.value(indent+scalarText(f.Key.Value)+":", f.Value, indent)
	}
}

// value prints what follows a key or the dash of a list.
func (p *originPrinter) value(head string, n *source.Node, indent string) {
	switch {
	case n.Scalar():
		p.add(head+" "+scalarText(n.Value), n)
	case n.Kind == source.Map && len(n.Fields) == 0:
		p.add(head+" {}", n)
	case n.Kind == source.List && len(n.Items) == 0:
		p.add(head+" []", n)
	case n.Kind == source.Map:
		p.lines = append(p.lines, originLine{text: head})
		p.fields(n, indent+"  ")
	default:
		p.lines = append(p.lines, originLine{text: head})
		for _, item := range n.Items {
			p.item(item, indent+"  ")
		}
	}
}

// item prints an entry of a list; the first field of a map stands behind the dash.
func (p *originPrinter) item(n *source.Node, indent string) {
	if n.Kind != source.Map {
		p.value(indent+"-", n, indent)
		return
	}
	first := len(p.lines)
	p.fields(n, indent+"  ")
	if first < len(p.lines) {
		p.lines[first].text = indent + "- " + strings.TrimLeft(p.lines[first].text, " ")
	}
}

func (p *originPrinter) add(text string, n *source.Node) {
	p.lines = append(p.lines, originLine{text, origin(n)})
}

// origin is where a value is from: FILE:LINE, a flag, or default.
func origin(n *source.Node) string {
	at := n.Pos()
	if at.Line == 0 || at.File == rules.DefaultOrigin {
		return at.File
	}
	return fmt.Sprintf("%s:%d", at.File, at.Line)
}

var plainScalar = regexp.MustCompile(`^[A-Za-z0-9./][A-Za-z0-9_./%-]*$`)

func scalarText(s string) string {
	if plainScalar.MatchString(s) {
		return s
	}
	return strconv.Quote(s)
}

// widestLine is how far right the origins are aligned.
const widestLine = 60

func (p *originPrinter) write(w io.Writer) error {
	width := 0
	for _, l := range p.lines {
		if n := utf8.RuneCountInString(l.text); n <= widestLine && l.origin != "" {
			width = max(width, n)
		}
	}
	var b strings.Builder
	for _, l := range p.lines {
		b.WriteString(l.text)
		switch {
		case l.origin == rules.DefaultOrigin:
			b.WriteString(strings.Repeat(" ", max(0, width-utf8.RuneCountInString(l.text))) + "  # default")
		case l.origin != "":
			b.WriteString(strings.Repeat(" ", max(0, width-utf8.RuneCountInString(l.text))) + "  # from " + l.origin)
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, printable(b.String()))
	return err
}
