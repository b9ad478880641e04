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

// spot is a place with the time there that the finding is about: how much, and the longest intervals, longest first.
type spot struct {
	feature.Place
	total span.Time
	times []span.Span
}

// add counts an interval, of which there may be millions.
func (s *spot) add(t span.Span) {
	s.total += t.Len()
	if n := len(s.times); n == maxPlaces && t.Len() <= s.times[n-1].Len() {
		return
	}
	at := slices.IndexFunc(s.times, func(o span.Span) bool { return o.Len() < t.Len() })
	if at < 0 {
		at = len(s.times)
	}
	s.times = slices.Insert(s.times, at, t)
	s.times = s.times[:min(len(s.times), maxPlaces)]
}

// places is where the records of the rule's locations lie; in a foreach without locations, where its record does; without
// either, where the longest claims are. Of a finding with claims only what it claims there counts, most first: a gap of which
// another finding claims most is no place of this one.
func (j judge) places(claims span.Set) []feature.Place {
	locations := j.rule.body.locations
	switch {
	case len(locations) > 0:
	case j.scene.it != nil:
		locations = []string{"it"}
	case len(claims) == 0:
		return nil
	default:
		s := spot{Place: j.scene.onTrack(feature.Place{}, nil)}
		for _, t := range claims {
			s.add(t)
		}
		return worthGoing([]spot{s})
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
	return worthGoing(spots)
}

// worthGoing is the longest interval of each spot, then more of them, as many as are kept. Spots and intervals that are small
// beside the largest are left out: what the host does in a gap of 10 µs does not explain one of 10 ms.
func worthGoing(spots []spot) []feature.Place {
	most, long := span.Time(0), span.Time(0)
	for _, s := range spots[:min(len(spots), maxPlaces)] {
		most = max(most, s.total)
		for _, t := range s.times {
			long = max(long, t.Len())
		}
	}
	var first, more []feature.Place
	for _, s := range spots[:min(len(spots), maxPlaces)] {
		if float64(s.total) < minorPlace*float64(most) {
			continue
		}
		times := s.times
		if len(times) == 0 {
			times = []span.Span{{}} // only the source is known
		}
		for i, t := range times {
			s.Start, s.Dur = t.Start.Micros(), t.Len().Micros()
			if i == 0 {
				first = append(first, s.Place)
			} else if float64(t.Len()) >= minorPlace*float64(long) {
				more = append(more, s.Place)
			}
		}
	}
	out := append(first, more...)
	return out[:min(len(out), maxPlaces)]
}

// spotOf reads the fields that say where: spans, else start_us and dur_us; op, frame, file, function, line.
func spotOf(r feature.Record, claims span.Set) (spot, bool) {
	p := feature.Place{Op: opOf(r), Frame: words(r, "frame"), File: words(r, "file"), Function: words(r, "function")}
	line, _ := float(r["line"])
	p.Line = int(line)
	s := spot{Place: p}
	set, timed := timesOf(r)
	if timed && len(claims) > 0 {
		claims.Meet(set, s.add)
		if s.total == 0 {
			return spot{}, false
		}
	} else {
		for _, t := range set {
			s.add(t)
		}
	}
	return s, timed || p.File != "" || p.Op != "" || p.Frame != ""
}

// opOf is the op that the time of a record passes in: of a gap that the host is late for, its culprit. The op of such a record
// is the one that ends the gap.
func opOf(r feature.Record) string {
	switch {
	case words(r, "kind") != "host-late":
		return words(r, "op")
	case words(r, "cause") == "frame": // which the place names as such
		return ""
	}
	return words(r, "subject")
}

// timesOf is the intervals of a record, and whether it says any.
func timesOf(r feature.Record) (span.Set, bool) {
	if set, ok := r.SpansOf("spans"); ok && len(set) > 0 {
		return set, true
	}
	start, timed := float(r["start_us"])
	dur, _ := float(r["dur_us"])
	return span.Of(span.Span{Start: nanos(start), End: nanos(start + dur)}), timed
}

func nanos(us float64) span.Time { return span.Time(math.Round(us * 1e3)) }

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
