package rules

import (
	"regexp"
	"strconv"
	"strings"

	"perflint/detectors/feature"
)

var literalForm = regexp.MustCompile(`^([-+]?[0-9][0-9_]*(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?) ?([%a-zA-Zµ/]*)$`)

// suffixes are what may follow a number, with the unit that they give it and their size in its base.
var suffixes = map[string]struct {
	unit feature.Unit
	size float64
}{
	"":   {feature.NoUnit, 1},
	"%":  {feature.Frac, 0.01},
	"ns": {feature.Us, 1e-3}, "us": {feature.Us, 1}, "µs": {feature.Us, 1}, "ms": {feature.Us, 1e3}, "s": {feature.Us, 1e6},
	"B": {feature.Bytes, 1}, "KiB": {feature.Bytes, 1 << 10}, "MiB": {feature.Bytes, 1 << 20}, "GiB": {feature.Bytes, 1 << 30},
	"KB": {feature.Bytes, 1e3}, "MB": {feature.Bytes, 1e6}, "GB": {feature.Bytes, 1e9},
	"GB/s": {feature.Gbps, 1},
}

// number reads 0.2, 20%, 500us, 3ms, 64MiB into base units (a share, microseconds, bytes). The unit is NoUnit for a bare number.
func number(s string) (value float64, unit feature.Unit, ok bool) {
	m := literalForm.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return 0, "", false
	}
	suffix, known := suffixes[m[2]]
	v, err := strconv.ParseFloat(strings.ReplaceAll(m[1], "_", ""), 64)
	if err != nil || !known {
		return 0, "", false
	}
	if suffix.unit == feature.Frac {
		return v / 100, suffix.unit, true // 15/100 is the float that 0.15 is, 15*0.01 is not
	}
	return v * suffix.size, suffix.unit, true
}

var unitWords = map[feature.Unit]string{
	feature.NoUnit: "a number", feature.Frac: "a share such as 20% or 0.2", feature.Ratio: "a number", feature.Us: "a time such as 500us or 3ms",
	feature.Bytes: "a size such as 64MiB", feature.Count: "a number", feature.Gbps: "a bandwidth such as 20GB/s",
}

// numberOf is number for a value whose unit is known; a suffix of another unit is refused.
func numberOf(s string, want feature.Unit) (float64, bool) {
	v, unit, ok := number(s)
	return v, ok && (unit == feature.NoUnit || unit == want)
}
