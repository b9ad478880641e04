package nsys

import (
	"fmt"
	"strings"

	"perflint/detectors/trace"
)

// copyKinds is how the exporter numbers the kinds of copy, for exports without a table of their own (before 2022.4), under
// the names of that table.
var copyKinds = []string{
	"UNKNOWN", "HTOD", "DTOH", "HTOA", "ATOH", "ATOA", "ATOD", "DTOA", "DTOD", "HTOH", "PTOP", "UVM_HTOD", "UVM_DTOH", "UVM_DTOD",
}

// memKinds is how the exporter numbers kinds of memory. CUPTI's own numbers are others.
var memKinds = []string{"PAGEABLE", "PINNED", "DEVICE", "ARRAY", "MANAGED", "DEVICE_STATIC", "MANAGED_STATIC", "UNKNOWN"}

var copyWords = map[string]struct {
	word string
	dir  trace.Direction
}{
	"HTOD": {"HtoD", trace.HtoD}, "DTOH": {"DtoH", trace.DtoH}, "DTOD": {"DtoD", trace.DtoD}, "HTOH": {"HtoH", trace.HtoH},
	"PTOP": {"PtoP", trace.PtoP},
	"HTOA": {"HtoA", trace.HtoD}, "ATOH": {"AtoH", trace.DtoH}, // arrays lie on the device
	"ATOA": {"AtoA", trace.DtoD}, "ATOD": {"AtoD", trace.DtoD}, "DTOA": {"DtoA", trace.DtoD},
	"UVM_HTOD": {"Unified HtoD", trace.UnifiedHtoD}, "UVM_DTOH": {"Unified DtoH", trace.UnifiedDtoH}, "UVM_DTOD": {"Unified DtoD", trace.UnifiedDtoD},
}

var memWords = map[string]struct {
	word string
	kind trace.MemKind
}{
	"PAGEABLE": {"Pageable", trace.PageableMem}, "PINNED": {"Pinned", trace.PinnedMem}, "DEVICE": {"Device", trace.DeviceMem},
	"ARRAY": {"Array", trace.ArrayMem}, "MANAGED": {"Managed", trace.ManagedMem},
	"DEVICE_STATIC": {"Device Static", trace.DeviceMem}, "MANAGED_STATIC": {"Managed Static", trace.ManagedMem},
}

// transfer is what the codes of a copy say.
type transfer struct {
	name     trace.Text
	dir      trace.Direction
	src, dst trace.MemKind
}

// copyNames decodes the codes of copies and fills and writes their names as Kineto does.
type copyNames struct {
	names        *trace.Names
	copies, mems map[int64]string // symbols by code
	known        map[[3]int64]transfer
}

func (r *reader) newCopyNames() *copyNames {
	return &copyNames{
		names:  r.b.Names,
		copies: r.symbols("ENUM_CUDA_MEMCPY_OPER", copyKinds),
		mems:   r.symbols("ENUM_CUDA_MEM_KIND", memKinds),
		known:  map[[3]int64]transfer{},
	}
}

// symbols reads one of the export's own tables of codes, whose names end like KIND_PINNED; fallback stands for codes that it
// does not list, since from 2026 it lists only those in use.
func (r *reader) symbols(table string, fallback []string) map[int64]string {
	m := map[int64]string{}
	for code, s := range fallback {
		m[int64(code)] = s
	}
	r.records(table, func(rec fields) {
		name := rec.text("name")
		if _, symbol, ok := strings.Cut(name, "KIND_"); ok {
			if _, inner, ok := strings.Cut(symbol, "KIND_"); ok {
				symbol = inner
			}
			m[rec.int(-1, "id")] = symbol
		}
	})
	return m
}

func (c *copyNames) mem(code int64) (string, trace.MemKind) {
	if m, ok := memWords[c.mems[code]]; ok {
		return m.word, m.kind
	}
	return "Unknown", trace.UnknownMem
}

func (c *copyNames) copy(kind, src, dst int64) transfer {
	key := [3]int64{kind, src, dst}
	t, ok := c.known[key]
	if ok {
		return t
	}
	from, srcKind := c.mem(src)
	to, dstKind := c.mem(dst)
	word, found := copyWords[c.copies[kind]]
	if !found {
		word.word = "Unknown"
	}
	t = transfer{c.names.Intern(fmt.Sprintf("Memcpy %s (%s -> %s)", word.word, from, to)), word.dir, srcKind, dstKind}
	c.known[key] = t
	return t
}

func (c *copyNames) fill(mem int64) (trace.Text, trace.MemKind) {
	word, kind := c.mem(mem)
	key := [3]int64{-1, mem, 0}
	t, ok := c.known[key]
	if !ok {
		t.name = c.names.Intern("Memset (" + word + ")")
		c.known[key] = t
	}
	return t.name, kind
}
