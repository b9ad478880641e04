package detectors

import (
	"testing"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

func TestSynchronisation(t *testing.T) {
	s := draw()
	s.annotation("ProfilerStep#0", 0, 300)
	s.annotation("ProfilerStep#1", 300, 600)
	s.launch("a", 0, 1, 7, 10, 100)
	s.call("cudaStreamSynchronize", 20, 105) // drains: 45 late and 5 in the call
	s.callOn(1, "cuStreamSynchronize", 21, 104)
	s.launch("b", 145, 150, 7, 150, 250)
	s.call("cudaStreamWaitEvent", 151, 200)
	s.callOn(2, "cudaEventSynchronize", 160, 240) // of a thread that launches nothing
	s.launch("c", 320, 325, 7, 330, 400)
	s.launch("d", 330, 331, 7, 400, 500)
	s.call("cudaDeviceSynchronize", 340, 500)
	set := s.features(t)
	want{
		"sync.count": 3, "sync.per_step_count": 1.5, "sync.blocked_us": 85 + 80 + 160, "sync.drained_count": 1, "sync.drained_us": 50,
		"sync.drained_frac": 0.1, "gpu.window_us": 500, "sync.drained_spans": []span.Span{us(100, 150)},
	}.check(t, set)
}

func TestSitesOfSynchronisation(t *testing.T) {
	s := draw()
	s.launch("a", 0, 1, 7, 10, 100)
	s.frame("train.py(9): log", 15, 190)
	s.op("aten::item", 20, 140)
	s.op("aten::_local_scalar_dense", 21, 139)
	s.work("Memcpy DtoH (Device -> Pageable)", s.call("cudaMemcpyAsync", 22, 112), 7, 100, 110, copied(trace.DtoH, trace.PageableMem, 4))
	s.call("cudaStreamSynchronize", 113, 120)
	s.launch("b", 180, 185, 7, 190, 290)
	s.frame("train.py(9): log", 195, 500)
	s.op("aten::item", 200, 340)
	s.op("aten::_local_scalar_dense", 201, 339)
	s.work("Memcpy DtoH (Device -> Pageable)", s.call("cudaMemcpyAsync", 202, 305), 7, 290, 300, copied(trace.DtoH, trace.PageableMem, 4))
	s.call("cudaStreamSynchronize", 306, 312)
	s.launch("c", 400, 405, 7, 410, 420)
	set := s.features(t)
	got := records(t, set, "sync.sites")
	if len(got) != 2 {
		t.Fatalf("%d sites", len(got))
	}
	// Gaps from 110 and from 300, each within 30 µs of the copy's call. The first begins before the synchronisation, so the copy
	// drained it: 80 µs late, in the call and on its way, its call less its copy being 80 too. The second 110, of 93.
	checkRecord(t, got[0], want{"api": "cudaMemcpyAsync", "op": "aten::_local_scalar_dense", "frame": "log", "file": "train.py", "line": 9, "count": 2,
		"per_step_count": nil, "blocked_us": 90 + 103, "drained_count": 2, "drained_us": 80 + 93, "direction": "DtoH", "memory": "pageable", "bytes": 8,
		"exposed_us": 20, "lost_us": 193, "item": true, "profiler": false, "spans": []span.Span{us(110, 190), us(300, 393)},
		"exposed_spans": []span.Span{us(100, 190), us(290, 393)}, "drained_frac": 173.0 / 410, "lost_frac": 193.0 / 410})
	checkRecord(t, got[1], want{"api": "cudaStreamSynchronize", "count": 2, "blocked_us": 13, "drained_count": 0, "drained_us": 0, "direction": "", "memory": "",
		"bytes": nil, "exposed_us": 0, "lost_us": 0, "item": true})
	want{"sync.drained_us": 173, "sync.drained_count": 2}.check(t, set)
}

func TestWhatSitesAreToldApartBy(t *testing.T) {
	s := draw()
	s.launch("a", 0, 1, 7, 10, 1000)
	one := func(at float64, name string, more ...func(*trace.WorkRow)) {
		c := s.call(name, at, at+10)
		if len(more) > 0 {
			s.work("copy", c, 7, at, at+5, more...)
		}
	}
	one(100, "cudaMemcpy", copied(trace.HtoD, trace.PinnedMem, 100))
	one(120, "cudaMemcpy", copied(trace.HtoD, trace.PinnedMem, 28))
	one(140, "cudaMemcpy", copied(trace.HtoD, trace.PageableMem, 100))
	one(160, "cudaMemcpy", copied(trace.DtoH, trace.PinnedMem, 65))
	one(180, "cudaMemcpy", copied(trace.DtoD, trace.DeviceMem, -1))
	one(200, "cudaMemcpyAsync", copied(trace.HtoD, trace.PinnedMem, 100)) // does not block
	one(220, "cuMemcpyDtoH", copied(trace.DtoH, trace.PinnedMem, 64))
	s.frame("torch/profiler/profiler.py(7): step", 300, 330)
	one(310, "cudaDeviceSynchronize")
	one(340, "cudaDeviceSynchronize")
	got := records(t, s.features(t), "sync.sites")
	var names []string
	for _, r := range got {
		name := r["api"].(string) + " " + r["direction"].(string) + " " + r["memory"].(string)
		if r["profiler"].(bool) {
			name += "profiler"
		}
		if r["item"].(bool) {
			name += "item"
		}
		names = append(names, name)
		switch {
		case name == "cudaMemcpy HtoD pinned":
			checkRecord(t, r, want{"count": 2, "bytes": 128})
		case r["direction"] == "DtoD":
			checkRecord(t, r, want{"count": 1, "bytes": nil})
		}
	}
	for _, name := range []string{"cudaMemcpy HtoD pinned", "cudaMemcpy HtoD pageable", "cudaMemcpy DtoH pinned", "cudaMemcpy DtoD ", "cuMemcpyDtoH DtoH pinneditem", "cudaDeviceSynchronize  profiler", "cudaDeviceSynchronize  "} {
		n := 0
		for _, have := range names {
			if have == name {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%q is there %d times among %q", name, n, names)
		}
	}
	if len(names) != 7 {
		t.Errorf("sites %q", names)
	}
}

// Without ops, a small copy to the host and a wait right behind it are what is left of an item().
func TestAWaitBehindTheCopyOfAValueReadsIt(t *testing.T) {
	for _, c := range []struct {
		name  string
		bytes int64
		from  float64 // start of the wait; the copy's call ends at 105
		dir   trace.Direction
		want  bool
	}{
		{"at once", 4, 106, trace.DtoH, true},
		{"within 10 µs", 64, 115, trace.DtoH, true},
		{"later", 4, 115.1, trace.DtoH, false},
		{"more than a value", 65, 106, trace.DtoH, false},
		{"of unknown size", -1, 106, trace.DtoH, false},
		{"to the device", 4, 106, trace.HtoD, false},
	} {
		s := draw()
		s.launch("a", 0, 1, 7, 10, 150)
		s.work("Memcpy", s.call("cudaMemcpyAsync", 100, 105), 7, 150, 151, copied(c.dir, trace.PinnedMem, c.bytes))
		s.call("cudaStreamSynchronize", c.from, 160)
		s.launch("a", 200, 201, 7, 210, 300)
		for _, r := range records(t, s.features(t), "sync.sites") {
			if r["api"] == "cudaStreamSynchronize" && r["item"] != c.want {
				t.Errorf("%s: %v", c.name, r["item"])
			}
		}
	}
}
