package detectors

import (
	"strings"
	"testing"

	"perflint/detectors/span"
	"perflint/detectors/trace"
)

func TestStreamsThatWaitForEachOther(t *testing.T) {
	s := draw()
	wait := func(stream, on int64, at float64) {
		s.AddWait(trace.WaitRow{Start: nanos(at), End: nanos(at), Corr: -1, Kind: trace.StreamWaitEvent, Stream: stream, OnStream: on})
	}
	s.launch("a", 0, 1, 7, 10, 100)
	s.op("aten::mm", 2, 4)
	wait(8, 7, 2)
	s.launch("b", 3, 4, 8, 150, 200)
	wait(7, 8, 5)
	s.launch("c", 6, 7, 7, 230, 300)
	wait(8, 7, 8)
	s.launch("b", 9, 10, 8, 310, 400)
	set := s.features(t)
	want{"idle.stream_wait_us": 90, "idle.stream_wait_spans": []span.Span{us(100, 150), us(200, 230), us(300, 310)}}.check(t, set)
	r := records(t, set, "idle.stream_waits")
	if len(r) != 2 || r[0]["stream"] != int64(8) || r[0]["on_stream"] != int64(7) || r[0]["count"] != int64(2) || r[0]["total_us"] != 60. || r[0]["next"] != "b" ||
		r[1]["stream"] != int64(7) || r[1]["next"] != "c" {
		t.Errorf("%v", r)
	}
}

func TestUnexplainedWaitsAskForEvents(t *testing.T) {
	for _, c := range []struct {
		name, format, says string
		more               func(s *sketch)
	}{
		{"nothing is recorded", "kineto", "; record with `enable_cuda_sync_events=True`", func(*sketch) {}},
		{"an export of Nsight Systems", "nsys", "; record with `--cuda-event-trace=true`", func(*sketch) {}},
		{"the call is, but not for which stream", "nsys", "`--cuda-event-trace=true`", func(s *sketch) {
			s.AddWait(trace.WaitRow{Start: nanos(2), End: nanos(3), Corr: -1, Kind: trace.StreamWaitEvent, Stream: 7, OnStream: -1})
		}},
		{"ROCm has no option for it", "kineto", "the trace does not say for what", func(s *sketch) { s.Devices = []trace.Device{{ID: 0, Name: "AMD Instinct MI300X"}} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := draw()
			s.Format = c.format
			s.launch("a", 0, 1, 7, 10, 100)
			s.launch("x", 0, 1, 8, 10, 100)
			s.launch("b", 3, 4, 7, 150, 200)
			c.more(s)
			set := s.features(t)
			want{"idle.stream_waits": nil, "idle.stream_wait_us": 0, "idle.outside_us": 50}.check(t, set)
			if reason := set.Reason("idle.stream_waits"); !strings.HasSuffix(reason, c.says) {
				t.Errorf("says %q", reason)
			}
		})
	}
}

// One stream has nobody to wait for.
func TestDispatchGapsAskForNothing(t *testing.T) {
	s := draw()
	s.launch("a", 0, 1, 7, 10, 100)
	s.launch("b", 3, 4, 7, 150, 200)
	if r := records(t, s.features(t), "idle.stream_waits"); len(r) > 0 {
		t.Errorf("%v", r)
	}
}
