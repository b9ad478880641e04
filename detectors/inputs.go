package detectors

import (
	"strings"

	"perflint/detectors/feature"
	"perflint/detectors/timeline"
)

// input is something that a capture may leave out.
type input struct {
	name, kineto, nsys, cost string   // what records it is Markdown, its code spans short enough for a table
	namespaces               []string // whose missing features are missing for it
	missing                  func(*timeline.Lane, *feature.Set) bool
}

var inputs = []input{
	{
		name: "host calls", kineto: cpuAndGPU, nsys: "`-t cuda,nvtx`", cost: "a few percent",
		namespaces: []string{"launch", "sync", "alloc"},
		missing:    func(l *timeline.Lane, _ *feature.Set) bool { return l.ActCount() > 0 && !l.HasCalls() },
	}, {
		name: "correlation ids, which link GPU work with its launching calls", kineto: "`export_chrome_trace` of torch.profiler, unedited", nsys: "`-t cuda`",
		cost: "nothing", namespaces: []string{"launch", "phase"},
		missing: func(l *timeline.Lane, s *feature.Set) bool {
			share, ok := s.Number("trace.linked_frac")
			return ok && share == 0 && l.HasCalls()
		},
	}, {
		name: "the launching calls of part of the GPU work", kineto: "a warm-up before the recorded steps, `schedule(wait=1, warmup=1, active=3)`",
		nsys: "`--capture-range=cudaProfilerApi` around whole steps", cost: "nothing", namespaces: []string{"phase"},
		missing: func(l *timeline.Lane, s *feature.Set) bool {
			linked, ok := s.Number("trace.linked_frac")
			return ok && linked > 0 && l.HasCalls() && aboveShare(s, "trace.unlinked_time_frac", 0.1)
		},
	}, {
		name: "CPU ops", kineto: cpuAndGPU, nsys: "`-t cuda,nvtx` with `--pytorch=autograd-nvtx`, or `torch.autograd.profiler.emit_nvtx()`",
		cost: "a few percent", namespaces: []string{"phase", "loader", "steps"},
		missing: func(l *timeline.Lane, _ *feature.Set) bool { return l.ActCount() > 0 && !l.Trace.HasOps },
	}, {
		name: "Python frames", kineto: "`with_stack=True`", nsys: "`--python-backtrace=cuda`, or NVTX ranges around your functions", cost: "10 % and more on the host, larger files",
		missing: func(l *timeline.Lane, s *feature.Set) bool {
			return !l.Trace.HasFrames && l.Trace.Format == "kineto" && l.Trace.HasOps && aboveShare(s, "idle.host_late_frac", 0.05)
		},
	}, {
		name: "step marks", kineto: "`prof.step()` once an iteration", nsys: "an NVTX range around each step", cost: "nothing", namespaces: []string{"steps", "launch", "sync", "h2d"},
		missing: func(l *timeline.Lane, _ *feature.Set) bool {
			return l.ActCount() > 0 && len(l.Steps) == 0 && l.Trace.HasOps
		},
	}, {
		name: "synchronisation events", kineto: "`experimental_config`, set to `_ExperimentalConfig(enable_cuda_sync_events=True)`", nsys: "`-t cuda` with `--cuda-event-trace=true`", cost: "a few percent",
		missing: func(l *timeline.Lane, s *feature.Set) bool {
			return len(l.Trace.Waits.Start) == 0 && aboveShare(s, "idle.device_wait_frac", 0.05)
		},
	}, {
		name: "sizes of collectives", kineto: "PyTorch 2.3 or later", nsys: "NCCL 2.26 or later with `-t cuda,nvtx`", cost: "nothing", namespaces: []string{"comm"},
		missing: func(_ *timeline.Lane, s *feature.Set) bool {
			_, known := s.Get("comm.small_us")
			return !known && aboveShare(s, "comm.total_frac", 0.05)
		},
	},
}

const cpuAndGPU = "`activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]`"

func aboveShare(s *feature.Set, name string, limit float64) bool {
	v, ok := s.Number(name)
	return ok && v > limit
}

func missingInputs(lane *timeline.Lane, set *feature.Set) []feature.Record {
	var out []feature.Record
	for _, in := range inputs {
		if !in.missing(lane, set) {
			continue
		}
		flag := in.kineto
		if lane.Trace.Format == "nsys" {
			flag = in.nsys
		}
		out = append(out, feature.Record{"input": in.name, "flag": flag, "cost": in.cost, "features": missingOf(set, in.namespaces)})
	}
	return out
}

// missingOf lists the missing features of namespaces, intervals aside.
func missingOf(set *feature.Set, namespaces []string) string {
	var out []string
	for _, name := range set.Schema().Names() {
		if strings.HasSuffix(name, "_spans") || strings.HasSuffix(name, "_frac") && strings.Contains(name, ".") && set.Reason(strings.TrimSuffix(name, "_frac")+"_us") != "" {
			continue
		}
		if _, ok := set.Get(name); !ok && set.Settled(name) {
			for _, ns := range namespaces {
				if feature.Namespace(name) == ns {
					out = append(out, name)
				}
			}
		}
	}
	return strings.Join(out, ", ")
}
