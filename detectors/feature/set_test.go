package feature

import (
	"math"
	"slices"
	"strings"
	"testing"

	"perflint/detectors/span"
)

func schema(t *testing.T) *Schema {
	t.Helper()
	s, err := NewSchema(
		Decl{Name: "a.float", Type: Float, Unit: Us}, Decl{Name: "a.int", Type: Int}, Decl{Name: "a.bool", Type: Bool}, Decl{Name: "a.text", Type: Text},
		Decl{Name: "a.spans", Type: Spans}, Decl{Name: "a.list", Type: List, Fields: []Decl{{Name: "name", Type: Text}, {Name: "us", Type: Float}, {Name: "when", Type: Spans}}},
	)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestASetKeepsWhatIsDeclared(t *testing.T) {
	s := NewSet(schema(t), Lane{GPU: 3})
	when := span.Set{{Start: 1, End: 2}}
	s.Float("a.float", 1.5)
	s.Int("a.int", 2)
	s.Bool("a.bool", true)
	s.Text("a.text", "x")
	s.Spans("a.spans", when)
	s.List("a.list", []Record{{"name": "n", "us": 1.0, "when": when}, {}})
	for name, want := range map[string]any{"a.float": 1.5, "a.int": int64(2), "a.bool": true, "a.text": "x"} {
		if got, ok := s.Get(name); !ok || got != want || s.Reason(name) != "" || !s.Settled(name) {
			t.Errorf("%s: got %v", name, got)
		}
	}
	if v, ok := s.Number("a.int"); !ok || v != 2 {
		t.Errorf("a whole number is %v", v)
	}
	if _, ok := s.Number("a.text"); ok {
		t.Error("words are a number")
	}
	if v, ok := s.SpansOf("a.spans"); !ok || v.Total() != 1 {
		t.Errorf("intervals %v", v)
	}
	if v, ok := s.Get("a.list"); !ok || len(v.([]Record)) != 2 {
		t.Errorf("records %v", v)
	}
	if p := s.Problems(); len(p) > 0 || s.Lane.GPU != 3 {
		t.Errorf("problems %v", p)
	}
}

func TestWhatASetRefuses(t *testing.T) {
	for name, put := range map[string]func(*Set){
		"a.float is number, not integer":                  func(s *Set) { s.Int("a.float", 1) },
		"a.int is integer, not number":                    func(s *Set) { s.Float("a.int", 1) },
		"a.text is text, not bool":                        func(s *Set) { s.Bool("a.text", true) },
		"a.bool is bool, not text":                        func(s *Set) { s.Text("a.bool", "") },
		"a.list is list, not intervals":                   func(s *Set) { s.Spans("a.list", nil) },
		"a.spans is intervals, not list":                  func(s *Set) { s.List("a.spans", nil) },
		"a.float was set to NaN":                          func(s *Set) { s.Float("a.float", math.NaN()) },
		"a.float was set to +Inf":                         func(s *Set) { s.Float("a.float", math.Inf(1)) },
		"undeclared feature b.c":                          func(s *Set) { s.Int("b.c", 1) },
		"undeclared feature b.d":                          func(s *Set) { s.Missing("because", "b.d") },
		"a.list has no field other for a string":          func(s *Set) { s.List("a.list", []Record{{"other": ""}}) },
		"a.list has no field name for a int64":            func(s *Set) { s.List("a.list", []Record{{"name": int64(1)}}) },
		"a.list has no field us for a float64":            func(s *Set) { s.List("a.list", []Record{{"us": math.NaN()}}) },
		"a.list has no field when for a []feature.Record": func(s *Set) { s.List("a.list", []Record{{"when": []Record{}}}) },
	} {
		s := NewSet(schema(t), Lane{})
		put(s)
		if p := s.Problems(); len(p) != 1 || p[0] != name {
			t.Errorf("got %q, want %q", p, name)
		}
		feature, _, _ := strings.Cut(name, " ")
		if _, declared := s.Schema().Lookup(feature); declared {
			if _, ok := s.Get(feature); ok || !strings.Contains(s.Reason(feature), name) || !s.Settled(feature) {
				t.Errorf("%s: %q", feature, s.Reason(feature))
			}
		}
	}
}

// A later word counts: a measured value that turns out to be none is missing, and the other way round.
func TestMissingAndMeasuredReplaceOneAnother(t *testing.T) {
	s := NewSet(schema(t), Lane{})
	if s.Settled("a.int") || s.Reason("a.int") != "not measured" {
		t.Errorf("before: %q", s.Reason("a.int"))
	}
	s.Int("a.int", 1)
	s.Missing("no clock", "a.int", "a.text")
	if _, ok := s.Get("a.int"); ok || s.Reason("a.int") != "no clock" || s.Reason("a.text") != "no clock" {
		t.Errorf("missing: %q", s.Reason("a.int"))
	}
	s.Int("a.int", 2)
	if v, _ := s.Get("a.int"); v != int64(2) || s.Reason("a.int") != "" {
		t.Errorf("measured: %v, %q", v, s.Reason("a.int"))
	}
}

func TestListsEnd(t *testing.T) {
	s := NewSet(schema(t), Lane{})
	s.List("a.list", make([]Record, MaxRecords+1))
	if v, _ := s.Get("a.list"); len(v.([]Record)) != MaxRecords {
		t.Errorf("%d records", len(v.([]Record)))
	}
}

func TestSchemaRefusesBadNames(t *testing.T) {
	for name, want := range map[string]string{
		"a.b": "", "a_1.b_2": "", "a": "namespace.feature", "A.b": "namespace.feature", "a.b.c": "namespace.feature", "1a.b": "namespace.feature", "a.": "namespace.feature", "x.y": "twice",
	} {
		_, err := NewSchema(Decl{Name: "x.y"}, Decl{Name: name})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	s := schema(t)
	if names := s.Names(); names[0] != "a.bool" || names[len(names)-1] != "a.text" {
		t.Errorf("names %v", names)
	}
	if Namespace("a.bool") != "a" || Namespace("none") != "none" {
		t.Error("namespaces")
	}
	d, _ := s.Lookup("a.list")
	if f, ok := d.Field("us"); !ok || f.Type != Float {
		t.Errorf("field %v", f)
	}
}

func TestTakingWhatAnotherSetHolds(t *testing.T) {
	whole, part := NewSet(schema(t), Lane{}), NewSet(schema(t), Lane{})
	whole.Int("a.int", 1)
	whole.Missing("no words", "a.text")
	whole.Bool("a.bool", true)
	part.Text("a.text", "x")
	part.Missing("no count", "a.int")
	part.Int("a.unknown", 1)
	whole.Take(part)
	if v, _ := whole.Get("a.text"); v != "x" || whole.Reason("a.text") != "" {
		t.Errorf("the text is %v, missing because %q", v, whole.Reason("a.text"))
	}
	if _, ok := whole.Get("a.int"); ok || whole.Reason("a.int") != "no count" {
		t.Errorf("the count is missing because %q", whole.Reason("a.int"))
	}
	if v, _ := whole.Get("a.bool"); v != true || len(whole.Problems()) != 1 {
		t.Errorf("what only one has is %v, its problems %v", v, whole.Problems())
	}
}

// Thousands of intervals are kept packed, and nobody notices.
func TestManyIntervals(t *testing.T) {
	for _, n := range []int{0, 3, packFrom - 1, packFrom, 3 * packFrom} {
		var when span.Set
		for i := range span.Time(n) {
			when = append(when, span.Span{Start: 10 * i, End: 10*i + 3})
		}
		for how, put := range map[string]func(*Set){
			"spans": func(s *Set) { s.Spans("a.spans", when) }, "shared": func(s *Set) { s.SharedSpans("a.spans", when) },
			"packed": func(s *Set) { s.PackedSpans("a.spans", span.Pack(when)) },
		} {
			s := NewSet(schema(t), Lane{})
			put(s)
			got, ok := s.SpansOf("a.spans")
			if v, _ := s.Get("a.spans"); !ok || !s.Has("a.spans") || !slices.Equal(got, when) || !slices.Equal(v.(span.Set), when) {
				t.Errorf("%s: %d intervals are %d", how, n, len(got))
			}
		}
		s := NewSet(schema(t), Lane{})
		s.List("a.list", []Record{{"when": when}, {"when": span.Pack(when)}, {"name": "n"}})
		v, _ := s.Get("a.list")
		for i, r := range v.([]Record) {
			if got, ok := r.SpansOf("when"); ok != (i < 2) || ok && !slices.Equal(got, when) {
				t.Errorf("record %d: %d intervals are %d", i, n, len(got))
			}
		}
		if len(s.Problems()) > 0 {
			t.Error(s.Problems())
		}
	}
}
