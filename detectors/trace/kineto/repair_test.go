package kineto

import (
	"fmt"
	"strings"
	"testing"
)

// frame is a Python frame with that raw text between the quotes of its name.
func frame(name string) string {
	return `{"ph": "X", "cat": "python_function", "name": "` + name + `", "pid": 1, "tid": 1, "ts": 1, "dur": 2, "args": {"Python id": 3}}`
}

func TestRepairs(t *testing.T) {
	for _, c := range []struct{ name, event, frame, note string }{
		{"nothing", frame("a.py(1): f"), "a.py(1): f", ""},
		{"escapes", frame(`a\u00e9\ud83d\ude00\"\\\/\n`), "aé😀\"\\/\n", ""},
		{"lone surrogate", frame(`\ud83dx`), "\uFFFDx", ""},
		{"unescaped quotes", frame(`<lambda "x"> of "y": z`), `<lambda "x"> of "y": z`, "an unescaped quote"},
		{"unescaped quote before a comma", frame(`f("a", "b")`), `f("a", "b")`, "an unescaped quote"},
		{"raw line break", frame("a\nb"), "a\nb", "a raw control character"},
		{"raw NUL", frame("a\x00b"), "a\x00b", "a raw control character"},
		{"raw control characters in words of eight", frame("12345678\x01234567\x02"), "12345678\x01234567\x02", "a raw control character"},
		{"Windows path", frame(`torch\cuda\__init__.py(1): f`), `torch\cuda\__init__.py(1): f`, "a backslash that escapes nothing"},
		{"Windows path that looks escaped", frame(`C:\torch\nn\utils.py`), `C:\torch\nn\utils.py`, "a backslash that escapes nothing"},
		{"Windows path, escaped", frame(`torch\\cuda\\__init__.py`), `torch\cuda\__init__.py`, ""},
		{"invalid UTF-8", frame("a\xffb"), "a\uFFFDb", "invalid UTF-8"},
		{"missing comma", `{"ph": "X" "cat": "python_function" "name": "f", "pid": 1, "tid": 1, "ts": 1, "dur": 2}`, "f", "a missing or a spare comma"},
		{"spare comma", `{"ph": "X",, "cat": "python_function", "name": "f", "pid": 1, "tid": 1, "ts": 1, "dur": 2,}`, "f", "a missing or a spare comma"},
		{"duplicate key", strings.Replace(frame("f"), `"ph"`, `"name": "e", "ph"`, 1), "f", "a duplicate key"},
		{"category twice", `{"cat":"overhead","args":{"correlation":1},"ph":"X","cat":"python_function","name":"f","pid":1,"tid":1,"ts":1,"dur":2}`, "f", "a duplicate key"},
		{"time as text", strings.Replace(frame("f"), `"ts": 1`, `"ts": "1"`, 1), "f", "a time written as text"},
		{"key without its quote", strings.Replace(frame("f"), `"tid": 1`, `tid": 1`, 1), "f", "a key without its quote"},
		{"NaN", strings.Replace(frame("f"), `"pid"`, `"x": NaN, "y": -inf, "z": Infinity, "pid"`, 1), "f", "a number that JSON cannot write"},
		{"escaped keys", strings.Replace(frame("f"), `"name"`, `"n\u0061me"`, 1), "f", ""},
		{"escaped phase", strings.Replace(frame("f"), `"X"`, `"\u0058"`, 1), "f", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := events(t, c.event, launch)
			if got.Ranges.Len() != 1 || got.Calls.Len() != 1 {
				t.Fatalf("%d frames, %d calls, notes %q", got.Ranges.Len(), got.Calls.Len(), got.Notes)
			}
			if name := got.Names.String(got.Ranges.Name[0]); name != c.frame {
				t.Errorf("frame %q, want %q", name, c.frame)
			}
			if got.Ranges.Start[0] != 0 || got.Ranges.End[0] != 2000 {
				t.Errorf("times %d %d", got.Ranges.Start[0], got.Ranges.End[0])
			}
			if c.note == "" {
				silent(t, got)
			} else {
				noted(t, got, "repaired", "1 event with "+c.note)
			}
		})
	}
}

func TestRepairOfArguments(t *testing.T) {
	got := events(t, strings.Replace(kernel, `"queued": 0`, `"queued": nan, "kernel": "f("a")", "list": ["a "b" c", {"k": "x "y" z"}]`, 1), launch)
	if got.Work.Len() != 1 || got.Work.Call[0] != 0 {
		t.Fatalf("notes %q", got.Notes)
	}
	noted(t, got, "repaired", "an unescaped quote")
	got = events(t, strings.Replace(kernel, `"blocks per SM": 1.5`, `"blocks per SM": inf`, 1))
	if got.Work.BlocksPerSM(0) != -1 {
		t.Error("infinite blocks per SM")
	}
	noted(t, got, "repaired", "a number that JSON cannot write")
}

func TestMissingCommaBetweenEvents(t *testing.T) {
	got := read(t, `{"traceEvents":[`+launch+"\n"+kernel+`,]}`)
	if got.Work.Len() != 1 || got.Calls.Len() != 1 {
		t.Error("rows")
	}
	noted(t, got, "repaired", "2 events with a missing or a spare comma")
}

func TestBrokenEventIsDroppedAlone(t *testing.T) {
	for _, broken := range []string{
		`{"ph": "X", "cat": "kernel", "name": }`,
		`{"ph": "X", "cat": "kernel", "args": {"a": 1, "name": "k"`,
		`{"ph": "X", "cat": "overhead", "args": {"a": {"name": "k"`,
		`{"ph": "X", "cat": "kernel", "name": "k}`,
		`{"ph" "X"}`, `{7: 8}`, `{"ph": @}`,
	} {
		got := events(t, launch, broken, kernel, frame("f"))
		if got.Work.Len() != 1 || got.Calls.Len() != 1 || got.Ranges.Len() != 1 || got.Cut {
			t.Errorf("%s: %d %d %d cut %v %q", broken, got.Work.Len(), got.Calls.Len(), got.Ranges.Len(), got.Cut, got.Notes)
		}
		noted(t, got, "dropped", "events could not be read at 1 place")
	}
}

func TestByteOrderMark(t *testing.T) {
	got := read(t, "\xef\xbb\xbf  {\"traceEvents\": ["+kernel+"]}")
	if got.Work.Len() != 1 {
		t.Error("rows")
	}
	noted(t, got, "repaired", "byte-order mark")
}

func TestCutFileKeepsWholeEvents(t *testing.T) {
	whole := `{"schemaVersion": 1, "traceEvents": [` + launch + ",\n" + kernel + ",\n" + frame("f") + "\n], \"traceName\": \"x\"}"
	start := strings.Index(whole, "[") + 1
	ends := []int{}
	for _, e := range []string{launch, kernel, frame("f")} {
		ends = append(ends, strings.Index(whole, e)+len(e))
	}
	for n := start; n < len(whole); n++ {
		got := read(t, whole[:n])
		want := 0
		for _, end := range ends {
			if n >= end {
				want++
			}
		}
		if rows := got.Work.Len() + got.Calls.Len() + got.Ranges.Len(); rows != want || !got.Cut {
			t.Fatalf("cut at %d: %d rows, want %d, cut %v", n, rows, want, got.Cut)
		}
		noted(t, got, "cut", fmt.Sprintf("at byte %d (line %d)", n, 1+strings.Count(whole[:n], "\n")))
		noted(t, got, "cut", fmt.Sprintf("%d event", want))
	}
	for n := range start {
		if _, err := Read(strings.NewReader(whole[:n]), Options{}); err == nil {
			t.Fatalf("cut at %d, before any event: no error", n)
		}
	}
	if got := read(t, whole); got.Cut || len(got.Notes) > 0 {
		t.Errorf("whole: %q", got.Notes)
	}
}

func TestHostileTextTakesLinearTime(t *testing.T) {
	const n = 1 << 21
	for name, unit := range map[string]string{
		"events that open and never close": `{"ph":"X","args":{`, "open lists": `[`, "open strings": `{"name":"`, "quotes": `"`,
		"backslashes": `\`, "open arguments": `{"ph":"M","args":{"a":[`, "keys": `{"ph":"X",`, "braces": `{`, "commas": `,`,
		"quoted quotes": `{"name":"a" "b`, "events of another kind": `},{"ph"`,
	} {
		t.Run(name, func(t *testing.T) {
			Read(strings.NewReader(`{"schemaVersion":1,"traceEvents":[`+strings.Repeat(unit, n/len(unit))), Options{})
		})
	}
}
