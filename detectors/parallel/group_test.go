package parallel

import (
	"sync/atomic"
	"testing"
)

func TestAGroupWaitsForAll(t *testing.T) {
	var g Group
	var n atomic.Int64
	for i := range int64(100) {
		g.Go(func() { n.Add(i) })
	}
	g.Wait()
	if n.Load() != 4950 {
		t.Errorf("got %d", n.Load())
	}
}

func TestAPanicReachesWhoWaits(t *testing.T) {
	var g Group
	var others atomic.Int64
	g.Go(func() { panic("a mistake") })
	for range 10 {
		g.Go(func() { others.Add(1) })
	}
	defer func() {
		if r := recover(); r != "a mistake" || others.Load() != 10 {
			t.Errorf("got %v after %d others", r, others.Load())
		}
	}()
	g.Wait()
	t.Error("Wait returned")
}
