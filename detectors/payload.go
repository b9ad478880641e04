package detectors

import (
	"regexp"
	"strings"

	"perflint/detectors/timeline"
	"perflint/detectors/trace"
)

// kernelCollective finds the collective in the names of NCCL, RCCL and custom kernels.
var kernelCollective = regexp.MustCompile(`(?i)all_?reduce|all_?gather|reduce_?scatter|all_?to_?all|send_?recv|broadcast|combine|dispatch|reduce|send|recv`)

// kind is the spelling-free kind of a collective: all_reduce, AllReduce and allreduce are one.
func kind(name string) string {
	if strings.Contains(name, "cross_device_reduce") { // vLLM's all-reduce
		return "allreduce"
	}
	m := kernelCollective.FindString(name)
	return strings.ToLower(strings.ReplaceAll(m, "_", ""))
}

// payload is what a communication kernel does, and with how many bytes: -1 unknown.
type payload struct {
	kind  string
	bytes int64
}

// payloads tells what communication kernels do. It works that out once for kernels of the same names and arguments: there are
// few of those, and many kernels.
type payloads struct {
	lane  *timeline.Lane
	known map[payloadNames]payload
}

type payloadNames struct {
	args     int32 // index into trace.Trace.Collective
	name, op trace.Text
}

func (p *payloads) of(i int32) payload {
	names := payloadNames{args: p.lane.Trace.Work.Collective(p.lane.Row(i)), name: p.lane.WorkName[i]}
	if c := p.lane.Call[i]; c >= 0 {
		names.op = p.lane.Enclosing(c).Op
	}
	out, ok := p.known[names]
	if !ok {
		if p.known == nil {
			p.known = map[payloadNames]payload{}
		}
		args := p.lane.Trace.Collective[names.args]
		out.kind = collectiveKind(args.Name, p.lane.Name(names.name), p.lane.Name(names.op))
		out.bytes = collectiveBytes(args, out.kind)
		p.known[names] = out
	}
	return out
}

// collectiveKind is the kind of a communication kernel: from its recorded arguments, its name, or the range that encloses
// its launch (RCCL has one generic kernel for all).
func collectiveKind(recorded, kernel, op string) string {
	for _, name := range []string{recorded, kernel, op} {
		if k := kind(name); k != "" {
			return k
		}
	}
	return "unknown"
}

var elementBytes = map[string]int64{
	"byte": 1, "char": 1, "bool": 1, "int8": 1, "uint8": 1, "float8_e4m3fn": 1, "float8_e5m2": 1, "half": 2, "bfloat16": 2, "short": 2, "float16": 2,
	"float": 4, "int": 4, "float32": 4, "int32": 4, "double": 8, "long": 8, "int64": 8, "float64": 8,
}

// collectiveBytes is the size of a collective as nccl-tests counts it: of an all-gather the output, of the others the
// input; -1 unknown.
func collectiveBytes(c trace.Collective, kind string) int64 {
	size, ok := elementBytes[strings.ToLower(strings.TrimPrefix(strings.ToLower(c.Dtype), "c10::"))]
	elems := c.InElems
	if kind == "allgather" {
		elems = c.OutElems
	}
	if !ok || elems < 0 {
		return -1
	}
	return elems * size
}
