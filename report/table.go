package report

import "strings"

// table is a Markdown table. Cells are inline Markdown; what they hold cannot break the table.
type table struct {
	head           []string
	right, rightTo int // the columns set flush right, -1 for none
	rows           [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// String is empty for a table without rows.
func (t *table) String() string {
	if len(t.rows) == 0 {
		return ""
	}
	var b strings.Builder
	line := func(cells []string) {
		for _, c := range cells {
			b.WriteString("| ")
			if c = cell(c); c != "" {
				b.WriteString(c + " ")
			}
		}
		b.WriteString("|\n")
	}
	line(t.head)
	for i := range t.head {
		b.WriteString("|---")
		if t.right >= 0 && i >= t.right && i <= max(t.right, t.rightTo) {
			b.WriteByte(':')
		}
	}
	b.WriteString("|\n")
	for _, r := range t.rows {
		line(r)
	}
	return b.String()
}
