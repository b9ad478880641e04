package rules

import (
	"strings"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/rules/source"
)

// caseFeatures reads the features of a case.
type caseFeatures struct {
	*reader
	schema *feature.Schema
	values map[string]any
}

func (c *caseFeatures) read(n *source.Node) {
	if n == nil {
		return
	}
	if n.Kind != source.Map {
		c.report(n, "wrong-type", "", "features is a map of name to value, got %s", n.Kind)
		return
	}
	for _, f := range n.Fields {
		name := f.Key.Value
		d, ok := c.schema.Lookup(name)
		switch {
		case !ok:
			c.report(f.Key, "unknown-feature", didYouMeanFeatureOr(name, c.schema), "unknown feature %s", name)
		case f.Value.Kind == source.Null:
			delete(c.values, name)
		default:
			if v, ok := c.value(d, f.Value); ok {
				c.values[name] = v
			}
		}
	}
}

// value reads a value of a declared type; ok is false when it was reported as wrong.
func (c *caseFeatures) value(d feature.Decl, n *source.Node) (v any, ok bool) {
	switch d.Type {
	case feature.Float, feature.Int:
		f, ok := numberOf(n.Value, d.Unit)
		if !ok || !n.Scalar() {
			c.report(n, "wrong-type", "", "%s must be %s, got %s", d.Name, unitWords[d.Unit], shown(n))
			return nil, false
		}
		if d.Type == feature.Int {
			return int64(f), true
		}
		return f, true
	case feature.Bool:
		return boolean(c.reader, n), true
	case feature.Text:
		return text(c.reader, n), true
	case feature.Spans:
		return c.spans(d, n)
	}
	return c.records(d, n)
}

// spans reads a length, for one interval from 0, or a list of [start, length].
func (c *caseFeatures) spans(d feature.Decl, n *source.Node) (any, bool) {
	if length, ok := numberOf(n.Value, feature.Us); ok && n.Scalar() {
		return between(0, length), true
	}
	var out []span.Span
	for _, item := range n.Items {
		if len(item.Items) != 2 {
			out = nil
			break
		}
		start, ok := numberOf(item.Items[0].Value, feature.Us)
		length, both := numberOf(item.Items[1].Value, feature.Us)
		if !ok || !both {
			out = nil
			break
		}
		out = append(out, between(start, length)...)
	}
	if n.Kind != source.List || len(out) == 0 && len(n.Items) > 0 {
		c.report(n, "wrong-type", "", "%s must be a length such as 3ms, or a list of [start, length], got %s", d.Name, shown(n))
		return nil, false
	}
	return span.Union(out), true
}

func between(start, length float64) span.Set {
	return span.Of(span.Span{Start: span.Time(start * 1e3), End: span.Time((start + length) * 1e3)})
}

func (c *caseFeatures) records(d feature.Decl, n *source.Node) (any, bool) {
	out := []feature.Record{}
	for _, item := range items(c.reader, n) {
		record := feature.Record{}
		for _, f := range item.Fields {
			field, ok := d.Field(f.Key.Value)
			if !ok {
				c.report(f.Key, "unknown-feature", source.DidYouMean(f.Key.Value, recordFields(d)), "%s has no field %s", d.Name, f.Key.Value)
				continue
			}
			if v, ok := c.value(field, f.Value); ok {
				record[field.Name] = v
			}
		}
		out = append(out, record)
	}
	return out, n.Kind == source.List
}

func recordFields(d feature.Decl) []string {
	var out []string
	for _, f := range d.Fields {
		out = append(out, f.Name)
	}
	return out
}

// sets puts the values where a lane and a job have them. Intervals that are not given are one as long as their _us twin.
func (c *caseFeatures) sets() (lane, job *feature.Set) {
	lane = feature.NewSet(c.schema, feature.Lane{Rank: -1})
	job = feature.NewSet(c.schema, feature.Lane{Rank: -1, GPU: -1})
	hasJob := false
	for _, name := range c.schema.Names() {
		v, ok := c.values[name]
		if twin, isSpans := strings.CutSuffix(name, "_spans"); !ok && isSpans {
			if length, given := c.values[twin+"_us"].(float64); given {
				v, ok = between(0, length), true
			}
		}
		set := lane
		if feature.Namespace(name) == "job" {
			set, hasJob = job, hasJob || ok
		}
		if !ok {
			set.Missing("the test does not give it", name)
			continue
		}
		put(set, name, v)
	}
	if !hasJob {
		job = nil
	}
	return lane, job
}

func put(set *feature.Set, name string, v any) {
	switch v := v.(type) {
	case float64:
		set.Float(name, v)
	case int64:
		set.Int(name, v)
	case bool:
		set.Bool(name, v)
	case string:
		set.Text(name, v)
	case span.Set:
		set.Spans(name, v)
	case []feature.Record:
		set.List(name, v)
	}
}
