package feature

import "slices"

// Only is the part of a schema that keep says yes to.
func (s *Schema) Only(keep func(name string) bool) *Schema {
	names := slices.DeleteFunc(slices.Clone(s.names), func(n string) bool { return !keep(n) })
	out := &Schema{byName: make(map[string]Decl, len(names)), names: names}
	for _, n := range names {
		out.byName[n] = s.byName[n]
	}
	return out
}

// Only is the set under a part of its schema, as Schema.Only gives it: for printing. What is set later is set in both.
func (s *Set) Only(part *Schema) *Set {
	out := *s
	out.schema = part
	return &out
}
