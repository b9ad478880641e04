package nsys

import (
	"strings"

	"perflint/detectors/trace"
)

// overheadKinds is the kinds of CUPTI overhead from 2026.1 on, under Kineto's names for them; 0 and 1 say nothing.
var overheadKinds = []string{
	2: "Driver Compiler", 3: "Buffer Flush", 4: "Instrumentation", 5: "Resource",
	6: "Runtime Triggered Module Loading", 7: "Lazy Function Loading", 8: "Command Buffer Full",
}

var overheadColumns = []column{{"start", noTime}, {"end", 0}, {"nameId", -1}, {"overheadType", 0}}

func (r *reader) readOverheads() {
	var byKind, byName byID[trace.Text]
	each := func(v []int64) {
		name := trace.Text(0)
		if k := v[3]; k >= 2 && k < int64(len(overheadKinds)) {
			name = byKind.get(k, func(k int64) trace.Text { return r.b.Names.Intern(overheadKinds[k]) })
		} else {
			name = byName.get(v[2], func(id int64) trace.Text {
				s, _ := r.string(id)
				return r.b.Names.Intern(overheadName(s))
			})
		}
		r.last = max(r.last, v[1])
		r.b.AddOverhead(trace.OverheadRow{Start: v[0], End: v[1], Name: name})
	}
	r.scanAll("PROFILER_OVERHEAD", overheadColumns, ints(each))
	r.scanAll("CUPTI_ACTIVITY_KIND_OVERHEAD", overheadColumns, ints(each))
}

// overheadName translates the names of exports that do not number them: "CUPTI: Buffer flush", "CUPTI Buffer flush".
func overheadName(s string) string {
	rest, ok := strings.CutPrefix(s, "CUPTI")
	if !ok {
		return s
	}
	switch strings.ToLower(strings.TrimLeft(rest, ": ")) {
	case "buffer flush":
		return "Buffer Flush"
	case "instrumentation":
		return "Instrumentation"
	case "resource management":
		return "Resource"
	}
	return s
}
