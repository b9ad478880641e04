package main

import (
	"testing"
	"time"

	"perflint/detectors/span"
)

func TestWindowFlag(t *testing.T) {
	tests := []struct {
		text, window string
		within       span.Span
		err          string
	}{
		{text: "auto", window: "auto"},
		{text: "gpu", window: "gpu"},
		{text: "1.5s..2s", window: "auto", within: span.Span{Start: 1.5e9, End: 2e9}},
		{text: "0..500us", window: "auto", within: span.Span{Start: 0, End: 500e3}},
		{text: "10 ms .. 20 ms", window: "auto", within: span.Span{Start: 10e6, End: 20e6}},
		{text: "all", err: "all is neither auto, gpu nor a range as 1.5s..2s"},
		{text: "1..2", err: "1 has no unit: write 1us, 1ms or 1s"},
		{text: "2s..1s", err: "2s..1s is empty: the end must be after the start"},
		{text: "-1s..1s", err: "-1s..1s is empty: the end must be after the start"},
		{text: "x..1s", err: "x is no time: write 500us, 12ms or 1.5s"},
	}
	for _, tt := range tests {
		var how reading
		err := (*windowFlag)(&how).Set(tt.text)
		if err != nil && err.Error() != tt.err || err == nil && tt.err != "" {
			t.Errorf("%s: error %v, want %q", tt.text, err, tt.err)
		}
		if how.Window != tt.window || how.Range != tt.within {
			t.Errorf("%s: %q %v, want %q %v", tt.text, how.Window, how.Range, tt.window, tt.within)
		}
	}
}

func TestLeastSaving(t *testing.T) {
	tests := []struct {
		text     string
		frac, us float64
		ok       bool
	}{
		{"", 0, 0, true}, {"1%", 0.01, 0, true}, {"0", 0, 0, true}, {"500us", 0, 500, true}, {"1.5ms", 0, 1500, true},
		{"2", 0, 0, false}, {"-1%", 0, 0, false}, {"-1us", 0, 0, false}, {"%", 0, 0, false},
	}
	for _, tt := range tests {
		frac, us, err := leastSaving(tt.text)
		if frac != tt.frac || us != tt.us || (err == nil) != tt.ok {
			t.Errorf("%q: %v %v %v, want %v %v ok=%v", tt.text, frac, us, err, tt.frac, tt.us, tt.ok)
		}
	}
}

func FuzzDuration(f *testing.F) {
	for _, text := range []string{"0", "1s", "500us", "1.5ms", "1", "x", "9999999999s", "1e3us"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := duration(text)
		if err != nil && d != 0 {
			t.Errorf("%q gives %v and an error", text, d)
		}
		if again, err2 := duration(d.String()); err == nil && (err2 != nil || again.Round(time.Nanosecond) != d) {
			t.Errorf("%q is %v, which reads as %v", text, d, again)
		}
	})
}
