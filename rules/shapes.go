package rules

// JSON schema fragments of what fields hold.
var (
	textShape   = shape{"type": "string"}
	boolShape   = shape{"type": "boolean"}
	scalarShape = shape{"type": []string{"string", "number", "boolean"}}
	exprShape   = shape{"type": []string{"string", "number", "boolean"}}
)

func wordShape(words []string) shape { return shape{"enum": words} }

func listShape(of shape) shape { return shape{"type": "array", "items": of} }

func mapShape[T any](table []field[T]) shape {
	properties, required := shape{}, []string{}
	for _, f := range table {
		s := shape{"description": f.doc}
		for k, v := range f.shape {
			s[k] = v
		}
		properties[f.name] = s
		if f.required {
			required = append(required, f.name)
		}
	}
	s := shape{"type": "object", "additionalProperties": false, "properties": properties}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

var evidenceShape = shape{"anyOf": []shape{textShape, mapShape(evidenceFields)}}

func fixShape() shape { return shape{"anyOf": []shape{textShape, mapShape(fixFields)}} }

func holdShape() shape { return mapShape(holdFields) }

func paramsShape() shape {
	return shape{"type": "object", "additionalProperties": shape{"anyOf": []shape{scalarShape, mapShape(paramFields)}}}
}
