package timeline

import (
	"slices"
	"testing"

	"perflint/detectors/trace"
)

// plausible draws 12 kernels of 1 ms, launched ahead, and the synchronisation at the end of the program.
func plausible() *sketch {
	s := draw()
	for i := range 12 {
		at := 20_000 + 1000*float64(i)
		s.launch(s.thread(), 10*float64(i), 10*float64(i)+5, 7, at, at+1000)
	}
	s.call(s.thread(), "cudaDeviceSynchronize", 200, 32_010)
	return s
}

func hopper(major int) []trace.Device { return []trace.Device{{ID: 0, Major: major}} }

func TestImpossibleActivitiesAreSetAside(t *testing.T) {
	for _, c := range []struct {
		name string
		draw func(s *sketch)
		want []Flaw
	}{
		{"a sound trace", func(s *sketch) {}, nil},
		{"a kernel before its call", func(s *sketch) { s.launch(s.thread(), 15_000, 15_010, 9, 14_970, 14_990) }, []Flaw{Early}},
		{"clocks disagree by a little", func(s *sketch) { s.launch(s.thread(), 15_000, 15_010, 9, 14_985, 15_020) }, nil},
		{"a duration over the next ones of its stream", func(s *sketch) { s.launch(s.thread(), 150, 155, 7, 19_000, 25_000) }, []Flaw{Overlapping}},
		{"an overlap of less than 1 ms", func(s *sketch) { s.launch(s.thread(), 150, 155, 7, 19_000, 20_900) }, nil},
		{"another stream", func(s *sketch) { s.launch(s.thread(), 150, 155, 9, 19_000, 25_000) }, nil},
		{"programmatic dependent launch", func(s *sketch) {
			s.Devices = hopper(9)
			s.launch(s.thread(), 150, 155, 7, 19_000, 25_000)
		}, nil},
		{"MI300 calls itself 9 too", func(s *sketch) {
			s.Devices = []trace.Device{{ID: 0, Major: 9, Name: "AMD Instinct MI300X"}}
			s.launch(s.thread(), 150, 155, 7, 19_000, 25_000)
		}, []Flaw{Overlapping}},
		{"branches of one graph launch", func(s *sketch) {
			graph := s.call(s.thread(), "cudaGraphLaunch", 150, 160)
			s.kernel(graph, 9, 1000, 9000)
			s.kernel(graph, 9, 1500, 3000)
		}, nil},
		{"one that never ends", func(s *sketch) { s.launch(s.thread(), 150, 155, 9, 31_000, 90_000) }, []Flaw{Endless}},
		{"work behind the last call", func(s *sketch) { s.launch(s.thread(), 150, 155, 9, 31_000, 34_000) }, nil},
		{"recorded twice", func(s *sketch) {
			call := s.call(s.thread(), "cudaLaunchKernel", 150, 155)
			s.kernel(call, 9, 1000, 1500)
			s.kernel(call, 9, 1000, 1500)
		}, []Flaw{Twice}},
		{"two of no length", func(s *sketch) {
			s.kernel(0, 9, 1000, 1000)
			s.kernel(0, 9, 1000, 1000)
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := plausible()
			c.draw(s)
			rows := s.Rows()
			l := s.lane(t)
			var got []Flaw
			for _, a := range l.Asides {
				got = append(got, a.Flaw)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v of %d rows", got, c.want, rows)
			}
			if n := l.Trace.Work.Len() - len(c.want); l.ActCount() != n {
				t.Errorf("%d activities are left, want %d", l.ActCount(), n)
			}
		})
	}
}

// A clock that is off puts everything before its call: then the activities stay, and only the finding says so.
func TestNothingIsSetAsideWhereHalfIsImpossible(t *testing.T) {
	s := draw()
	for i := range 4 {
		at := 1000 * float64(i)
		s.launch(s.thread(), at+500, at+510, 7, at, at+100)
	}
	l := s.lane(t)
	if len(l.Asides) != 4 || l.ActCount() != 4 {
		t.Errorf("%d impossible, %d left", len(l.Asides), l.ActCount())
	}
}

func TestAFewActivitiesMayOutlastTheProgram(t *testing.T) {
	s := draw()
	s.launch(s.thread(), 0, 5, 7, 10, 5000)
	if l := s.lane(t); len(l.Asides) > 0 {
		t.Errorf("impossible: %v", l.Asides)
	}
}
