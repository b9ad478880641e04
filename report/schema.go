package report

import (
	"encoding/json"
	"reflect"
	"strings"
)

// JSONSchema is the schema (draft-07) of a JSON report, from the type that is written. What is not known is allowed: fields are
// added within one version of the format.
func JSONSchema() []byte {
	s := schemaOf(reflect.TypeFor[Report]())
	s["$schema"], s["$id"], s["title"] = "http://json-schema.org/draft-07/schema#", "report.schema.json", "perflint report"
	out, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // it holds texts, numbers and lists only
	}
	return append(out, '\n')
}

func schemaOf(t reflect.Type) map[string]any {
	switch t.Kind() {
	case reflect.Pointer:
		return map[string]any{"anyOf": []any{schemaOf(t.Elem()), map[string]any{"type": "null"}}}
	case reflect.Struct:
		return structSchema(t)
	case reflect.Func: // written as what it gives
		return schemaOf(t.Out(0))
	case reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Array:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": schemaOf(t.Elem())}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Interface:
		return map[string]any{}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	}
	return map[string]any{"type": "integer"}
}

func structSchema(t reflect.Type) map[string]any {
	properties, required := map[string]any{}, []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			inner := structSchema(f.Type)
			for name, s := range inner["properties"].(map[string]any) {
				properties[name] = s
			}
			required = append(required, inner["required"].([]string)...)
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || !f.IsExported() {
			continue
		}
		properties[name] = schemaOf(f.Type)
		if options != "omitempty" {
			required = append(required, name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}
}
