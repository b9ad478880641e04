package kineto

import (
	"bytes"
	"encoding/json"
	"testing"
)

func seed(f *testing.F) {
	for _, s := range []string{launch, kernel, launch + "," + kernel, frame(`a\u00e9\\b`), frame("a\nb\xff"), `{"ph":"X","ph":"i"}`,
		`{"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":1,"tid":1,"ts":5,"args":{"Bytes":-512,"Total Allocated":1024,"Device Type":1,"Device Id":1}}`,
		`{"args":{"Input Dims":[[2,3],[]],"stream":"stream 7","x":{"y":[{"z":"}"}]}},"dur":"1.5","ts":-1e3,"tid":"7","pid":2,"name":"aten::add","cat":"Operator","ph":"X"}`,
		`{"cat":"gpu_memcpy","ph":"X","name":"Memcpy HtoD (Pageable -> Device)","ts":12345.678,"dur":0.5,"args":{"bytes":1e3,"device":1,"context":"0x1f"}}`,
		`{"ph": "s", "id": 7, "pid": 9, "tid": 9, "ts": 0.5, "cat": "ac2g", "name": "ac2g"}`,
		`{"ph":"X","cat":"cuda_runtime","name":"hipLaunchKernel","pid":1,"tid":2,"ts":5,"dur":1,"args":{"kernel":"f(a)","grid":[1,2],"correlation":7}}`,
		`{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 2, "ts": 5, "dur": 1, "args": {"Input type": ["a", "ms"], "Input Dims": [[1, 2], []], "Ev Idx": 3}}`,
		`{"ph":"X","cat":"cuda_sync","name":"Stream Sync","pid":1,"tid":1000007,"ts":1,"dur":1,"args":{"correlation":7}}`,
		`{"cat":"overhead","args":{"correlation":1},"ph":"X","cat":"python_function","name":"f","ts":1,"dur":2},null,[{}],7`,
	} {
		f.Add([]byte(s))
	}
}

func FuzzAgreesWithEncodingJSON(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		text := append(append([]byte(`{"schemaVersion":1,"traceEvents":[`), data...), "]}"...)
		if !json.Valid(text) {
			return
		}
		got, err := Read(bytes.NewReader(text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		var top struct{ TraceEvents []json.RawMessage }
		if json.Unmarshal(text, &top) != nil || bytes.Count(text, []byte("traceEvents")) > 1 {
			return // the data closed the list and opened others
		}
		sameRows(t, got, text)
	})
}

func FuzzReadsAnything(f *testing.F) {
	seed(f)
	f.Add([]byte(`{"schemaVersion":1,"traceEvents":[` + kernel))
	f.Add([]byte(`{"deviceProperties":[{"id":0}],"distributedInfo":{"rank":0,"pg_config":[{"ranks":"[0]"}]},"metadata":{"env":{"A_TOKEN":"b"}},"traceEvents":[]}`))
	f.Add(zipped(`{"traceEvents":[`+launch, `]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Read(bytes.NewReader(data), Options{})
		if err == nil && got.Work.Len() != len(got.Work.Call) {
			t.Fatal("columns differ in length")
		}
	})
}

func FuzzWorkersAgree(f *testing.F) {
	seed(f)
	f.Add([]byte(layout(50, "\n", "\n  ", ": ", every(7, `}`, ``))))
	f.Add([]byte(layout(50, "", "", ":", every(5, `"name": "`, `"name": "a "b`))))
	// What was met before must not be believed where quotes may be missing: another scanner has not met it.
	f.Add([]byte(`{"cat":"python_function"},{"cat" :{}cat":"python_function"0`))
	f.Add([]byte(`{"ph":"X","name":"aten::mm","args":{"Input Dims":[[1]]}},{"ph":{}name":"aten::mm"0,"args":{"Input Dims":[[1]]0`))
	f.Fuzz(func(t *testing.T, data []byte) {
		text := append([]byte(`{"schemaVersion":1,"traceEvents":[`), data...)
		if _, err := Read(bytes.NewReader(text), Options{Workers: 1}); err != nil {
			t.Fatal(err)
		}
		sameByAll(t, text, 40, 150)
	})
}
