package kineto

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"perflint/detectors/trace"
)

// comparable is a trace without what no one can see: the hash table of its names.
func comparable(t *trace.Trace) any {
	names := make([]string, t.Names.Len())
	for i := range names {
		names[i] = t.Names.String(trace.Text(i))
	}
	c := *t
	c.Names = nil
	return []any{names, c}
}

// sameByAll reads text on one core and on several, in pieces of several sizes.
func sameByAll(t *testing.T, text []byte, sizes ...int) *trace.Trace {
	t.Helper()
	one, err := Read(bytes.NewReader(text), Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	want := comparable(one)
	for _, size := range sizes {
		for _, workers := range []int{1, 2, 3} {
			many, err := Read(bytes.NewReader(text), Options{Workers: workers, window: size})
			if err != nil {
				t.Fatal(err)
			}
			if got := comparable(many); !reflect.DeepEqual(got, want) {
				differences(t, many, one)
				t.Fatalf("%d workers, pieces of %d bytes: another trace", workers, size)
			}
		}
	}
	return one
}

func differences(t *testing.T, got, want *trace.Trace) {
	t.Helper()
	g, w := reflect.ValueOf(*got), reflect.ValueOf(*want)
	for i := range g.NumField() {
		if name := g.Type().Field(i).Name; name != "Names" && !reflect.DeepEqual(g.Field(i).Interface(), w.Field(i).Interface()) {
			t.Errorf("%s:\n%.300s\nwant\n%.300s", name, fmt.Sprintf("%+v", g.Field(i)), fmt.Sprintf("%+v", w.Field(i)))
		}
	}
}

// layout writes n events as a tool would; kinds of events, names and times vary.
func layout(n int, sep, open, colon string, defect func(i int, event string) string) string {
	var b strings.Builder
	r := rand.New(rand.NewPCG(7, 8))
	for i := range n {
		at, corr := i*10, i/3
		var e string
		switch i % 6 {
		case 0:
			e = fmt.Sprintf(`{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": %d, "tid": 4, "ts": %d.5, "dur": 3, "args": {"correlation": %d}}`, 9+i%2, at, corr)
		case 1:
			e = fmt.Sprintf(`{"ph": "X", "cat": "kernel", "name": "k%d }, {\"ph\": x", "pid": 0, "tid": 7, "ts": %d, "dur": 5.125, "args": {"stream": %d, "device": 0, "correlation": %d, "grid": [1, 2, 3]}}`, r.IntN(50), at, i%4, corr)
		case 2:
			e = fmt.Sprintf(`{"name": "thread_name", "ph": "M", "pid": 9, "tid": %d, "ts": 0, "args": {"name": "t%d"}}`, r.IntN(5), i)
		case 3:
			e = fmt.Sprintf(`{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 9, "tid": %d, "ts": %d, "dur": 9, "args": {"Input Dims": [[%d]], "list": [{"a": 1}, {"name": 2}, {"ph": "X"}]}}`, r.IntN(5), at/100*100, r.IntN(9))
		case 4:
			e = fmt.Sprintf(`{"ph": "s", "id": %d, "pid": 9, "tid": 4, "ts": %d, "cat": "ac2g", "name": "ac2g"}`, i, at)
		case 5:
			e = fmt.Sprintf(`{"args": {"Python id": %d}, "cat": "python_function", "dur": 2, "name": "f%d.py(1): g", "ph": "X", "pid": 9, "tid": 1, "ts": %d}`, i, r.IntN(99), at/100*100)
		}
		if defect != nil {
			e = defect(i, e)
		}
		if i > 0 {
			b.WriteString("," + sep)
		}
		b.WriteString(strings.NewReplacer(`{"`, "{"+open+`"`, `": `, `"`+colon).Replace(e))
	}
	return b.String()
}

func TestManyWorkersReadTheSameTrace(t *testing.T) {
	head, tail := `{"schemaVersion": 1, "with_stack": 1, "traceEvents": [`, `], "distributedInfo": {"rank": 3}, "x": [{"ph": 1}, {"ph": 2}]}`
	sizes := []int{100, 333, 1000, 4096, 20000}
	for name, body := range map[string]string{
		"as Kineto writes":  layout(3000, "\n  ", "\n    ", ": ", nil),
		"on one line":       layout(3000, "", "", ":", nil),
		"spread":            layout(600, "\n\n\t  ", "\n \t ", "  :\r\n ", nil),
		"missing quotes":    layout(3000, "\n", "", ": ", every(97, `"name": "`, `"name": "a "b`)),
		"missing brackets":  layout(3000, "\n", "", ": ", every(211, `}`, ``)),
		"not a number":      layout(3000, "\n", "", ": ", every(5, `"dur": `, `"dur": NaN, "x": `)),
		"missing commas":    layout(3000, "\n", "", ": ", every(7, `, "`, ` "`)),
		"nonsense":          layout(3000, "\n", "", ": ", every(301, `"ph"`, `@@`)),
		"duplicates":        layout(3000, "\n", "", ": ", every(11, `"ph": "X"`, `"ph": "i", "ph": "X"`)),
		"raw line breaks":   layout(3000, "\n", "", ": ", every(13, `"name": "`, "\"name\": \"},\n{")),
		"nested look-alike": layout(3000, "\n", "", ": ", every(17, `"args": {`, `"args": {"l": [{"z": 1}, {"ph": "X", "cat": "kernel", "ts": 1, "dur": 1}], `)),
	} {
		t.Run(name, func(t *testing.T) {
			whole := head + body + tail
			one := sameByAll(t, []byte(whole), sizes...)
			if one.Rank != 3 || one.Work.Len() < 80 {
				t.Errorf("rank %d, %d activities, %q", one.Rank, one.Work.Len(), one.Notes)
			}
			sameByAll(t, []byte(head+body), sizes...)
			sameByAll(t, []byte(whole[:len(whole)*2/3]), sizes...)
			sameByAll(t, []byte("["+body+"]"), sizes...)
		})
	}
}

// every puts a defect into each n-th event.
func every(n int, old, new string) func(int, string) string {
	return func(i int, event string) string {
		if i%n != n-1 {
			return event
		}
		return strings.Replace(event, old, new, 1)
	}
}

func TestManyWorkersAndGzip(t *testing.T) {
	text := `{"schemaVersion": 1, "traceEvents": [` + layout(20000, "\n", "", ": ", nil) + `], "distributedInfo": {"rank": 3}}`
	packed := zipped(text[:1000], text[1000:50000], text[50000:])
	one := sameByAll(t, packed, 5000, 60000)
	if one.Rank != 3 {
		t.Errorf("rank %d", one.Rank)
	}
	noted(t, one, "gzip", "3 gzip members")
	cut := sameByAll(t, packed[:len(packed)/2], 5000, 60000)
	if !cut.Cut || cut.Work.Len() == 0 {
		t.Errorf("cut %v, %d activities", cut.Cut, cut.Work.Len())
	}
	if _, err := Read(failing{bytes.NewReader(packed[:len(packed)/2])}, Options{Workers: 3, window: 5000}); err == nil {
		t.Error("the disk's error is lost")
	}
}

func TestNoGoroutineStays(t *testing.T) {
	before := runtime.NumGoroutine()
	text := `{"traceEvents": [` + layout(5000, "\n", "", ": ", nil)
	for _, tail := range []string{"]}", "", "] @", "], \"x\": [" + strings.Repeat("1,", 100000) + "1]}"} {
		Read(strings.NewReader(text+tail), Options{Workers: 3, window: 1000})
		Read(failing{strings.NewReader(text + tail)}, Options{Workers: 3, window: 1000})
	}
	for i := 0; runtime.NumGoroutine() > before; i++ {
		if i > 1e6 {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		runtime.Gosched()
	}
}

func TestCorpusByManyWorkers(t *testing.T) {
	corpus(t, func(t *testing.T, path string, refused bool) {
		if text := unpacked(t, path); !refused && len(text) < 5<<20 {
			sameByAll(t, text, 100_000)
		}
	})
}
