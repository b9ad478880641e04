package rules

import (
	"encoding/json"
	"maps"
	"strings"

	"perflint/detectors/feature"
)

// RuleSchema is the JSON schema (draft-07, the newest that editors of YAML take) of a rule file, from the table that reads it.
// Feature names are examples, not a closed list: expressions are checked by loading the rule. An empty schema gives none.
func RuleSchema(features *feature.Schema) []byte {
	s := mapShape(ruleFields)
	properties := s["properties"].(shape)
	named := func(name string, fits func(feature.Type) bool) shape {
		f := maps.Clone(properties[name].(shape))
		f["examples"] = examples(features, fits)
		return f
	}
	if len(features.Names()) > 0 {
		properties["when"] = named("when", func(t feature.Type) bool { return t != feature.Spans })
		properties["foreach"] = named("foreach", func(t feature.Type) bool { return t == feature.List })
		claim := maps.Clone(textShape)
		claim["examples"] = examples(features, func(t feature.Type) bool { return t == feature.Spans })
		properties["claims"].(shape)["items"] = claim
	}
	return document("rule.schema.json", "perflint rule", s)
}

// TestSchema is the JSON schema of a file of rule tests. Features are a closed list here.
func TestSchema(features *feature.Schema) []byte {
	values := shape{}
	for _, name := range features.Names() {
		d, _ := features.Lookup(name)
		values[name] = valueShape(d)
	}
	s := mapShape(testFields)
	s["definitions"] = shape{"features": shape{"type": "object", "additionalProperties": false, "properties": values}}
	return document("test.schema.json", "perflint rule test", s)
}

// ConfigSchema is the JSON schema of a configuration. Formats are those that reports can be written in.
func ConfigSchema(features *feature.Schema, formats []string) []byte {
	s := mapShape(configFields)
	properties := s["properties"].(shape)
	limits := shape{}
	for _, name := range features.Names() {
		if d, _ := features.Lookup(name); d.Type == feature.Float || d.Type == feature.Int {
			limits[name] = shape{"description": strings.TrimSuffix(d.Doc, "."), "allOf": []shape{{"$ref": "#/definitions/limit"}}}
		}
	}
	outputs := shape{}
	for _, f := range formats {
		outputs[f] = textShape
	}
	for name, of := range map[string]shape{"budget": limits, "outputs": outputs} {
		closed := maps.Clone(properties[name].(shape))
		closed["properties"], closed["additionalProperties"] = of, false
		properties[name] = closed
	}
	s["definitions"] = shape{"limit": budgetShape()}
	return document("config.schema.json", "perflint configuration", s)
}

// PackSchema is the JSON schema of a pack.yaml.
func PackSchema() []byte { return document("pack.schema.json", "perflint pack", mapShape(packFields)) }

func document(id, title string, s shape) []byte {
	s = maps.Clone(s)
	s["$schema"], s["$id"], s["title"] = "http://json-schema.org/draft-07/schema#", id, title
	out, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // the tables hold texts, numbers and lists only
	}
	return append(out, '\n')
}

func examples(features *feature.Schema, fits func(feature.Type) bool) []string {
	var out []string
	for _, name := range features.Names() {
		if d, _ := features.Lookup(name); fits(d.Type) {
			out = append(out, name)
		}
	}
	return out
}

// valueShape is what a test may give for a feature: null takes away a value that all cases share.
func valueShape(d feature.Decl) shape {
	s := shape{"description": strings.TrimSuffix(d.Doc, ".")}
	switch d.Type {
	case feature.Bool:
		s["type"] = []string{"boolean", "null"}
	case feature.Text:
		s["type"] = []string{"string", "null"}
	case feature.Spans:
		s["type"] = []string{"string", "number", "array", "null"}
	case feature.List:
		s["type"] = []string{"array", "null"}
	default:
		s["type"] = []string{"number", "string", "null"}
	}
	return s
}
