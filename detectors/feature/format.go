package feature

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"perflint/detectors/span"
)

// Format prints a value by its unit: 0.312 frac is "31.2 %", 128600 us is "129 ms", 4812 is "4 812". It is the only
// place where numbers become text. Lists and intervals print as their length.
func Format(v any, u Unit) string {
	switch v := v.(type) {
	case float64:
		return number(v, u)
	case int64:
		return number(float64(v), u)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case string:
		return v
	case []Record:
		if len(v) == 1 {
			return "1 record"
		}
		return group(float64(len(v))) + " records"
	case nil:
		return "n/a"
	case span.Set:
		return Micros(v.Total().Micros())
	}
	return fmt.Sprint(v)
}

func number(v float64, u Unit) string {
	switch u {
	case Frac:
		return Percent(v)
	case Us:
		return Micros(v)
	case Bytes:
		return ByteSize(v)
	case Gbps:
		return Digits(v, 3) + " GB/s"
	case Count:
		if v == math.Trunc(v) {
			return group(v)
		}
	}
	return Digits(v, 3)
}

// Percent prints a share: three significant digits, one decimal at the most from 10 % on.
func Percent(v float64) string { return Digits(v*100, 3) + " %" }

// Share prints a part of a step to the whole percent, which is as much as an estimate is worth: "28 %", "< 1 %".
func Share(frac float64) string {
	if frac > 0 && frac < 0.005 {
		return "< 1 %"
	}
	return group(math.Round(frac*100)) + " %"
}

// Moment prints a time since the start of the trace to the microsecond, in ms, fine enough to find it in a viewer.
func Moment(us float64) string { return strconv.FormatFloat(us/1e3, 'f', 3, 64) + " ms" }

// Micros prints microseconds in the unit that reads best, with three significant digits.
func Micros(us float64) string {
	a := math.Abs(us)
	switch {
	case a == 0:
		return "0 µs"
	case a < 1:
		return Digits(us*1e3, 3) + " ns"
	case a < 999.5:
		return Digits(us, 3) + " µs"
	case a < 999.5e3:
		return Digits(us/1e3, 3) + " ms"
	}
	return Digits(us/1e6, 3) + " s"
}

// ByteSize prints bytes with binary prefixes.
func ByteSize(b float64) string {
	units := [...]string{"B", "KiB", "MiB", "GiB", "TiB"}
	i := 0
	for math.Abs(b) >= 1023.5 && i < len(units)-1 {
		b, i = b/1024, i+1
	}
	return Digits(b, 3) + " " + units[i]
}

// Digits prints v with n significant digits, never in scientific form, without trailing zeros; whole numbers keep all
// their digits and are grouped.
func Digits(v float64, n int) string {
	if v == 0 {
		return "0"
	}
	decimals := n - 1 - int(math.Floor(math.Log10(math.Abs(v))))
	if decimals <= 0 {
		return group(math.Round(v))
	}
	s := strconv.FormatFloat(v, 'f', min(decimals, 9), 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		return "0"
	}
	return s
}

// group prints a whole number with its thousands apart.
func group(v float64) string {
	s := strconv.FormatFloat(math.Abs(v), 'f', 0, 64)
	var b strings.Builder
	if v < 0 {
		b.WriteByte('-')
	}
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(c)
	}
	return b.String()
}
