package timeline

import (
	"fmt"
	"slices"
	"testing"

	"perflint/detectors/span"
)

// stepped draws steps of these lengths in µs, one behind the other, with so many launches in each.
func stepped(lengths []float64, launches []int) *sketch {
	s := draw()
	at := 0.0
	for i, length := range lengths {
		s.annotation(s.thread(), fmt.Sprint("ProfilerStep#", i), at, at+length)
		for k := range launches[i] {
			s.launchAt(s.thread(), at+1+10*float64(k))
		}
		if launches[i] == 0 {
			s.op(s.thread(), "aten::add", at+1, at+2)
		}
		at += length
	}
	return s
}

func TestSteadySteps(t *testing.T) {
	for _, c := range []struct {
		name     string
		lengths  []float64
		launches []int
		want     []int32
	}{
		{"one", []float64{100}, []int{3}, []int32{0}},
		{"two, however unlike", []float64{900, 100}, []int{3, 1}, []int32{0, 1}},
		{"all alike", []float64{100, 100, 100}, []int{5, 5, 5}, []int32{0, 1, 2}},
		{"a first that warms up", []float64{126, 100, 100, 100}, []int{5, 5, 5, 5}, []int32{1, 2, 3}},
		{"a first of 1.25 of the others stays", []float64{125, 100, 100, 100}, []int{5, 5, 5, 5}, []int32{0, 1, 2, 3}},
		{"a first that began before the capture", []float64{66, 100, 100, 100}, []int{5, 5, 5, 5}, []int32{1, 2, 3}},
		{"a first of 0.67 of the others stays", []float64{67, 100, 100, 100}, []int{5, 5, 5, 5}, []int32{0, 1, 2, 3}},
		{"a last that launched too little", []float64{100, 100, 100, 100}, []int{5, 5, 5, 3}, []int32{0, 1, 2}},
		{"a last with 0.8 of the launches stays", []float64{100, 100, 100, 100}, []int{5, 5, 5, 4}, []int32{0, 1, 2, 3}},
		{"a last that took too long", []float64{100, 100, 100, 151}, []int{5, 5, 5, 5}, []int32{0, 1, 2}},
		{"a last of 1.5 of the others stays", []float64{100, 100, 100, 150}, []int{5, 5, 5, 5}, []int32{0, 1, 2, 3}},
		{"both ends of three", []float64{300, 100, 100}, []int{5, 5, 0}, []int32{1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := stepped(c.lengths, c.launches).lane(t)
			if !slices.Equal(l.Steady, c.want) {
				t.Errorf("got %v, want %v", l.Steady, c.want)
			}
			if l.FirstOff != (c.want[0] > 0) {
				t.Errorf("first off: %v", l.FirstOff)
			}
		})
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{5, 1}, 3}, {[]float64{9, 1, 2}, 2}, {[]float64{4, 1, 2, 10}, 3}} {
		if got := Median(c.values); got != c.want {
			t.Errorf("%v: got %v, want %v", c.values, got, c.want)
		}
	}
}

func TestDurationOfSteps(t *testing.T) {
	t.Run("from first work to first work, of the call's step on whatever thread", func(t *testing.T) {
		s := draw()
		s.annotation(s.thread(), "ProfilerStep#0", 0, 100)
		s.annotation(s.thread(), "ProfilerStep#1", 100, 200)
		s.annotation(s.thread(), "ProfilerStep#2", 200, 300)
		s.launch(s.thread(), 10, 15, 7, 20, 30)
		s.launch(s.thread(2), 90, 95, 7, 150, 160) // the host runs ahead: launched in step 0, runs in step 1's mark
		s.launch(s.thread(), 110, 115, 7, 170, 180)
		s.launch(s.thread(), 205, 215, 7, 290, 310)
		l := s.lane(t)
		want := []span.Span{us(20, 170), us(170, 290), {}}
		for i, w := range want {
			if l.Steps[i].GPU != w {
				t.Errorf("step %d: got %v, want %v", i, l.Steps[i].GPU, w)
			}
		}
		if got := []int{l.Steps[0].Launched, l.Steps[1].Launched, l.Steps[2].Launched}; !slices.Equal(got, []int{2, 1, 1}) {
			t.Errorf("launched %v", got)
		}
	})
	t.Run("none where the next step did no work", func(t *testing.T) {
		l := stepped([]float64{100, 100, 100}, []int{1, 0, 1}).lane(t)
		for i := range l.Steps {
			if !l.Steps[i].GPU.Empty() {
				t.Errorf("step %d: %v", i, l.Steps[i].GPU)
			}
		}
	})
	t.Run("of the only step it is the window", func(t *testing.T) {
		l := stepped([]float64{100}, []int{2}).lane(t)
		if l.Steps[0].GPU != l.W || l.W != us(0, 20) { // until its second launch's kernel ends
			t.Errorf("got %v, the window is %v", l.Steps[0].GPU, l.W)
		}
	})
	t.Run("of the marks where no work is linked", func(t *testing.T) {
		s := stepped([]float64{100, 100}, []int{0, 0})
		s.kernel(0, 7, 20, 30)
		l := s.lane(t)
		if l.Steps[0].GPU != us(0, 100) || l.Steps[1].GPU != us(100, 200) {
			t.Errorf("got %v and %v", l.Steps[0].GPU, l.Steps[1].GPU)
		}
	})
}
