package nsys

// Ids below denseIDs are kept by pages of idPage: trimmed files number a hundred strings up to several millions.
const (
	denseIDs = 1 << 24
	idPage   = 1 << 7
)

// byID remembers a value for each id that was asked for.
type byID[V any] struct {
	pages  []*valuePage[V] // nil where no id was asked for
	sparse map[int64]V
}

type valuePage[V any] struct {
	values [idPage]V
	known  [idPage]bool
}

// get returns the value of id and makes it when id is new.
func (m *byID[V]) get(id int64, make func(int64) V) V {
	if k := uint64(id) / idPage; k < uint64(len(m.pages)) {
		if p, at := m.pages[k], id%idPage; p != nil && p.known[at] {
			return p.values[at]
		}
	} else if v, ok := m.sparse[id]; ok {
		return v
	}
	v := make(id)
	m.put(id, v)
	return v
}

func (m *byID[V]) put(id int64, v V) {
	if id < 0 || id >= denseIDs {
		if m.sparse == nil {
			m.sparse = map[int64]V{}
		}
		m.sparse[id] = v
		return
	}
	k, at := int(id/idPage), id%idPage
	if k >= len(m.pages) {
		m.pages = append(m.pages, make([]*valuePage[V], max(k+1, 2*len(m.pages))-len(m.pages))...)
	}
	if m.pages[k] == nil {
		m.pages[k] = &valuePage[V]{}
	}
	m.pages[k].values[at], m.pages[k].known[at] = v, true
}
