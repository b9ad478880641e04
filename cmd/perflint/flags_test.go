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

func TestShareFlag(t *testing.T) {
	for text, want := range map[string]share{"10%": 0.1, "0.1": 0.1, "0": 0, "150 %": 1.5, "-1%": -1, "x": -1, "%": -1, "nan": -1} {
		s := share(-1)
		if err := s.Set(text); s != want || (err == nil) != (want >= 0) {
			t.Errorf("%q: %v %v, want %v", text, float64(s), err, float64(want))
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
