package trace

import (
	"fmt"
	"testing"
)

// Whatever is interned, adopted and picked, a string has one Text and a Text one string.
func TestNamesAreAsAMapHasThem(t *testing.T) {
	name := func(i int) string { return fmt.Sprint("name ", i*i%30_011) }
	one, two := NewNames(), NewNames()
	want := map[string]Text{"": 0}
	for i := range 20_000 {
		s := name(i)
		known, ok := want[s]
		got := one.Intern(s)
		if i%2 == 0 {
			got = one.InternBytes([]byte(s))
		}
		if !ok {
			known = Text(len(want))
			want[s] = known
		}
		if got != known || one.String(got) != s || one.Len() != len(want) {
			t.Fatalf("%q is %d, %q of %d; want %d", s, got, one.String(got), one.Len(), known)
		}
		two.Intern(name(i + 5000))
	}
	now := one.adopt(two)
	for i, at := range now {
		if one.String(at) != two.String(Text(i)) || one.Intern(two.String(Text(i))) != at {
			t.Fatalf("%q became %q", two.String(Text(i)), one.String(at))
		}
	}
	order := []Text{0, now[len(now)-1], now[3000], now[7]}
	some := one.picked(order)
	for i, at := range order {
		if s := one.String(at); some.String(Text(i)) != s || some.Intern(s) != Text(i) {
			t.Errorf("%q is %q", s, some.String(Text(i)))
		}
	}
	if n := some.Intern("another"); int(n) != len(order) || some.Len() != len(order)+1 {
		t.Errorf("a new name is %d of %d", n, some.Len())
	}
}
