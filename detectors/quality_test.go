package detectors

import "testing"

func TestImpossibleActivities(t *testing.T) {
	s := draw()
	for i := range 11 {
		at := 1000 + 100*float64(i)
		s.launch("gemm", 10*float64(i), 10*float64(i)+5, 7, at, at+90)
	}
	s.call("cudaDeviceSynchronize", 200, 3000)
	s.launch("late", 2500, 2505, 9, 2400, 2490)
	s.launch("endless", 150, 155, 8, 2500, 9000)
	s.Timeless, s.Lost = 2, 1
	set := s.features(t)
	want{
		"trace.impossible_count": 4, "trace.impossible_us": 6590, "trace.impossible_frac": 6590. / (6590 + 11*90), "trace.impossible_kept": false,
		"trace.timeless_count": 2, "trace.lost_count": 1, "trace.activity_count": 11,
	}.check(t, set)
	list := records(t, set, "trace.impossible")
	if len(list) != 2 || list[0]["name"] != "endless" || list[0]["flaw"] != "reaches past the end of the program" || list[1]["name"] != "late" {
		t.Errorf("%v", list)
	}
}

func TestSoundActivities(t *testing.T) {
	s := draw()
	s.launch("gemm", 0, 5, 7, 10, 20)
	want{"trace.impossible_count": 0, "trace.impossible_us": 0, "trace.impossible_frac": 0, "trace.lost_count": 0}.check(t, s.features(t))
}
