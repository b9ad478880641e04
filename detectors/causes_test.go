package detectors

import (
	"fmt"
	"testing"

	"perflint/detectors/feature"
	"perflint/detectors/span"
)

func TestListsOfGapsAndCausesEnd(t *testing.T) {
	s := draw()
	for i := range 500 {
		at := 100 * float64(i)
		s.op(fmt.Sprint("op ", i), at, at+92)
		s.launch("a", at+90, at+91, 7, at+95, at+100)
	}
	set := s.features(t)
	for _, name := range []string{"idle.gaps", "idle.causes", "idle.issue_causes"} {
		if n := len(records(t, set, name)); n != feature.MaxRecords {
			t.Errorf("%s has %d records", name, n)
		}
	}
}

func TestCauseRecords(t *testing.T) {
	// Four steps of 10 ms: in each the host is in a function for 3 ms, in two of them in a loader for 2 ms more.
	s := steps(4, 10_000, func(s *sketch, i int, at float64) {
		s.frame("train.py(1): epoch", at+500, at+9000)
		s.frame("pre.py(5): zoom", at+900, at+4000)
		s.launch("b", at+4000, at+4100, 7, at+4200, at+5000)
		if i%2 == 0 {
			s.annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", at+5000, at+7000)
			s.launch("c", at+7000, at+7010, 7, at+7010, at+9900)
		} else {
			s.launch("c", at+4500, at+4510, 7, at+5000, at+9900)
		}
	})
	s.call("cudaDeviceSynchronize", 34_520, 39_900)
	set := s.features(t)
	got := records(t, set, "idle.causes")
	find := func(cause string) feature.Record {
		for _, r := range got {
			if r["cause"] == cause {
				return r
			}
		}
		t.Fatalf("no cause %s", cause)
		return nil
	}
	// From 1000 to 4000 in each step; the window is 0 to 39 900.
	checkRecord(t, find("frame"), want{"subject": "pre.py(5): zoom", "frame": "zoom", "file": "pre.py", "line": 5, "outer": "zoom", "host_late_us": 12_000,
		"launch_call_us": 0, "long_us": 12_000, "frac": 12_000.0 / 39_900, "long_frac": 12_000.0 / 39_900, "gap_count": 4, "steps_frac": 1, "longest_us": 3200,
		"spans": []span.Span{us(1000, 4000), us(11_000, 14_000), us(21_000, 24_000), us(31_000, 34_000)}})
	checkRecord(t, find("loader"), want{"host_late_us": 4000, "gap_count": 2, "steps_frac": 0.5, "frame": "", "longest_us": 2010})
	checkRecord(t, find("launch"), want{"subject": "cudaLaunchKernel", "host_late_us": 0, "launch_call_us": 4*100 + 2*10 + 4})
	if got[0]["cause"] != "frame" {
		t.Errorf("the largest is %v", got[0]["cause"])
	}
}

// The profiler may be to blame for both parts of a gap: it is one gap.
func TestAGapOfTwoPartsIsOneGap(t *testing.T) {
	s := draw()
	s.launch("a", 0, 1, 7, 10, 100)
	s.overhead("Buffer Flush", 100, 190)
	s.launch("b", 150, 160, 7, 200, 210)
	got := records(t, s.features(t), "idle.causes")
	if len(got) != 1 {
		t.Fatalf("%d causes", len(got))
	}
	checkRecord(t, got[0], want{"cause": "profiler", "host_late_us": 50, "launch_call_us": 10, "gap_count": 1})
}
