package feature

import (
	"slices"
	"testing"
)

func TestOnlyKeepsValuesAndReasons(t *testing.T) {
	schema, err := NewSchema(Decl{Name: "a.x", Type: Int}, Decl{Name: "a.y", Type: Int}, Decl{Name: "b.x", Type: Int})
	if err != nil {
		t.Fatal(err)
	}
	set := NewSet(schema, Lane{GPU: 3})
	set.Int("a.x", 7)
	set.Missing("not there", "a.y")
	part := schema.Only(func(name string) bool { return Namespace(name) == "a" })
	got := set.Only(part)
	v, ok := got.Get("a.x")
	if !slices.Equal(got.Schema().Names(), []string{"a.x", "a.y"}) || v != int64(7) || !ok || got.Reason("a.y") != "not there" || got.Lane.GPU != 3 {
		t.Errorf("%v %v %q", got.Schema().Names(), v, got.Reason("a.y"))
	}
	if _, ok := part.Lookup("b.x"); ok || len(schema.Names()) != 3 {
		t.Error("b.x is still there, or was taken from the whole")
	}
}
