package report

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestJSONHoldsNothingThatActs(t *testing.T) {
	const value = "a\u009b31m \u202eb\u2066 \ufeff\U000e0001 \x7f é 😀 \n\t<b>"
	var b strings.Builder
	if err := encode(&b, map[string]string{"k": value}, 1); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsFunc(strings.TrimSpace(b.String()), func(r rune) bool { return acts(r) && r != '\n' }) {
		t.Errorf("%q", b.String())
	}
	if !strings.Contains(b.String(), "é 😀") || !strings.Contains(b.String(), "<b>") {
		t.Errorf("what is only seen stays: %q", b.String())
	}
	var back map[string]string
	if err := json.Unmarshal([]byte(b.String()), &back); err != nil || back["k"] != value {
		t.Errorf("%v: %q", err, back["k"])
	}
}
