package kineto

import (
	"bytes"
	"fmt"
	"math/bits"

	"perflint/detectors/trace"
)

// document walks the top level of the file. Its keys come in any order, and what describes the capture may stand behind the
// events.
type document struct {
	w         *window
	s         *scanner // for values outside the events
	root      *trace.Builder
	keys      map[string]bool // of the top level, as far as they tell what the file is
	packed    bool            // the file is a gzip file
	bare      bool            // the top level is the array of events
	hasEvents bool
	cut       bool
	cutAt     string // where the file ends too early
	total     tally
	about     about
	workers   int
}

// maxValue bounds a value of the top level that is kept in memory; longer ones are passed over.
const maxValue = 16 << 20

func (d *document) walk() error {
	w := d.w
	w.fill()
	if bytes.HasPrefix(w.buf[:w.n], bom) {
		w.pos = len(bom)
		d.root.Note("repaired", "the file starts with a byte-order mark")
	}
	start := w.pos
	if !w.space() {
		return notJSON(nil)
	}
	switch w.buf[w.pos] {
	case '[':
		d.bare = true
		d.array()
		d.rest()
		return nil
	case '{':
		w.pos++
		return d.members()
	}
	return notJSON(w.buf[min(start, w.pos):w.n])
}

// rest notes what follows the end of the document, such as a second trace that was written behind the first.
func (d *document) rest() {
	if d.hasEvents && !d.cut && d.w.space() {
		d.root.Note("dropped", fmt.Sprintf("more follows the end of the trace at byte %d (line %d); it was not read", d.w.here(), d.w.lineHere()))
	}
}

// members reads the members of the top-level object.
func (d *document) members() error {
	w := d.w
	for first := true; ; first = false {
		key, ok, err := d.key(first)
		if err != nil || !ok {
			return err
		}
		if !w.space() {
			return d.short()
		}
		switch {
		case key == "traceEvents" && w.buf[w.pos] == '[':
			if d.hasEvents {
				d.root.Note("repaired", "traceEvents stands more than once; all lists were read")
			}
			d.array()
		case key == "traceEvents" && !d.hasEvents:
			return &NotTrace{"holds JSON whose traceEvents is no list, so it is no Kineto trace" + howToRecord}
		default:
			err = d.value(key)
		}
		if err != nil || d.cut {
			return err
		}
	}
}

// key reads the next key of the top level up to its colon; not ok at the end of the object.
func (d *document) key(first bool) (string, bool, error) {
	w := d.w
	for {
		if !w.space() {
			return "", false, d.short()
		}
		if c := w.buf[w.pos]; c == ',' {
			w.pos++
		} else if c == '}' {
			w.pos++
			d.rest()
			return "", false, nil
		} else if c == '"' {
			break
		} else {
			return "", false, d.garbled(first)
		}
	}
	end, ok := d.whole(maxValue)
	if !ok {
		return "", false, d.short()
	}
	raw := w.buf[w.pos+1 : end-1]
	if plain, fixes := meaning(raw); plain != nil && fixes == 0 {
		raw = plain
	}
	key := string(raw[:min(len(raw), 100)])
	w.pos = end
	if !w.space() {
		return "", false, d.short()
	}
	if w.buf[w.pos] != ':' {
		return "", false, d.garbled(false)
	}
	w.pos++
	return key, true, nil
}

// whole reads on until all of the value at the window's position is in memory, and returns the index behind it. Not ok when
// the file ends before, or when the value is longer than limit or broken.
func (d *document) whole(limit int) (end int, ok bool) {
	w := d.w
	for {
		d.s.b, d.s.end, d.s.e.fixes = w.buf, w.n, 0
		end := d.s.skip(w.pos)
		if end >= 0 && (end < w.n || w.eof) {
			return end, true
		}
		if end < 0 && d.s.stop < w.n || w.n-w.pos > limit || !w.fill() {
			return 0, false
		}
	}
}

// value takes what is of use of a member of the top level. Log lines, names of users and hosts, and what other tools put
// there, are never kept.
func (d *document) value(key string) error {
	d.keys[key] = true
	if d.about.wants(key, d.w.buf[d.w.pos]) {
		if end, ok := d.whole(maxValue); ok {
			d.about.take(d.root, key, d.w.buf[d.w.pos:end])
			d.w.pos = end
			return nil
		}
	}
	return d.pass()
}

// pass goes behind the value at the window's position, however long it is.
func (d *document) pass() error {
	w := d.w
	depth, inText := 0, false
	for {
		b, i := w.buf, w.pos
		for i < w.n {
			if inText {
				i, inText = textEnd(b, i, w.n)
				continue
			}
			switch c := b[i]; {
			case depth == 0 && (c == ',' || c == '}' || c == ']'):
				w.pos = i
				return nil
			case c == '"':
				inText = true
			case bracket[c] == opens:
				depth++
			case bracket[c] == shuts:
				depth--
			}
			i++
		}
		over := i - w.n // a backslash was the last byte: the next one is escaped
		w.pos = w.n
		if !w.fill() {
			return d.short()
		}
		w.pos += over
	}
}

// textEnd goes to the end of the string that b[i] is inside of, or to n; it tells whether it is still inside.
func textEnd(b []byte, i, n int) (int, bool) {
	for i < n {
		m := special(word(b, i))
		if m == 0 {
			i += 8
			continue
		}
		switch i += bits.TrailingZeros64(m) >> 3; {
		case i >= n:
			return n, true
		case b[i] == '"':
			return i + 1, false
		case b[i] == '\\':
			i++
		}
		i++
	}
	return i, true
}

// array reads the list of events.
func (d *document) array() {
	d.hasEvents = true
	d.w.pos++
	d.events()
}

// short notes that the file ends at the top level, outside the events.
func (d *document) short() error {
	if d.w.err != nil || d.hasEvents {
		d.cutHere("behind its events")
		return nil
	}
	return &NotTrace{fmt.Sprintf("ends after %d bytes, before any trace event: it was cut", d.w.here())}
}

func (d *document) cutHere(where string) {
	d.cut = true
	d.w.pos = d.w.n
	d.cutAt = fmt.Sprintf("the file ends %s, at byte %d (line %d)", where, d.w.here(), d.w.lineHere())
}

// garbled handles a top level that is not as JSON is.
func (d *document) garbled(first bool) error {
	if d.hasEvents {
		d.root.Note("dropped", fmt.Sprintf("what follows byte %d (line %d), behind the events, is no JSON and was not read",
			d.w.here(), d.w.lineHere()))
		return nil
	}
	if first {
		return notJSON(d.w.buf[:d.w.n])
	}
	return &NotTrace{fmt.Sprintf("is no valid JSON: byte %d (line %d) is out of place", d.w.here(), d.w.lineHere())}
}
