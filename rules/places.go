package rules

import (
	"fmt"
	"slices"

	"perflint/detectors/feature"
	"perflint/detectors/span"
)

// minorPlace is the part of the longest place below which another is not worth going to.
const minorPlace = 0.1

// places is where the records of the rule's locations lie; in a foreach without locations, where its record does. Places
// that are short beside the longest are left out: what the host does in a gap of 10 µs does not explain one of 10 ms.
func (j judge) places() []feature.Place {
	locations := j.rule.body.locations
	if len(locations) == 0 && j.scene.it != nil {
		locations = []string{"it"}
	}
	var out []feature.Place
	for _, name := range locations {
		records := []feature.Record{j.scene.it}
		if name != "it" {
			v, _ := j.scene.get(name)
			records, _ = v.([]feature.Record)
		}
		for _, r := range records {
			if p, ok := placeOf(r); ok && len(out) < maxPlaces {
				out = append(out, j.scene.onTrack(p, r))
			}
		}
	}
	longest := 0.0
	for _, p := range out {
		longest = max(longest, p.Dur)
	}
	return slices.DeleteFunc(out, func(p feature.Place) bool { return p.Dur < minorPlace*longest })
}

// placeOf reads the fields that say where: start_us and dur_us, else the longest of spans; op, frame, file, function, line.
func placeOf(r feature.Record) (feature.Place, bool) {
	p := feature.Place{Op: words(r, "op"), Frame: words(r, "frame"), File: words(r, "file"), Function: words(r, "function")}
	line, _ := float(r["line"])
	p.Line = int(line)
	start, timed := float(r["start_us"])
	p.Start = start
	p.Dur, _ = float(r["dur_us"])
	if set, ok := r["spans"].(span.Set); ok && !timed && len(set) > 0 {
		timed = true
		longest := set[0]
		for _, s := range set {
			if s.Len() > longest.Len() {
				longest = s
			}
		}
		p.Start, p.Dur = longest.Start.Micros(), longest.Len().Micros()
	}
	return p, timed || p.File != "" || p.Op != "" || p.Frame != ""
}

func words(r feature.Record, field string) string {
	s, _ := r[field].(string)
	return s
}

// onTrack names the track: what the record says, else its GPU and stream.
func (s *scene) onTrack(p feature.Place, r feature.Record) feature.Place {
	p.Track = words(r, "track")
	if p.Track == "" && s.lane != nil && s.lane.Lane.GPU >= 0 {
		p.Track = fmt.Sprintf("GPU %d", s.lane.Lane.GPU)
		if stream, ok := float(r["stream"]); ok {
			p.Track += fmt.Sprintf(" stream %d", int64(stream))
		}
	}
	return p
}
