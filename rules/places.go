package rules

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"perflint/detectors/feature"
	"perflint/detectors/span"
)

// minorPlace is the part of the largest place below which another is not worth going to.
const minorPlace = 0.1

// spot is a place with the time there that the finding is about.
type spot struct {
	feature.Place
	total float64 // µs
}

// places is where the records of the rule's locations lie; in a foreach without locations, where its record does. Of a
// finding with claims only what it claims there counts, most first: a gap of which another finding claims most is no place
// of this one. Places that are small beside the largest are left out: what the host does in a gap of 10 µs does not explain
// one of 10 ms.
func (j judge) places(claims span.Set) []feature.Place {
	locations := j.rule.body.locations
	if len(locations) == 0 && j.scene.it != nil {
		locations = []string{"it"}
	}
	var spots []spot
	for _, name := range locations {
		records := []feature.Record{j.scene.it}
		if name != "it" {
			v, _ := j.scene.get(name)
			records, _ = v.([]feature.Record)
		}
		for _, r := range records {
			if s, ok := spotOf(r, claims); ok {
				s.Place = j.scene.onTrack(s.Place, r)
				spots = append(spots, s)
			}
		}
	}
	if len(claims) > 0 {
		slices.SortStableFunc(spots, func(a, b spot) int { return cmp.Compare(b.total, a.total) })
	}
	return worthGoing(spots[:min(len(spots), maxPlaces)])
}

func worthGoing(spots []spot) []feature.Place {
	most := 0.0
	for _, s := range spots {
		most = max(most, s.total)
	}
	var out []feature.Place
	for _, s := range spots {
		if s.total >= minorPlace*most {
			out = append(out, s.Place)
		}
	}
	return out
}

// spotOf reads the fields that say where: spans, else start_us and dur_us; op, frame, file, function, line. Of several
// intervals the longest is the one to look at.
func spotOf(r feature.Record, claims span.Set) (spot, bool) {
	p := feature.Place{Op: words(r, "op"), Frame: words(r, "frame"), File: words(r, "file"), Function: words(r, "function")}
	line, _ := float(r["line"])
	p.Line = int(line)
	set, timed := timesOf(r)
	if timed && len(claims) > 0 {
		if set = claimedIn(set, claims); len(set) == 0 {
			return spot{}, false
		}
	}
	for _, s := range set {
		if d := s.Len().Micros(); d > p.Dur {
			p.Start, p.Dur = s.Start.Micros(), d
		}
	}
	return spot{p, set.Total().Micros()}, timed || p.File != "" || p.Op != "" || p.Frame != ""
}

// timesOf is the intervals of a record, and whether it says any.
func timesOf(r feature.Record) (span.Set, bool) {
	if set, ok := r["spans"].(span.Set); ok && len(set) > 0 {
		return set, true
	}
	start, timed := float(r["start_us"])
	dur, _ := float(r["dur_us"])
	return span.Of(span.Span{Start: nanos(start), End: nanos(start + dur)}), timed
}

func nanos(us float64) span.Time { return span.Time(math.Round(us * 1e3)) }

// claimedIn is the part of a record's time that is claimed. Most records are one interval, and claims may be a million.
func claimedIn(set, claims span.Set) span.Set {
	if len(set) == 0 {
		return nil
	}
	near := claims.Clip(span.Span{Start: set[0].Start, End: set[len(set)-1].End})
	if len(set) == 1 {
		return near
	}
	return near.And(set)
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
