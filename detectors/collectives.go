package detectors

import (
	"cmp"
	"slices"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
)

var collectiveFields = []feature.Decl{
	text("collective", "Kind: allreduce, allgather, reducescatter, alltoall, broadcast, sendrecv, …"),
	text("name", "Short kernel name"),
	text("group", "Process group, where recorded"),
	words("size_class", "under 1 MB, 1 to 8 MB, 8 MB and more, or unknown"),
	text("dtype", "Element type, where recorded"),
	count("count", "Kernels"),
	number("total_us", feature.Us, "Time in which they run"),
	number("exposed_us", feature.Us, "Time in which they run and nothing computes"),
	number("exposed_frac", feature.Frac, "The same as a share of the window"),
	size("bytes", "Bytes, counted as nccl-tests does; absent when unknown"),
	number("alg_gbps", feature.Gbps, "Algorithm bandwidth; absent when unknown"),
	number("bus_gbps", feature.Gbps, "Bus bandwidth; absent when unknown"),
	number("min_us", feature.Us, "The shortest"),
	number("mean_us", feature.Us, "Mean duration"),
	{Name: "spans", Type: feature.Spans, Doc: "Their exposed time"},
}

// sizesUnknown is why features of sizes are missing. Nsight exports hold sizes in a form that is not decoded.
const sizesUnknown = "the sizes of its collectives are not known; torch.profiler of PyTorch 2.3 and later records them"

// busFactor turns algorithm bandwidth into bus bandwidth (nccl-tests, PERFORMANCE.md); 0 where it is not defined.
func busFactor(kind string, n int) float64 {
	if n < 2 {
		return 0
	}
	switch kind {
	case "allreduce":
		return 2 * float64(n-1) / float64(n)
	case "allgather", "reducescatter", "alltoall":
		return float64(n-1) / float64(n)
	case "broadcast", "reduce", "send", "recv", "sendrecv":
		return 1
	}
	return 0
}

func sizeClass(bytes int64) string {
	switch {
	case bytes < 0:
		return "unknown"
	case bytes < 1e6:
		return "under 1 MB"
	case bytes < 8e6:
		return "1 to 8 MB"
	}
	return "8 MB and more"
}

type collectiveKey struct{ kind, group, size, dtype string }

type collectiveGroup struct {
	collectiveKey
	name     string
	n        int // ranks
	bytes    int64
	sum, min span.Time
	count    int
	spans    span.Packer
}

func collectiveRecords(lane *timeline.Lane) []feature.Record {
	groups := map[collectiveKey]*collectiveGroup{}
	payloads := payloads{lane: lane}
	for _, i := range lane.Comms() {
		addCollective(lane, groups, lane.Act(i), payloads.of(i))
	}
	var all []*collectiveGroup
	for _, g := range groups {
		all = append(all, g)
	}
	slices.SortFunc(all, func(a, b *collectiveGroup) int {
		return cmp.Or(cmp.Compare(b.sum, a.sum), cmp.Compare(a.kind, b.kind), cmp.Compare(a.group, b.group),
			cmp.Compare(a.size, b.size), cmp.Compare(a.dtype, b.dtype))
	})
	var out []feature.Record
	for _, g := range all[:min(len(all), feature.MaxRecords)] {
		out = append(out, g.record(lane))
	}
	return out
}

func addCollective(lane *timeline.Lane, groups map[collectiveKey]*collectiveGroup, a timeline.Act, p payload) {
	w := &lane.Trace.Work
	args := lane.Trace.Collective[w.Collective(a.Row)]
	k := collectiveKey{kind: p.kind, group: args.Group, size: sizeClass(p.bytes), dtype: args.Dtype}
	g := groups[k]
	if g == nil {
		g = &collectiveGroup{collectiveKey: k, name: shortKernelName(lane.Name(w.Name[a.Row])), n: args.GroupSize, min: a.Len()}
		groups[k] = g
	}
	g.count++
	g.bytes += max(0, p.bytes)
	g.sum += a.Len()
	g.min = min(g.min, a.Len())
	g.spans.Add(a.Clip(lane.W))
}

func (g *collectiveGroup) record(lane *timeline.Lane) feature.Record {
	total := g.spans.Packed().Set()
	exposed := total.Minus(lane.Compute)
	r := feature.Record{
		"collective": g.kind, "name": g.name, "group": g.group, "size_class": g.size, "dtype": g.dtype, "count": int64(g.count),
		"total_us": total.Total().Micros(), "exposed_us": exposed.Total().Micros(), "min_us": g.min.Micros(),
		"exposed_frac": float64(exposed.Total()) / float64(lane.W.Len()),
		"mean_us":      g.sum.Micros() / float64(g.count), "spans": exposed,
	}
	if g.size != "unknown" {
		r["bytes"] = g.bytes
		if g.sum > 0 && g.bytes > 0 {
			alg := float64(g.bytes) / float64(g.sum)
			r["alg_gbps"] = alg
			if f := busFactor(g.kind, g.n); f > 0 {
				r["bus_gbps"] = alg * f
			}
		}
	}
	return r
}

// putSmall measures collectives under 1 MB; missing when the size of any is unknown.
func putSmall(lane *timeline.Lane, set *feature.Set) {
	var small span.Packer
	payloads := payloads{lane: lane}
	for _, i := range lane.Comms() {
		switch bytes := payloads.of(i).bytes; {
		case bytes < 0:
			missingDuration(set, "comm.small", sizesUnknown)
			return
		case bytes < 1e6:
			small.Add(lane.ActSpan(i).Clip(lane.W))
		}
	}
	putPackedDuration(set, lane, "comm.small", small.Packed())
}
