package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

// invalid says how a value breaks a schema of the few words that ours use, empty when it does not.
func invalid(schema map[string]any, v any, at string) string {
	if choices, ok := schema["anyOf"].([]any); ok {
		if slices.ContainsFunc(choices, func(s any) bool { return invalid(s.(map[string]any), v, at) == "" }) {
			return ""
		}
		return at + " fits none of anyOf"
	}
	kinds := map[string]func(any) bool{
		"object": is[map[string]any], "array": is[[]any], "string": is[string], "boolean": is[bool], "number": is[float64],
		"integer": func(v any) bool { f, ok := v.(float64); return ok && f == float64(int64(f)) }, "null": func(v any) bool { return v == nil },
	}
	if kind, ok := schema["type"].(string); ok && !kinds[kind](v) {
		return fmt.Sprintf("%s is %v, want %s", at, v, kind)
	}
	switch v := v.(type) {
	case map[string]any:
		return invalidMap(schema, v, at)
	case []any:
		for i, item := range v {
			if items, ok := schema["items"].(map[string]any); ok {
				if s := invalid(items, item, fmt.Sprintf("%s[%d]", at, i)); s != "" {
					return s
				}
			}
		}
	}
	return ""
}

func is[T any](v any) bool { _, ok := v.(T); return ok }

func invalidMap(schema, v map[string]any, at string) string {
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if _, ok := v[name.(string)]; !ok {
			return fmt.Sprintf("%s lacks %s", at, name)
		}
	}
	rest, _ := schema["additionalProperties"].(map[string]any)
	for name, value := range v {
		s, known := properties[name].(map[string]any)
		switch {
		case !known && properties != nil:
			return fmt.Sprintf("%s has %s, which the schema does not know", at, name)
		case !known:
			s = rest
		}
		if problem := invalid(s, value, at+"."+name); problem != "" {
			return problem
		}
	}
	return ""
}

// The schema of a report is checked against the reports of the golden files, and knows each of their fields.
func TestReportsKeepToTheirSchema(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal(JSONSchema(), &schema); err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]*Report{"sample": sample(), "eight": eight(), "blind": blind(), "healthy": healthy()} {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var doc any
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatal(err)
		}
		if problem := invalid(schema, doc, name); problem != "" {
			t.Error(problem)
		}
	}
	if problem := invalid(schema, map[string]any{"schema": "one"}, "r"); problem == "" {
		t.Error("a text is taken for a number")
	}
}
