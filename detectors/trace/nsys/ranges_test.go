package nsys

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"perflint/detectors/trace"
)

func TestLabels(t *testing.T) {
	for _, c := range []struct {
		text, name, shape string
		kind              trace.RangeKind
	}{
		{"forward", "forward", "", trace.Annotation},
		{"loss, epoch = 3", "loss, epoch = 3", "", trace.Annotation},
		{"aten::add", "aten::add", "", trace.Op},
		{"aten::add, op_id = 314359", "aten::add", "", trace.Op},
		{"aten::add, seq = 7, op_id = 31", "aten::add", "", trace.Op},
		{"FSDP::pre_forward (blocks.2), op_id = 990878", "FSDP::pre_forward (blocks.2)", "", trace.Op},
		{"f(a, b), seq = 7", "f(a, b)", "", trace.Op},
		{"aten::mm, seq = 7, op_id = 31, sizes = [[2, 3], [3, 4]]", "aten::mm", "[[2, 3], [3, 4]]", trace.Op},
		{"aten::mm, op_id = 31, sizes = [[2, 3], []], input_op_ids = [(1,0), (2,0)]", "aten::mm", "[[2, 3], []]", trace.Op},
		{"aten::mm, sizes = [[2]]", "aten::mm", "[[2]]", trace.Op},
		{", seq = ", ", seq = ", "", trace.Annotation},
		{"{'mod': 'torch.nn.functional', 'op': 'conv2d', 'args': []}", "torch.nn.functional.conv2d", "", trace.Annotation},
		{`{"mod": "torch", "op": "add"}`, "torch.add", "", trace.Annotation},
		{"{'traceMarker': ['/home/someone/train.py:10', '/home/someone/model.py:33']}", "model.py:33", "", trace.Annotation},
		{"{'mod': 'Linear', 'strRepr': 'in=3, out=4'}", "Linear", "", trace.Annotation},
		{"{'traceMarker': []}", "marker", "", trace.Annotation},
		{"{'mod", "marker", "", trace.Annotation},
		{"bad \xff text", "bad \uFFFD text", "", trace.Annotation},
		{"", "", "", trace.Annotation},
	} {
		r := &reader{b: trace.NewBuilder("nsys")}
		l := r.makeLabel([]byte(c.text))
		if name, shape := r.b.Names.String(l.name), r.b.Names.String(l.shape); name != c.name || shape != c.shape || l.kind != c.kind {
			t.Errorf("%s: name %q, shape %q, kind %d", c.text, name, shape, l.kind)
		}
	}
}

func FuzzLabel(f *testing.F) {
	f.Add([]byte("aten::mm, seq = 7, op_id = 31, sizes = [[2, 3]], input_op_ids = [(1,0)]"))
	f.Add([]byte("{'mod': 'a', \"op\": 'b', 'traceMarker': ['x:1', 'y:2']}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r := &reader{b: trace.NewBuilder("nsys")}
		l := r.makeLabel(text)
		if l.shape != 0 && l.kind != trace.Op {
			t.Errorf("shapes without an op")
		}
		if name := r.b.Names.String(l.name); name != strings.ToValidUTF8(name, "") {
			t.Errorf("invalid name %q", name)
		}
	})
}

func TestNVTXRanges(t *testing.T) {
	p, q := globalOf(3, 4), globalOf(3, 5)
	tr := read(t, stringIds("registered", "worker"), nvtxTable, fmt.Sprintf(`INSERT INTO NVTX_EVENTS
			(start, end, eventType, rangeId, text, globalTid, endGlobalTid, textId, domainId) VALUES
		(0, NULL, 75, NULL, 'NCCL', %[1]d, NULL, NULL, 1),
		(0, NULL, 33, NULL, 'category', %[1]d, NULL, NULL, 0),
		(5, NULL, 34, NULL, 'mark', %[1]d, NULL, NULL, 0),
		(6, NULL, 39, NULL, NULL, %[2]d, NULL, 2, 0),
		(10, 90, 59, NULL, 'step', %[1]d, NULL, NULL, 0),
		(20, 30, 59, NULL, NULL, %[1]d, NULL, 1, 1),
		(25, 80, 60, 17, 'request', %[1]d, %[2]d, NULL, 0),
		(40, NULL, 59, NULL, 'unfinished', %[2]d, NULL, NULL, 0),
		(50, 60, 59, NULL, 'gone', %[2]d, NULL, 88, 0),
		(50, 61, 59, NULL, NULL, NULL, NULL, 88, 0),
		(95, NULL, 76, NULL, NULL, %[1]d, NULL, NULL, 1)`, p, q))
	if got, want := texts(tr, tr.Ranges.Name), []string{"step", "registered", "request", "unfinished", "", "gone"}; !reflect.DeepEqual(got, want) {
		t.Errorf("names %q", got)
	}
	kinds := []trace.RangeKind{trace.Annotation, trace.Annotation, trace.Open, trace.Annotation, trace.Annotation, trace.Annotation}
	if !reflect.DeepEqual(tr.Ranges.Kind, kinds) {
		t.Errorf("kinds %v", tr.Ranges.Kind)
	}
	if got := int64(tr.Ranges.End[3]) + tr.Origin; got != 90 {
		t.Errorf("the unfinished range ends at %d", got)
	}
	if got := noteCodes(tr); !reflect.DeepEqual(got, []string{"open"}) {
		t.Errorf("notes %v", tr.Notes)
	}
	if got := tr.Threads[tr.Ranges.Thread[3]]; got != (trace.Thread{PID: 3, TID: 5, Name: "worker"}) {
		t.Errorf("thread %+v", got)
	}
	if !tr.HasOps || !tr.NoCUDATables {
		t.Errorf("has ops %v, no CUDA %v", tr.HasOps, tr.NoCUDATables)
	}
}

func TestNVTXInHalves(t *testing.T) {
	p, q := globalOf(3, 4), globalOf(3, 5)
	tr := read(t, stringIds(), nvtxTable, fmt.Sprintf(`INSERT INTO NVTX_EVENTS
			(start, eventType, rangeId, text, globalTid, domainId) VALUES
		(40, 36, NULL, NULL, %[1]d, 0),
		(10, 35, NULL, 'outer', %[1]d, 0),
		(20, 35, NULL, 'inner', %[1]d, 0),
		(22, 35, NULL, 'other domain', %[1]d, 1),
		(25, 36, NULL, NULL, %[1]d, 1),
		(30, 36, NULL, NULL, %[1]d, 0),
		(5, 36, NULL, NULL, %[1]d, 0),
		(12, 37, 9, 'request', %[1]d, 0),
		(38, 38, 9, NULL, %[2]d, 0),
		(39, 38, 10, NULL, %[2]d, 0),
		(33, 35, NULL, 'open push', %[2]d, 0),
		(34, 37, 11, 'open start', %[2]d, 0)`, p, q))
	var got []string
	for i := range tr.Ranges.Len() {
		got = append(got, fmt.Sprintf("%s %d-%d %d", tr.Names.String(tr.Ranges.Name[i]),
			int64(tr.Ranges.Start[i])+tr.Origin, int64(tr.Ranges.End[i])+tr.Origin, tr.Ranges.Kind[i]))
	}
	want := []string{"outer 10-40 1", "request 12-38 3", "inner 20-30 1", "other domain 22-25 1", "open push 33-40 1", "open start 34-40 3"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestOSRuntimeAndThreadNames(t *testing.T) {
	p, q := globalOf(3, 3), globalOf(3, 5)
	tr := read(t, stringIds("poll", "pt_autograd_0", "not here"),
		"CREATE TABLE OSRT_API (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, nameId INTEGER, returnValue INTEGER, nestingLevel INTEGER, callchainId INTEGER)",
		fmt.Sprintf("INSERT INTO OSRT_API VALUES (1, 9, 27, %d, 1, 0, 0, 0), (2, 8, 27, %d, 1, 0, 0, 0)", p, q),
		"CREATE TABLE ThreadNames (nameId INTEGER, priority INTEGER, globalTid INTEGER)",
		fmt.Sprintf("INSERT INTO ThreadNames VALUES (2, 20, %d), (3, 10, %d), (3, 20, %d)", q, q, globalOf(9, 9)),
		"CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT)",
		fmt.Sprintf("INSERT INTO PROCESSES VALUES (%d, 3, '/home/someone/bin/python3'), (%d, 9, 'sshd')", globalOf(3, 0), globalOf(9, 0)))
	want := []trace.Thread{{PID: 3, TID: 3, Name: "python3"}, {PID: 3, TID: 5, Name: "pt_autograd_0"}}
	if !reflect.DeepEqual(tr.Threads, want) {
		t.Errorf("threads %+v", tr.Threads)
	}
	if tr.Ranges.Kind[0] != trace.OSCall || texts(tr, tr.Ranges.Name)[1] != "poll" || tr.HasOps {
		t.Errorf("ranges %+v", tr.Ranges)
	}
}
