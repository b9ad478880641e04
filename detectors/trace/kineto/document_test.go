package kineto

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"perflint/detectors/trace"
)

func TestTopLevelKeysInAnyOrder(t *testing.T) {
	props := `"deviceProperties": [{"id": 0, "name": "NVIDIA H100", "totalGlobalMem": 102085492736, "computeMajor": 9, "computeMinor": 0, "numSms": 132}, {"id": 1, "name": ""}]`
	dist := `"distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 8, "pg_count": 1, "pg_config": [{"pg_name": "0", "pg_desc": "default_pg", "backend_config": "cuda:nccl", "pg_size": 8, "ranks": [0, 1]}], "nccl_version": "2.22.3"}`
	list := `"traceEvents": [` + kernel + `]`
	for _, order := range [][]string{{props, dist, list}, {list, dist, props}, {dist, list, props}, {`"INFO": ["a }{ \" b"]`, list, `"x": -1.5e3`, dist, `"y": null`, props}} {
		got := read(t, "{\n"+strings.Join(order, ",\n ")+"}")
		silent(t, got)
		want := []trace.Device{{ID: 0, Name: "NVIDIA H100", Major: 9, SMs: 132, Memory: 102085492736}, {ID: 1}}
		if !slices.Equal(got.Devices, want) || got.Rank != 3 || got.WorldSize != 8 || got.Backend != "nccl" || got.Work.Len() != 1 {
			t.Errorf("%+v", got.Meta)
		}
		if g := got.Groups[0]; g.Name != "0" || g.Desc != "default_pg" || g.Backend != "cuda:nccl" || g.Size != 8 || !slices.Equal(g.Ranks, []int{0, 1}) {
			t.Errorf("%+v", got.Groups)
		}
	}
}

func TestDistributedInfoWithHoles(t *testing.T) {
	for _, c := range []struct {
		info        string
		rank, world int
		backend     string
		groups      int
	}{
		{`{"rank": 0}`, 0, -1, "", 0}, {`{"backend": "nccl"}`, -1, -1, "nccl", 0}, {`{}`, -1, -1, "", 0}, {`null`, -1, -1, "", 0},
		{`{"backend": "cpu:gloo,cuda:NCCL"}`, -1, -1, "cpu:gloo,cuda:nccl", 0}, {`{"backend": "nccl token=x"}`, -1, -1, "other", 0},
		{`{"rank": "5", "world_size": "16", "pg_config": null}`, 5, 16, "", 0},
		{`{"rank": 1, "pg_config": [{"pg_name": 0, "ranks": "[0, 1]"}, {}]}`, 1, -1, "", 2},
		{`{"rank": 1, "backend": null, "pg_config": "[{\"pg_name\": \"0\"}]"}`, 1, -1, "", 1},
	} {
		got := read(t, `{"distributedInfo": `+c.info+`, "traceEvents": [`+kernel+`]}`)
		if got.Rank != c.rank || got.WorldSize != c.world || got.Backend != c.backend || len(got.Groups) != c.groups {
			t.Errorf("%s: %+v", c.info, got.Meta)
		}
		if c.groups == 2 && (got.Groups[0].Name != "0" || !slices.Equal(got.Groups[0].Ranks, []int{0, 1})) {
			t.Errorf("%+v", got.Groups)
		}
	}
}

func TestLongValuesArePassedOver(t *testing.T) {
	for _, value := range []string{`"` + strings.Repeat(`ab\\\"`, 100) + `"`, `[{"a": "]}\\"}, ["\""], 1.5, null]`, `-12.5e3`, `{"a": {"b": {}}}`, `""`, `"\\"`} {
		for size := 40; size < 70; size++ {
			got, err := Read(strings.NewReader(`{"x": `+value+`, "INFO": [`+value+`], "traceEvents": [`+kernel+`], "nodes": `+value+`}`), Options{window: size})
			if err != nil || got.Work.Len() != 1 || len(got.Notes) > 0 {
				t.Fatalf("%.50s by %d: %v", value, size, err)
			}
		}
	}
}

func TestBareListOfEvents(t *testing.T) {
	if got := read(t, "[\n"+launch+","+kernel+"]\n"); got.Work.Len() != 1 || got.Work.Call[0] != 0 || len(got.Notes) > 0 {
		t.Errorf("%q", got.Notes)
	}
}

func TestEnvironmentGivesOnlyNames(t *testing.T) {
	got := read(t, `{"metadata": {"system": {"cpu": "x", "env": {"HF_TOKEN": "hf_verysecretvalue", "PATH": "/usr/bin", "WANDB_API_KEY": "0123456789abcdef",
		"EMPTY_TOKEN": "", "TOKENIZERS_PARALLELISM": "false", "PLAIN": "ghp_0123456789abcdef", "nested": {"DB_PASSWORD": "x"}}}, "list": ["A=1"]},
		"env": ["AWS_SECRET_ACCESS_KEY=verysecretvalue", "HOME=/root"], "INFO": ["env SOME_TOKEN=verysecretvalue"], "username": "someone",
		"traceEvents": [`+kernel+`]}`)
	want := []string{"DB_PASSWORD", "HF_TOKEN", "PLAIN", "WANDB_API_KEY"}
	if !got.HasEnv || !slices.Equal(got.Credentials, want) {
		t.Errorf("%v %q", got.HasEnv, got.Credentials)
	}
	for i := range got.Names.Len() {
		if s := got.Names.String(trace.Text(i)); strings.Contains(s, "secret") || strings.Contains(s, "someone") {
			t.Errorf("kept %q", s)
		}
	}
	if s := fmt.Sprintf("%+v", *got); strings.Contains(s, "verysecret") || strings.Contains(s, "someone") {
		t.Error("a value was kept")
	}
	if clean := events(t, kernel); clean.HasEnv || len(clean.Credentials) > 0 {
		t.Error("environment from nowhere")
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ text, why string }{
		{"", "is empty"}, {" \n\t", "is empty"}, {"<!DOCTYPE html><html>", `starts with "<!DOCTYPE ht"`}, {"hello", `starts with "hello"`},
		{"SQLite format 3\x00....", "is an SQLite database"}, {"\xff\xfe{\x00", "is UTF-16 text"}, {"{ hello }", "starts with"},
		{"{}", "holds JSON without traceEvents"}, {`{"a": {"traceEvents": []}}`, "holds JSON without traceEvents"},
		{`{"schema": "1.0.2-chakra.0.0.4", "pid": 1, "nodes": [{"id": 1}]}`, "is an execution trace of PyTorch"},
		{`{"rocprofiler-sdk-tool": [{"metadata": {}}]}`, "holds the JSON of rocprofv3"},
		{`[[1, 2], [3, 4]]`, "holds a JSON list, but not of trace events"}, {`[1, 2]`, "holds a JSON list"}, {`[]`, "holds an empty JSON list"},
		{`[{"a": 1}]`, "holds a list of JSON objects that are no trace events"},
		{`{"traceEvents": {}}`, "traceEvents is no list"}, {`{"traceEvents": null}`, "traceEvents is no list"},
		{`{"traceEvents": [{"ph": "X", "cat": "PERF", "name": "a", "ts": 1, "dur": 1}]}`, "is a Chrome trace of another program"},
		{`{"traceEvents": [{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "/device:GPU:0"}}, {"ph": "X", "name": "a", "ts": 1, "dur": 1}]}`, "is a trace of TensorFlow or JAX"},
		{`[{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "Ascend Hardware"}}, {"ph": "X", "cat": "cpu_op", "name": "a", "ts": "1.5", "dur": 1}]`, "is a trace of an Ascend NPU"},
		{`{"schemaVersion": 1, "deviceProperties": [`, "before any trace event: it was cut"}, {`{"a": 1 "b"`, "cut"}, {`{"schemaVersion": 1} `, "without traceEvents"},
		{`{"a": 1, 7: 8, "traceEvents": []}`, "is no valid JSON: byte 9 (line 1)"}, {"{\"a\" 1}", "is no valid JSON"},
		{"\x1f\x8b\x08broken", "is a damaged gzip file"},
	} {
		_, err := Read(strings.NewReader(c.text), Options{})
		if !errors.Is(err, ErrNotTrace) || !strings.Contains(err.Error(), c.why) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", c.text, err, c.why)
		}
	}
	for _, text := range []string{`{"traceEvents": []}`, `{"schemaVersion": 1, "traceEvents": [], "traceName": "x"}`} {
		if got := read(t, text); got.Work.Len()+got.Calls.Len() != 0 {
			t.Error("rows from nothing")
		}
	}
}

func TestTextBehindTheTrace(t *testing.T) {
	got := read(t, `{"traceEvents": [`+kernel+`] @ 7}`)
	noted(t, got, "dropped", "is no JSON and was not read")
	if len(got.Notes) != 1 {
		t.Errorf("notes %v", got.Notes)
	}
	for _, text := range []string{`{"traceEvents": [` + kernel + `]}`, `[` + kernel + `]`} {
		if got := read(t, text+" \n"); len(got.Notes) != 0 {
			t.Errorf("notes %v", got.Notes)
		}
		noted(t, read(t, text+"\n{}"), "dropped", "more follows the end of the trace at byte")
	}
	got = read(t, `{"traceEvents": [`+kernel+`], "traceEvents": [`+launch+`]}`)
	noted(t, got, "repaired", "traceEvents stands more than once")
	got = read(t, `{"traceEvents": [`+kernel+`], "traceEvents": [], "traceEvents": [`+launch+`]}`)
	if len(got.Notes) != 1 {
		t.Errorf("one thing is noted once, not as %v", got.Notes)
	}
	if got.Calls.Len() != 1 || got.Work.Len() != 1 {
		t.Error("rows")
	}
}

func zipped(parts ...string) []byte {
	var b bytes.Buffer
	for _, p := range parts {
		z := gzip.NewWriter(&b)
		io.WriteString(z, p)
		z.Close()
	}
	return b.Bytes()
}

func TestGzip(t *testing.T) {
	text := `{"traceEvents": [` + launch + "," + kernel + `]}`
	packed := zipped(text)
	for _, c := range []struct {
		name      string
		data      []byte
		code, why string
		cut       bool
	}{
		{"whole", packed, "", "", false},
		{"two members", zipped(text[:100], text[100:]), "gzip", "2 gzip members", false},
		{"no checksum", packed[:len(packed)-8], "gzip", "ends in the middle", false},
		{"wrong checksum", append(slices.Clone(packed[:len(packed)-8]), make([]byte, 8)...), "gzip", "checksum", false},
		{"garbage behind", append(slices.Clone(packed), "garbage"...), "gzip", "no gzip data follow", false},
		{"zeros behind", append(slices.Clone(packed), make([]byte, 512)...), "gzip", "no gzip data follow", false},
		{"cut", packed[:len(packed)-20], "cut", "", true},
		{"damaged", append(slices.Clone(packed[:len(packed)-40]), bytes.Repeat([]byte{0xff}, 40)...), "gzip", "", true},
	} {
		got, err := Read(bytes.NewReader(c.data), Options{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got.Cut != c.cut || !c.cut && (got.Work.Len() != 1 || got.Calls.Len() != 1) {
			t.Errorf("%s: cut %v, %d activities, %q", c.name, got.Cut, got.Work.Len(), got.Notes)
		}
		if c.code == "" {
			silent(t, got)
		} else {
			noted(t, got, c.code, c.why)
		}
	}
	if _, err := Read(bytes.NewReader(zipped("<html>")), Options{}); !errors.Is(err, ErrNotTrace) {
		t.Errorf("packed HTML: %v", err)
	}
}

// failing is a disk that breaks.
type failing struct{ io.Reader }

var errDisk = errors.New("input/output error")

func (f failing) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if err == io.EOF {
		err = errDisk
	}
	return n, err
}

func TestErrorsOfTheFileAreErrors(t *testing.T) {
	text := `{"traceEvents": [` + launch + "," + kernel
	for _, data := range [][]byte{[]byte(text), []byte(text + "]}"), zipped(text)[:60], nil} {
		if _, err := Read(failing{bytes.NewReader(data)}, Options{}); !errors.Is(err, errDisk) {
			t.Errorf("%v", err)
		}
	}
}

func TestProgressCountsTheFile(t *testing.T) {
	packed, last := zipped(`{"traceEvents": [`+kernel+`]}`), int64(0)
	if _, err := Read(bytes.NewReader(packed), Options{Progress: func(n int64) { last = n }}); err != nil || last != int64(len(packed)) {
		t.Errorf("%d of %d bytes, %v", last, len(packed), err)
	}
}

func TestBuffersThatEndAnywhere(t *testing.T) {
	text := `{"schemaVersion": 1, "traceEvents": [` + launch + ", " + kernel + "," + frame(`a\"b`) + `], "distributedInfo": {"rank": 2}}`
	for size := 1; size < 40; size++ {
		got, err := Read(&trickle{[]byte(text), size}, Options{})
		if err != nil || got.Rank != 2 || got.Work.Len() != 1 || got.Calls.Len() != 1 || got.Ranges.Len() != 1 || len(got.Notes) > 0 {
			t.Fatalf("by %d bytes: %v", size, err)
		}
	}
}

// trickle gives a few bytes a time.
type trickle struct {
	left []byte
	size int
}

func (r *trickle) Read(p []byte) (int, error) {
	if len(r.left) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.left[:min(r.size, len(r.left))])
	r.left = r.left[n:]
	return n, nil
}
