package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"perflint/detectors/feature"
)

// featureDoc is the JSON of perflint features.
type featureDoc struct {
	Lanes []Lane   `json:"lanes"`
	Job   Measured `json:"job"`
}

// Features writes what was measured, as text or json: for each lane and for the job (which may be nil) every feature of
// the schema with its value, or why it is missing.
func Features(w io.Writer, lanes []*feature.Set, job *feature.Set, format string) error {
	switch format {
	case "json":
		doc := featureDoc{laneList(lanes), measured(job, true)}
		for i := range doc.Lanes {
			doc.Lanes[i].Strip = nil // a picture is no feature
		}
		return encode(w, doc, 4)
	case "text":
		return featureText(w, lanes, job)
	}
	return fmt.Errorf("unknown format %s for features; known: text, json", format)
}

func featureText(w io.Writer, lanes []*feature.Set, job *feature.Set) error {
	r := &Report{Lanes: laneList(lanes)}
	var b strings.Builder
	for i, s := range lanes {
		if len(lanes) > 1 {
			fmt.Fprintf(&b, "%s\n\n", r.laneName(i))
		}
		featureRows(&b, s, false)
	}
	if job != nil && len(lanes) > 1 {
		b.WriteString("job\n\n")
		featureRows(&b, job, true)
	}
	_, err := io.WriteString(w, Harmless(b.String()))
	return err
}

// featureRows lists the features of a set with values and meanings, those of the job only in the job's set; then the
// missing ones, by reason.
func featureRows(b *strings.Builder, s *feature.Set, job bool) {
	var rows [][]string
	var reasons []string
	missing := map[string][]string{}
	for _, n := range s.Schema().Names() {
		if (feature.Namespace(n) == "job") != job {
			continue
		}
		if us, twin := strings.CutSuffix(n, "_spans"); twin && s.Settled(us+"_us") {
			continue // its length is the other's value
		}
		d, _ := s.Schema().Lookup(n)
		v, ok := s.Get(n)
		if !ok {
			why := clean(s.Reason(n))
			if missing[why] == nil {
				reasons = append(reasons, why)
			}
			missing[why] = append(missing[why], n)
			continue
		}
		text := cut(clean(feature.Format(v, d.Unit)), inTable)
		rows = append(rows, []string{n, cmp.Or(text, "none"), clean(d.Doc)})
	}
	columns(b, rows)
	for _, why := range reasons {
		fmt.Fprintf(b, "\nmissing: %s\n", why)
		for _, line := range strings.Split(wrap(strings.Join(missing[why], " "), MaxWidth-2), "\n") {
			b.WriteString("  " + line + "\n")
		}
	}
	b.WriteByte('\n')
}

// maxValue is the widest value that others are aligned with.
const maxValue = 20

// columns writes rows with their columns aligned; the second one, the values, flush right.
func columns(b *strings.Builder, rows [][]string) {
	var width []int
	for _, r := range rows {
		for i, c := range r {
			if i == len(width) {
				width = append(width, 0)
			}
			if n := utf8.RuneCountInString(c); i != 1 || n <= maxValue {
				width[i] = max(width[i], n)
			}
		}
	}
	for _, r := range rows {
		for i, c := range r {
			pad := strings.Repeat(" ", max(0, width[i]-utf8.RuneCountInString(c)))
			switch {
			case i == 1:
				b.WriteString(pad + c + "  ")
			case i+1 == len(r):
				b.WriteString(c)
			default:
				b.WriteString(c + pad + "  ")
			}
		}
		b.WriteByte('\n')
	}
}

// FeatureList writes the schema: every feature with its type, unit and meaning, and the fields of lists below them, as text,
// json or markdown.
func FeatureList(w io.Writer, schema *feature.Schema, format string) error {
	switch format {
	case "json":
		return encode(w, declList(schema), 2)
	case "markdown":
		t := table{head: []string{"Feature", "Type", "Unit", "Meaning"}, right: -1}
		for _, d := range declList(schema).Features {
			meaning := prose(d.Doc)
			for _, f := range d.Fields {
				meaning += "<br>" + code("."+f.Name, inText) + " " + strings.TrimSpace(f.Type+" "+f.Unit) + ": " + prose(f.Doc)
			}
			t.add(code(d.Name, inText), d.Type, d.Unit, meaning)
		}
		_, err := io.WriteString(w, "# Features\n\nWhat a rule can name; of a list, the fields of its records too.\n\n"+t.String())
		return err
	case "text":
		var rows [][]string
		for _, d := range declList(schema).Features {
			rows = append(rows, []string{d.Name, strings.TrimSpace(d.Type + " " + d.Unit), d.Doc})
			for _, f := range d.Fields {
				rows = append(rows, []string{"  ." + f.Name, strings.TrimSpace(f.Type + " " + f.Unit), "  " + f.Doc})
			}
		}
		var b strings.Builder
		columns(&b, rows)
		_, err := io.WriteString(w, b.String())
		return err
	}
	return fmt.Errorf("unknown format %s for features; known: text, json, markdown", format)
}

type declDoc struct {
	Features []decl `json:"features"`
}

type decl struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Unit   string `json:"unit,omitempty"`
	Doc    string `json:"doc"`
	Fields []decl `json:"fields,omitempty"`
}

func declList(schema *feature.Schema) declDoc {
	doc := declDoc{Features: []decl{}}
	for _, n := range schema.Names() {
		d, _ := schema.Lookup(n)
		doc.Features = append(doc.Features, declOf(d))
	}
	return doc
}

func declOf(d feature.Decl) decl {
	out := decl{Name: d.Name, Type: d.Type.String(), Unit: string(d.Unit), Doc: d.Doc}
	for _, f := range d.Fields {
		out.Fields = append(out.Fields, declOf(f))
	}
	return out
}
