package kineto

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"perflint/detectors/trace"
)

// scanned is the tally, and the names and shapes of the ranges of text, read by one scanner.
func scanned(text string) (tally, []string) {
	b := append([]byte(text), make([]byte, padding)...)
	out := trace.NewBuilder("kineto")
	s := newScanner(out)
	s.b, s.end, s.final = b, len(text), true
	s.run(0)
	t := out.Build()
	var names []string
	for i, n := range t.Ranges.Name {
		names = append(names, t.Names.String(n)+" of "+t.Names.String(t.Ranges.Shape[i]))
	}
	return s.tally, names
}

// A scanner that has met the names before must read them as one that meets each for the first time.
func TestGuessedNamesAreWhatTheTextSays(t *testing.T) {
	names := []string{"aten::linear", "aten::linear_", "aten::addmm", "aten::add", "aten::mm", "mm", "", "forward(1): a", "forward(1): b",
		`a\\b\"c\u0041\ntail`, `b\\b\"c\u0041\ntail`, "raw\ncontrol tail", "row\ncontrol tail", `C:\Users\x tail`, "\xff\xfe not utf8",
		`an "unescaped" quote`, `another "unescaped" quote`, `two words`, `two words", "x": "two words`, "ProfilerStep#12", strings.Repeat("long ", 99)}
	dims := []string{"[[1, 2], []]", "[[1, 2], [], []]", "[[7]]", "[[1,\n 2]\n]", "7", `["a]", 1]`, "[[NaN]]", "[]"}
	r := rand.New(rand.NewPCG(3, 4))
	var all []string
	for at := range 3000 {
		name := names[(at+r.IntN(2)*r.IntN(len(names)))%len(names)] // the next one, mostly
		all = append(all, fmt.Sprintf(`{"ph": "X", "cat": "cpu_op", "name": "%s", "pid": 1, "tid": 2, "ts": %d, "dur": 1, "args": {"x": %d, "Input Dims": %s}%s}`,
			name, 10*at, at, dims[(at/3+r.IntN(2)*r.IntN(len(dims)))%len(dims)], []string{"", "", "", `, "name": "again"`}[r.IntN(4)]))
	}
	got, gotNames := scanned(strings.Join(all, ",\n"))
	want, wantNames := tally{}, []string(nil)
	for _, event := range all {
		one, name := scanned(event)
		want.add(&one)
		wantNames = append(wantNames, name...)
	}
	want.fixedAt, got.fixedAt = [16]int64{}, [16]int64{}
	if got != want {
		t.Errorf("tally %+v\nwant %+v", got, want)
	}
	if len(gotNames) != len(all) || strings.Join(gotNames, "\n") != strings.Join(wantNames, "\n") {
		t.Errorf("%d names, %d of one by one: they differ", len(gotNames), len(wantNames))
	}
}

// Values may change their length, and members their order and their white space, from one event to the next.
func TestStepsAreFoundHoweverTheyAreSpelled(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	space := func() string { return []string{"", " ", "\n    ", "\n\t", "  \r\n  "}[r.IntN(5)] }
	var all []string
	for at := range 3000 {
		members := []string{`"ph"~:~"X"`, `"cat"~:~"cpu_op"`, fmt.Sprintf(`"name"~:~"n%d"`, r.IntN(20)), []string{`"pid"~:~1`, `"p\u0069d"~:~1`}[r.IntN(2)], fmt.Sprintf(`"tid"~:~%d`, r.IntN(2000)),
			fmt.Sprintf(`"ts"~:~%d.%d`, 100*at, r.IntN(1000)), `"dur"~:~1`, `"a key of more than thirty-two bytes"~:~"x"`, `"args"~:~{~"Ev Idx"~:~7~,~"x"~:~{}~}`}[:8+r.IntN(2)]
		if at%4 == 0 {
			r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		}
		event := "{~" + strings.Join(members, "~,~") + "~}"
		for strings.Contains(event, "~") {
			event = strings.Replace(event, "~", space(), 1)
		}
		all = append(all, event)
	}
	got, _ := scanned(strings.Join(all, ","))
	want := tally{}
	for _, event := range all {
		one, _ := scanned(event)
		want.add(&one)
	}
	if got != want || got.events != len(all) || got.fixed != [16]int{} {
		t.Errorf("tally %+v\nwant %+v", got, want)
	}
}
