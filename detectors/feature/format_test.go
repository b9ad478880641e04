package feature

import (
	"testing"

	"perflint/detectors/span"
)

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		v    any
		unit Unit
		want string
	}{
		{0.312, Frac, "31.2 %"}, {0.31249, Frac, "31.2 %"}, {0.0, Frac, "0 %"}, {1.0, Frac, "100 %"}, {0.99996, Frac, "100 %"},
		{0.05, Frac, "5 %"}, {0.00123, Frac, "0.123 %"}, {0.2, Frac, "20 %"}, {12.5, Frac, "1 250 %"},
		{128600.0, Us, "129 ms"}, {3.25, Us, "3.25 µs"}, {0.0, Us, "0 µs"}, {0.0004, Us, "0.4 ns"}, {999.4, Us, "999 µs"},
		{999.6, Us, "1 ms"}, {999.6e3, Us, "1 s"}, {4.123e6, Us, "4.12 s"}, {-1500.0, Us, "-1.5 ms"}, {123456e6, Us, "123 456 s"},
		{1024.0, Bytes, "1 KiB"}, {1023.0, Bytes, "1 023 B"}, {1.3e9, Bytes, "1.21 GiB"}, {int64(5), Bytes, "5 B"}, {1e18, Bytes, "909 495 TiB"},
		{int64(4812), Count, "4 812"}, {4812.0, Count, "4 812"}, {412.25, Count, "412"}, {2.5, Count, "2.5"}, {int64(-1234567), Count, "-1 234 567"},
		{12.345, Gbps, "12.3 GB/s"}, {1.256, Ratio, "1.26"}, {9.9996, Ratio, "10"}, {-1e-12, Ratio, "0"}, {1e-12, NoUnit, "0"},
		{true, NoUnit, "yes"}, {false, NoUnit, "no"}, {"kineto", NoUnit, "kineto"}, {nil, Us, "n/a"},
		{[]Record{{}}, NoUnit, "1 record"}, {[]Record{{}, {}}, NoUnit, "2 records"}, {span.Set{{Start: 0, End: 1500}}, Us, "1.5 µs"},
	} {
		if got := Format(c.v, c.unit); got != c.want {
			t.Errorf("%v %s: got %q, want %q", c.v, c.unit, got, c.want)
		}
	}
}

func TestShareAndMoment(t *testing.T) {
	for frac, want := range map[float64]string{0: "0 %", 0.0001: "< 1 %", 0.0049: "< 1 %", 0.005: "1 %", 0.284: "28 %", 1: "100 %"} {
		if got := Share(frac); got != want {
			t.Errorf("%v: got %q, want %q", frac, got, want)
		}
	}
	for us, want := range map[float64]string{0: "0.000 ms", 101400.25: "101.400 ms", 12345678: "12345.678 ms"} {
		if got := Moment(us); got != want {
			t.Errorf("%v: got %q, want %q", us, got, want)
		}
	}
}
