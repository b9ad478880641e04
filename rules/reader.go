package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"perflint/rules/source"
)

// field is one entry of a table that says what a YAML map may hold. The same table decodes, gives the JSON schema and the
// reference page.
type field[T any] struct {
	name, doc string
	shape     shape
	required  bool
	read      func(*reader, *source.Node, *T)
}

// shape is a JSON schema (draft-07) of a value.
type shape map[string]any

// reader decodes nodes and collects what is wrong with them.
type reader struct{ diags source.Diagnostics }

func (r *reader) report(n *source.Node, code, hint, format string, args ...any) {
	if n.Kind == source.Broken {
		return
	}
	r.diags = append(r.diags, n.Diag(code, fmt.Sprintf(format, args...), hint))
}

// decode fills into from a map by its table. A missing field is reported at the field at, or where the map begins.
func decode[T any](r *reader, n *source.Node, table []field[T], into *T, at string) {
	if n.Kind != source.Map {
		r.report(n, "wrong-type", "", "expected a map, got %s", n.Kind)
		return
	}
	meant := map[string]bool{} // fields that are there under a wrong name
	for _, f := range n.Fields {
		i := slices.IndexFunc(table, func(t field[T]) bool { return t.name == f.Key.Value })
		if i < 0 {
			r.report(f.Key, "unknown-field", source.DidYouMean(f.Key.Value, fieldNames(table)), "unknown field %s", f.Key.Value)
			meant[source.Suggest(f.Key.Value, fieldNames(table))] = true
			continue
		}
		if f.Value.Kind == source.Null {
			r.report(f.Key, "wrong-type", "", "%s has no value", f.Key.Value)
			continue
		}
		table[i].read(r, f.Value, into)
	}
	for _, t := range table {
		if t.required && n.Get(t.name) == nil && !meant[t.name] {
			where := n
			if id := n.Get(at); id != nil {
				where = id
			}
			r.report(where, "missing-field", "", "field %s is missing", t.name)
		}
	}
}

func fieldNames[T any](table []field[T]) []string {
	var out []string
	for _, f := range table {
		out = append(out, f.name)
	}
	return out
}

// into reads a value and puts it where at says.
func into[T, V any](read func(*reader, *source.Node) V, at func(*T) *V) func(*reader, *source.Node, *T) {
	return func(r *reader, n *source.Node, t *T) { *at(t) = read(r, n) }
}

// raw keeps the node for a later pass.
func raw(_ *reader, n *source.Node) *source.Node { return n }

// items keeps the nodes of a list for a later pass.
func items(r *reader, n *source.Node) []*source.Node {
	if n.Kind != source.List {
		r.report(n, "wrong-type", "", "expected a list, got %s", n.Kind)
		return nil
	}
	return n.Items
}

func text(r *reader, n *source.Node) string {
	if !n.Scalar() {
		hint := ""
		if n.Kind == source.Map {
			hint = "quote a text that begins with {"
		}
		r.report(n, "wrong-type", hint, "expected a text, got %s", n.Kind)
		return ""
	}
	return strings.TrimRight(n.Value, "\n")
}

func texts(r *reader, n *source.Node) []string {
	var out []string
	for _, item := range items(r, n) {
		out = append(out, text(r, item))
	}
	return out
}

func boolean(r *reader, n *source.Node) bool {
	if n.Kind != source.Bool {
		r.report(n, "wrong-type", "", "expected true or false, got %s", shown(n))
	}
	return n.Value == "true"
}

func positive(r *reader, n *source.Node) int {
	v, err := strconv.Atoi(n.Value)
	if err != nil || v < 1 {
		r.report(n, "wrong-type", "", "expected a whole number above 0, got %s", shown(n))
		return 1
	}
	return v
}

// word reads one of a closed list and gives its index.
func word(r *reader, n *source.Node, name string, words []string) int {
	i := slices.Index(words, n.Value)
	if i < 0 || !n.Scalar() {
		r.report(n, "wrong-type", source.DidYouMean(n.Value, words), "%s must be one of %s; got %s", name, strings.Join(words, ", "), shown(n))
		return 0
	}
	return i
}

// shown is how a message speaks of a wrong value.
func shown(n *source.Node) string {
	if !n.Scalar() {
		return n.Kind.String()
	}
	if len([]rune(n.Value)) > 40 {
		return string([]rune(n.Value)[:40]) + "…"
	}
	return n.Value
}
