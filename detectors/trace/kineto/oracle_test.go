package kineto

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"perflint/detectors/trace"
)

// oracle reads the same text with encoding/json, written to be right and not fast, and prints each row as a line.
func oracle(text []byte) ([]string, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var top any
	if err := dec.Decode(&top); err != nil {
		return nil, err
	}
	list, ok := top.([]any)
	if m, isMap := top.(map[string]any); isMap {
		list, ok = m["traceEvents"].([]any)
	}
	if !ok {
		return nil, fmt.Errorf("no events")
	}
	var events []object
	calls := map[int64]bool{}
	for _, v := range list {
		if e, ok := v.(object); ok {
			events = append(events, e)
			if strings.HasPrefix(oracleRow(e, nil), "call ") {
				calls[oracleCorr(e)] = true
			}
		}
	}
	var rows []string
	for _, e := range events {
		if row := oracleRow(e, calls); row != "" {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// oracleCorr is the correlation id of an event, -1 where it has none.
func oracleCorr(e object) int64 {
	args, _ := e["args"].(object)
	return max(-1, oracleInt(args["correlation"], -1))
}

type object = map[string]any

// oracleRow is an event as a line. calls is the correlation ids of all calls.
func oracleRow(e object, calls map[int64]bool) string {
	args, _ := e["args"].(object)
	cat, _ := e["cat"].(string)
	name, _ := e["name"].(string)
	ts, hasTS := oracleTime(e["ts"])
	dur, hasDur := oracleTime(e["dur"])
	pid, _ := oracleID(e["pid"])
	tid, _ := oracleID(e["tid"])
	device, stream := pid, tid
	if v, ok := oracleID(args["device"]); ok {
		device = v
	}
	if v, ok := oracleID(args["stream"]); ok {
		stream = v
	}
	class := strings.ToLower(cat)
	if ph, _ := e["ph"].(string); ph == "i" || ph == "I" {
		if _, ok := oracleWhole(args["Bytes"]); ok && name == "[memory]" && hasTS && (categoryOf([]byte(cat)) == noCat || class == "cpu_instant_event") {
			on := int64(-1)
			if oracleInt(args["Device Type"], 0) != 0 {
				on = oracleInt(args["Device Id"], -1)
			}
			return fmt.Sprintf("memory %d %d %d %d %d", ts, oracleInt(args["Bytes"], 0), oracleInt(args["Total Allocated"], -1),
				oracleInt(args["Total Reserved"], -1), int32(on))
		}
		return ""
	} else if ph != "X" || !hasTS || !hasDur {
		return ""
	}
	dur = max(dur, 0)
	if ts+dur > maxTime {
		return ""
	}
	end := ts + dur
	switch class {
	case "kernel", "gpu_memcpy", "memcpy", "gpu_memset", "memset":
		if ts == 0 && dur == 0 {
			return ""
		}
		bytes := oracleInt(args["bytes"], -1)
		if class == "kernel" {
			bytes = -1
		}
		ctx, _ := oracleID(args["context"])
		corr := oracleCorr(e)
		linked := corr >= 0 && calls[corr]
		return fmt.Sprintf("work %d %d %t %q %d %d %d %d blocks %d", ts, end, linked, name, int32(device), stream, ctx, max(bytes, -1), oracleGrid(class, args["grid"]))
	case "cuda_runtime", "cuda_driver", "runtime":
		return fmt.Sprintf("call %d %d %q %d %d", ts, end, unversioned(name), pid, tid)
	case "cpu_op", "operator":
		dims := ""
		if v, ok := args["Input Dims"].([]any); ok {
			dims = fmt.Sprint(v)
		} else if v, ok := args["Input dims"].([]any); ok {
			dims = fmt.Sprint(v)
		}
		if marks([]byte(name)) {
			return fmt.Sprintf("range %d %d %q %d %d %d ", ts, end, name, pid, tid, trace.Annotation)
		}
		return fmt.Sprintf("range %d %d %q %d %d %d %s", ts, end, name, pid, tid, trace.Op, dims)
	case "user_annotation":
		return fmt.Sprintf("range %d %d %q %d %d %d ", ts, end, name, pid, tid, trace.Annotation)
	case "python_function":
		return fmt.Sprintf("range %d %d %q %d %d %d ", ts, end, name, pid, tid, trace.Frame)
	case "cuda_sync":
		return fmt.Sprintf("wait %d %d %d", ts, end, int32(device))
	case "overhead":
		return fmt.Sprintf("overhead %d %d %q", ts, end, name)
	}
	return ""
}

func oracleGrid(class string, v any) int64 {
	list, ok := v.([]any)
	if class != "kernel" || !ok || len(list) == 0 {
		return 0
	}
	p := int64(1)
	for _, x := range list {
		n, ok := x.(json.Number)
		if !ok {
			return 0
		}
		k, ok := oracleWhole(n)
		if !ok || k < 0 || k > 1<<31 || p > 1<<31 {
			return 0
		}
		p *= k
	}
	return p
}

// oracleTime is microseconds as nanoseconds, exactly.
func oracleTime(v any) (int64, bool) {
	ns, ok := rounded(v, 1000)
	return ns, ok && ns <= maxTime && ns >= -maxTime
}

func oracleWhole(v any) (int64, bool) { return rounded(v, 1) }

func rounded(v any, scale int64) (int64, bool) {
	s := ""
	switch v := v.(type) {
	case json.Number:
		s = v.String()
	case string:
		s = v
	default:
		return 0, false
	}
	if strings.TrimLeft(s, "+-.0123456789eE") != "" {
		return 0, false
	}
	if at := strings.IndexAny(s, "eE"); at >= 0 {
		if _, err := strconv.ParseFloat(s, 64); err != nil && !errors.Is(err, strconv.ErrRange) {
			return 0, false
		}
		e, err := strconv.Atoi(s[at+1:])
		if tiny := strings.HasPrefix(s[at+1:], "-"); err != nil || e > 400 || e < -400 {
			return 0, tiny || strings.Trim(s[:at], "+-.0") == ""
		}
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return 0, false
	}
	r.Mul(r, big.NewRat(scale, 1))
	num, den := new(big.Int).Abs(r.Num()), r.Denom()
	num.Mul(num, big.NewInt(2)).Add(num, den).Quo(num, new(big.Int).Mul(den, big.NewInt(2)))
	if r.Sign() < 0 {
		num.Neg(num)
	}
	return num.Int64(), num.IsInt64()
}

func oracleInt(v any, missing int64) int64 {
	if n, ok := oracleWhole(v); ok {
		return n
	}
	return missing
}

func oracleID(v any) (int64, bool) {
	if s, ok := v.(string); ok {
		return idOf([]byte(s)), true
	}
	return oracleWhole(v)
}

// lines prints the rows of a trace as the oracle does.
func lines(t *trace.Trace) []string {
	var rows []string
	o := int64(t.Origin)
	at := func(x int64) int64 { return x + o }
	w := &t.Work
	for i := range int32(w.Len()) {
		s := t.Streams[w.Stream[i]]
		rows = append(rows, fmt.Sprintf("work %d %d %t %q %d %d %d %d blocks %d", at(int64(w.Start[i])), at(int64(w.End[i])), w.Call[i] >= 0,
			t.Names.String(w.Name[i]), w.Device(i), s.Number, s.Context, w.Bytes(i), w.Blocks(i)))
	}
	c := &t.Calls
	for i := range c.Len() {
		th := t.Threads[c.Thread[i]]
		rows = append(rows, fmt.Sprintf("call %d %d %q %d %d", at(int64(c.Start[i])), at(int64(c.End[i])), t.Names.String(c.Name[i]), th.PID, th.TID))
	}
	r := &t.Ranges
	for i := range r.Len() {
		th := t.Threads[r.Thread[i]]
		shape := ""
		if r.Shape[i] != 0 {
			dec := json.NewDecoder(strings.NewReader(t.Names.String(r.Shape[i])))
			dec.UseNumber()
			var v any
			dec.Decode(&v)
			shape = fmt.Sprint(v)
		}
		rows = append(rows, fmt.Sprintf("range %d %d %q %d %d %d %s", at(int64(r.Start[i])), at(int64(r.End[i])), t.Names.String(r.Name[i]),
			th.PID, th.TID, r.Kind[i], shape))
	}
	for i := range t.Waits.Start {
		rows = append(rows, fmt.Sprintf("wait %d %d %d", at(int64(t.Waits.Start[i])), at(int64(t.Waits.End[i])), t.Waits.Device[i]))
	}
	for i := range t.Overheads.Start {
		rows = append(rows, fmt.Sprintf("overhead %d %d %q", at(int64(t.Overheads.Start[i])), at(int64(t.Overheads.End[i])),
			t.Names.String(t.Overheads.Name[i])))
	}
	m := &t.Memory
	for i := range m.At {
		rows = append(rows, fmt.Sprintf("memory %d %d %d %d %d", at(int64(m.At[i])), m.Bytes[i], m.Allocated[i], m.Reserved[i], m.Device[i]))
	}
	return rows
}

// sameRows compares what Read made of a text with what the oracle makes of it.
func sameRows(t *testing.T, got *trace.Trace, text []byte) {
	t.Helper()
	want, err := oracle(text)
	if err != nil {
		t.Fatalf("not valid JSON after all: %v", err)
	}
	have := lines(got)
	slices.Sort(want)
	slices.Sort(have)
	for i := range max(len(want), len(have)) {
		switch {
		case i >= len(have) || i < len(want) && have[i] > want[i]:
			t.Fatalf("row %d of %d/%d: missing %s", i, len(have), len(want), want[i])
		case i >= len(want) || have[i] != want[i]:
			t.Fatalf("row %d of %d/%d: spare %s", i, len(have), len(want), have[i])
		}
	}
}
