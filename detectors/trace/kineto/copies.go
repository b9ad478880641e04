package kineto

import (
	"bytes"

	"perflint/detectors/trace"
)

// directions are the words for the direction of a copy, in lower case without spaces and underscores: CUPTI's, those of
// rocprofiler (MEMORY_COPY_HOST_TO_DEVICE) and those of XPU (M2D). A CUDA array lies on the device.
var directions = []struct {
	word string
	dir  trace.Direction
}{
	{"hosttodevice", trace.HtoD}, {"devicetohost", trace.DtoH}, {"devicetodevice", trace.DtoD}, {"hosttohost", trace.HtoH},
	{"htod", trace.HtoD}, {"dtoh", trace.DtoH}, {"dtod", trace.DtoD}, {"htoh", trace.HtoH}, {"ptop", trace.PtoP},
	{"htoa", trace.HtoD}, {"atoh", trace.DtoH}, {"atoa", trace.DtoD}, {"atod", trace.DtoD}, {"dtoa", trace.DtoD},
	{"m2d", trace.HtoD}, {"d2m", trace.DtoH}, {"h2d", trace.HtoD}, {"d2h", trace.DtoH}, {"d2d", trace.DtoD}, {"m2m", trace.HtoH},
	{"p2p", trace.PtoP},
}

func directionOf(words []byte) trace.Direction {
	flat := bytes.ToLower(words)
	flat = bytes.ReplaceAll(bytes.ReplaceAll(flat, []byte(" "), nil), []byte("_"), nil)
	for _, d := range directions {
		if bytes.Contains(flat, []byte(d.word)) {
			return d.dir
		}
	}
	return trace.NoDirection
}

// copyName reads `Memcpy HtoD (Pageable -> Device)`. ROCm says Host, which may be pinned or not.
func copyName(name []byte) (dir trace.Direction, src, dst trace.MemKind) {
	head, sides, ok := bytes.Cut(name, []byte("("))
	dir = directionOf(head)
	if !ok {
		return dir, trace.UnknownMem, trace.UnknownMem
	}
	from, to, _ := bytes.Cut(bytes.TrimSuffix(bytes.TrimSpace(sides), []byte(")")), []byte("->"))
	return dir, memory(from), memory(to)
}

func memory(side []byte) trace.MemKind {
	switch string(bytes.ToLower(bytes.TrimSpace(side))) {
	case "pageable":
		return trace.PageableMem
	case "pinned":
		return trace.PinnedMem
	case "host":
		return trace.HostMem
	case "device", "device static":
		return trace.DeviceMem
	case "array":
		return trace.ArrayMem
	case "managed", "managed static":
		return trace.ManagedMem
	}
	return trace.UnknownMem
}

// disguised tells the copies and fills that ROCm runs, and lists, as kernels.
func disguised(name []byte) (trace.WorkKind, trace.Direction) {
	switch {
	case bytes.HasPrefix(name, []byte("__amd_rocclr_copy")):
		return trace.Copy, trace.NoDirection
	case bytes.HasPrefix(name, []byte("__amd_rocclr_fill")):
		return trace.Fill, trace.NoDirection
	case bytes.HasPrefix(name, []byte("MEMORY_COPY_")):
		return trace.Copy, directionOf(name)
	}
	return trace.Kernel, trace.NoDirection
}
