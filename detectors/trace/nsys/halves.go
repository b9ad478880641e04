package nsys

import (
	"cmp"
	"slices"
)

// half is the beginning or the end of an NVTX range, where the export writes the two as rows of their own.
type half struct {
	at, kind, tid, domain, id int64
	label                     label
	row                       int
}

// joinHalves pairs beginnings and ends: pushes with the pops of their thread and domain, starts with the ends of their id.
// An end without a beginning belongs to a range from before the capture and is dropped.
func (r *reader) joinHalves(halves []half) {
	slices.SortFunc(halves, func(x, y half) int {
		return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.row, y.row))
	})
	type stack struct{ tid, domain int64 }
	type started struct{ process, id int64 }
	pushed := map[stack][]half{}
	running := map[started]half{}
	add := func(h half, end, kind int64) {
		r.addRange([]int64{h.at, end, kind, h.tid}, h.label)
	}
	for _, h := range halves {
		on, key := stack{h.tid, h.domain}, started{pid(h.tid), h.id}
		switch h.kind {
		case nvtxPush:
			pushed[on] = append(pushed[on], h)
		case nvtxPop:
			if n := len(pushed[on]); n > 0 {
				add(pushed[on][n-1], h.at, nvtxPushPop)
				pushed[on] = pushed[on][:n-1]
			}
		case nvtxStart:
			running[key] = h
		case nvtxStop:
			if from, ok := running[key]; ok {
				add(from, h.at, nvtxStartEnd)
				delete(running, key)
			}
		}
	}
	var open []half
	for _, s := range pushed {
		open = append(open, s...)
	}
	for _, h := range running {
		open = append(open, h)
	}
	slices.SortFunc(open, func(x, y half) int { return cmp.Compare(x.row, y.row) })
	for _, h := range open {
		kind := int64(nvtxPushPop)
		if h.kind == nvtxStart {
			kind = nvtxStartEnd
		}
		add(h, openEnd, kind)
	}
}
