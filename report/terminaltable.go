package report

import (
	"strings"

	xansi "github.com/charmbracelet/x/ansi"
	extast "github.com/yuin/goldmark/extension/ast"
)

// table sets cells in columns with lines between them, and below the head.
func (t *typesetter) table(table *extast.Table) []string {
	var rows [][]string
	for r := table.FirstChild(); r != nil; r = r.NextSibling() {
		var row []string
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			row = append(row, strings.ReplaceAll(t.inline(c, ink{}), "\n", " "))
		}
		rows = append(rows, row)
	}
	width := make([]int, len(table.Alignments))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], xansi.StringWidth(cell))
		}
	}
	rules := make([]string, len(width))
	for i, w := range width {
		rules[i] = strings.Repeat("─", w+2)
	}
	var lines []string
	for i, row := range rows {
		for k, cell := range row {
			row[k] = " " + aside(cell, width[k], table.Alignments[k]) + " "
		}
		if lines = append(lines, strings.Join(row, "│")); i == 0 {
			lines = append(lines, strings.Join(rules, "┼"))
		}
	}
	return lines
}

// aside fills a cell with blanks up to the width of its column.
func aside(cell string, width int, where extast.Alignment) string {
	free := width - xansi.StringWidth(cell)
	switch where {
	case extast.AlignRight:
		return strings.Repeat(" ", free) + cell
	case extast.AlignCenter:
		return strings.Repeat(" ", free/2) + cell + strings.Repeat(" ", free-free/2)
	}
	return cell + strings.Repeat(" ", free)
}
