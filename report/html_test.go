package report

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"perflint/detectors/feature"
	"perflint/detectors/span"
)

// inert is every element that the page may hold; none of them runs anything or loads anything.
const inert = " html head meta title style body header h1 h2 h3 div p table thead tbody tr th td span a code pre em strong del br hr svg rect path figure " +
	"figcaption ul ol li article details summary footer blockquote "

func FuzzPageIsInert(f *testing.F) {
	for _, s := range nasty {
		f.Add(s)
	}
	for _, s := range []string{`"><img src=x onerror=y>`, `[a](javascript:x)`, `<svg onload=x>`, `</style><script>`, `{{.}}`, "![x](http://a/b)", `<http://a.b>`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		doc, err := html.Parse(bytes.NewReader(written(t, trapped(s), "html", Options{})))
		if err != nil {
			t.Fatal(err)
		}
		for n := range doc.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			if !strings.Contains(inert, " "+n.Data+" ") {
				t.Errorf("%q puts a %s on the page", s, n.Data)
			}
			for _, a := range n.Attr {
				link := a.Key == "href" && !strings.HasPrefix(a.Val, "#") && !strings.HasPrefix(a.Val, "https://")
				if strings.HasPrefix(a.Key, "on") || a.Key == "src" || link {
					t.Errorf("%q puts %s=%q on the page", s, a.Key, a.Val)
				}
			}
		}
	})
}

func TestStripIsTheTypicalStep(t *testing.T) {
	decls := []feature.Decl{
		{Name: "steps.median_us", Unit: feature.Us},
		{Name: "steps.list", Type: feature.List, Fields: []feature.Decl{
			{Name: "index", Type: feature.Int}, {Name: "steady", Type: feature.Bool}, {Name: "spans", Type: feature.Spans},
		}},
	}
	for _, b := range bands {
		decls = append(decls, feature.Decl{Name: b.spans, Type: feature.Spans})
	}
	schema, err := feature.NewSchema(decls...)
	if err != nil {
		t.Fatal(err)
	}
	s := feature.NewSet(schema, feature.Lane{})
	s.Float("steps.median_us", 4)
	step := func(i int64, steady bool, from, to span.Time) feature.Record {
		return feature.Record{"index": i, "steady": steady, "spans": span.Set{{Start: from, End: to}}}
	}
	s.List("steps.list", []feature.Record{step(0, false, 0, 4000), step(1, true, 4000, 9000), step(2, true, 10000, 14000)})
	s.Spans("gpu.compute_spans", span.Set{{Start: 4000, End: 9000}, {Start: 10000, End: 13000}})
	s.Spans("idle.host_late_spans", span.Set{{Start: 9000, End: 10000}, {Start: 13000, End: 14000}})
	got := stripOf(s)
	if got.StartNs != 10000 || got.LenNs != 4000 || got.Step != 2 {
		t.Errorf("%+v", got)
	}
	for i, n := range got.Share["compute"] {
		late := 0
		if got.Share["late"] != nil {
			late = got.Share["late"][i]
		}
		if want := map[bool]int{true: 100, false: 0}[i < 300]; n != want || late != 100-want {
			t.Fatalf("slice %d: compute %d, late %d", i, n, late)
		}
	}
	if got.Share["comm"] != nil {
		t.Error("what is nowhere is absent")
	}
}

func TestStripWithoutStepsIsTheWindow(t *testing.T) {
	s := lane(0)
	if got := stripOf(s); got == nil || got.StartNs != 101400000 || got.LenNs != 91500000 || got.Step != -1 {
		t.Errorf("%+v", got)
	}
	if got := stripOf(feature.NewSet(schema(), feature.Lane{GPU: -1})); got != nil {
		t.Errorf("a lane without GPU work has none, got %+v", got)
	}
}
