package kineto

import (
	"math/big"
	"strings"
	"testing"
)

func TestMicrosAreExact(t *testing.T) {
	for _, c := range []struct {
		text string
		want int64
		ok   bool
	}{
		{"0", 0, true}, {"0.000", 0, true}, {"1712195495519689.047", 1712195495519689047, true}, {"1683564902133354", 1683564902133354000, true},
		{"88511388202.785", 88511388202785, true}, {"5.2", 5200, true}, {"5.25", 5250, true}, {"-5.25", -5250, true}, {"215.0", 215000, true},
		{"0.0004", 0, true}, {"0.0005", 1, true}, {"0.00049999", 0, true}, {"-0.0005", -1, true}, {"1.2345678901234567890123", 1235, true},
		{"1e3", 1000000, true}, {"1.5E+3", 1500000, true}, {"25e-4", 3, true}, {"1e-400", 0, true}, {"0e999999999999", 0, true},
		{"4000000000000000", maxTime, true}, {"4000000000000000.001", 0, false}, {"1e300", 0, false}, {"99999999999999999999", 0, false},
		{"NaN", 0, false}, {"", 0, false}, {"-", 0, false}, {"-inf", 0, false}, {"1e", 0, false}, {"true", 0, false},
	} {
		got, next, ok := micros(append([]byte(c.text+","), make([]byte, padding)...), 0)
		if ok != c.ok || ok && got != c.want || ok && next != len(c.text) {
			t.Errorf("%q: %d %v at %d, want %d %v", c.text, got, ok, next, c.want, c.ok)
		}
	}
}

func FuzzMicros(f *testing.F) {
	for _, s := range []string{"1.5", "-0.0005", "1e9", "12345678901234567890.5", "0.1e-3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.TrimLeft(s, "-.0123456789eE+") != "" || len(s) > 60 {
			return
		}
		if e := strings.IndexAny(s, "eE"); e >= 0 && len(s)-e > 4 {
			return
		}
		ns, _, ok := micros(append([]byte(s), make([]byte, padding)...), 0)
		r, valid := new(big.Rat).SetString(s)
		if !ok || !valid {
			return
		}
		r.Mul(r, big.NewRat(1000, 1))
		off := new(big.Rat).Sub(r, new(big.Rat).SetInt64(ns))
		if off.Abs(off).Cmp(big.NewRat(1, 2)) > 0 {
			t.Errorf("%q: %d", s, ns)
		}
	})
}
