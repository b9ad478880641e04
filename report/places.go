package report

import (
	"cmp"
	"fmt"
	"slices"
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
			return code(p.Op, inText)
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

// when lists the longest moments of a finding: "Longest on GPU 0 stream 7: 3.2 ms at 101.4 ms; …".
func when(f Finding, most int) string {
	places := slices.DeleteFunc(slices.Clone(f.Locations), func(p Place) bool { return p.DurUs <= 0 })
	slices.SortStableFunc(places, func(a, b Place) int { return cmp.Compare(b.DurUs, a.DurUs) })
	places = places[:min(most, len(places))]
	if len(places) == 0 {
		return ""
	}
	track := places[0].Track
	one := track != "" && !slices.ContainsFunc(places, func(p Place) bool { return p.Track != track })
	var out []string
	for _, p := range places {
		s := feature.Micros(p.DurUs) + " at " + feature.Moment(p.StartUs)
		if p.Track != "" && !one {
			s += " on " + name(p.Track, inTable)
		}
		out = append(out, s)
	}
	head := "Longest"
	if one {
		head += " on " + name(track, inTable)
	}
	return head + ": " + strings.Join(out, "; ") + "."
}
