package report

import (
	"encoding/json"
	"reflect"
	"testing"
)

// Intervals that are found when they are written are written as those that are there, and read again.
func TestIntervalsAreWrittenAsPairs(t *testing.T) {
	pairs := [][2]int64{{3, 4}, {9, 1}}
	text, err := json.Marshal(map[string]intervals{"a": func() [][2]int64 { return pairs }, "b": func() [][2]int64 { return [][2]int64{} }})
	if want := `{"a":[[3,4],[9,1]],"b":[]}`; err != nil || string(text) != want {
		t.Fatalf("wrote %s (%v), want %s", text, err, want)
	}
	var back map[string]intervals
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back["a"](), pairs) || len(back["b"]()) != 0 {
		t.Errorf("read %v (%v)", back, err)
	}
	if err := json.Unmarshal([]byte(`{"a":[3]}`), &back); err == nil {
		t.Error("a number is a pair")
	}
}
