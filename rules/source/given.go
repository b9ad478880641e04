package source

import "slices"

// Given is a text that stands in no file; its diagnostics name nothing but where it came from, such as --set.
func Given(origin, value string) *Node {
	return &Node{Kind: Text, Value: value, file: &file{path: origin}}
}

// ListOf is a list of nodes, which may come from several places.
func ListOf(origin string, items ...*Node) *Node {
	return &Node{Kind: List, Items: items, file: &file{path: origin}}
}

// At wraps a value into maps, the first name being that of the outermost.
func At(value *Node, path ...string) *Node {
	for _, name := range slices.Backward(path) {
		key := Given(value.file.path, name)
		value = &Node{Kind: Map, Fields: []Field{{key, value}}, file: value.file}
	}
	return value
}

// Merge lays one value over another: maps are merged field by field, everything else is replaced. What comes out keeps its
// places, so that each part of it still knows the file that it is from.
func Merge(under, over *Node) *Node {
	if under == nil || under.Kind != Map || over.Kind != Map {
		return over
	}
	out := *over
	out.Fields = slices.Clone(under.Fields)
	for _, f := range over.Fields {
		i := slices.IndexFunc(out.Fields, func(o Field) bool { return o.Key.Value == f.Key.Value })
		if i < 0 {
			out.Fields = append(out.Fields, f)
		} else {
			out.Fields[i] = Field{f.Key, Merge(out.Fields[i].Value, f.Value)}
		}
	}
	return &out
}

// Without is a map that lacks a field.
func (n *Node) Without(name string) *Node {
	out := *n
	out.Fields = slices.DeleteFunc(slices.Clone(n.Fields), func(f Field) bool { return f.Key.Value == name })
	return &out
}
