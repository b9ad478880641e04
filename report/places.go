package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"perflint/detectors/feature"
)

// where names the source places of a finding: "In function resize (image_processing.py:301)". Kineto's line is the one
// where the function is defined, hence "in function".
func where(f Finding, most int) string {
	var out []string
	for _, p := range f.Locations {
		if s := p.source(); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return ""
	}
	text := strings.Join(out[:min(most, len(out))], "; ")
	if n := len(out) - most; n > 0 {
		text += fmt.Sprintf("; and %d more", n)
	}
	return "In " + text + "."
}

func (p Place) source() string {
	function := cmp.Or(p.Function, p.Frame)
	if p.File == "" {
		switch {
		case function != "":
			return "function " + code(function, inText)
		case p.Op != "":
			return "op " + code(p.Op, inText)
		}
		return ""
	}
	at := p.File
	if p.Line > 0 {
		at = fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	if function == "" {
		return code(at, inText)
	}
	return "function " + code(function, inText) + " (" + code(at, inText) + ")"
}

// when lists the moments of a finding: "Longest: 3.2 ms at 101.4 ms on GPU 0 stream 7".
func when(f Finding, most int) string {
	places := slices.Clone(f.Locations)
	slices.SortStableFunc(places, func(a, b Place) int {
		switch {
		case a.DurUs > b.DurUs:
			return -1
		case a.DurUs < b.DurUs:
			return 1
		}
		return 0
	})
	var out []string
	for _, p := range places[:min(most, len(places))] {
		if p.DurUs <= 0 {
			continue
		}
		s := feature.Micros(p.DurUs) + " at " + moment(p.StartUs)
		if p.Track != "" {
			s += " on " + name(p.Track, inTable)
		}
		out = append(out, s)
	}
	if len(out) == 0 {
		return ""
	}
	return "Longest: " + strings.Join(out, "; ") + "."
}

// moment prints a time since the start of the trace to the microsecond, fine enough to find it in a viewer.
func moment(us float64) string { return strconv.FormatFloat(us/1e3, 'f', 3, 64) + " ms" }
