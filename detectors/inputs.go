package detectors

import (
	"strings"

	"perflint/detectors/feature"
	"perflint/detectors/timeline"
)

var _ = register(Detector{
	Name: "inputs",
	Doc:  "What was not recorded and would have helped.",
	Features: declare(
		list("trace.missing_inputs", "What was not recorded and would have helped to judge this trace",
			words("input", "What is missing"), words("flag", "What records it"), words("line", "The line of torch.profiler, or the command of Nsight Systems, that does"), text("features", "Features that are missing for it"), words("cost", "What recording it costs")),
	),
	Needs: Results,
	Detect: func(lane *timeline.Lane, set *feature.Set) error {
		set.List("trace.missing_inputs", missingInputs(lane, set))
		return nil
	},
})

// input is something that a capture may leave out. What records it is Markdown: a flag whose code spans are short enough for a
// table, and the arguments that go into torch.profiler.profile(…) or between nsys profile and the program.
type input struct {
	name, cost      string
	kineto, profile string
	nsys, options   string   // empty: no Nsight export gives it, and what torch.profiler would is named instead
	namespaces      []string // whose missing features are missing for it
	missing         func(*timeline.Lane, *feature.Set) bool
}

var inputs = []input{
	{
		name: "host calls", kineto: "`activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]`", profile: bothActivities, nsys: "`-t cuda,nvtx`", options: "-t cuda,nvtx",
		cost: "a few percent", namespaces: []string{"launch", "sync", "alloc"},
		missing: func(l *timeline.Lane, _ *feature.Set) bool { return l.ActCount() > 0 && !l.HasCalls() },
	}, {
		name: "correlation ids, which link GPU work with its launching calls", kineto: "`export_chrome_trace` of torch.profiler, unedited", profile: bothActivities,
		nsys: "`-t cuda`", options: "-t cuda,nvtx", cost: "nothing", namespaces: []string{"launch", "phase"},
		missing: func(l *timeline.Lane, s *feature.Set) bool {
			share, ok := s.Number("trace.linked_frac")
			return ok && share == 0 && l.HasCalls()
		},
	}, {
		name: "the launching calls of part of the GPU work", kineto: "a warm-up before the recorded steps, `schedule(wait=1, warmup=1, active=3)`",
		profile: "schedule=torch.profiler.schedule(wait=1, warmup=1, active=3)", nsys: "`--capture-range=cudaProfilerApi` around whole steps",
		options: "-t cuda,nvtx --capture-range=cudaProfilerApi --capture-range-end=stop", cost: "nothing", namespaces: []string{"phase"},
		missing: func(l *timeline.Lane, s *feature.Set) bool {
			linked, ok := s.Number("trace.linked_frac")
			return ok && linked > 0 && l.HasCalls() && (aboveShare(s, "trace.unlinked_time_frac", 0.1) || aboveShare(s, "idle.unknown_frac", 0.1))
		},
	}, {
		name: "CPU ops", kineto: "`activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]`", profile: bothActivities,
		nsys: "`--pytorch=autograd-nvtx`, or `torch.autograd.profiler.emit_nvtx()`", options: "-t cuda,nvtx --pytorch=autograd-nvtx",
		cost: "a few percent", namespaces: []string{"phase", "loader", "steps"},
		missing: func(l *timeline.Lane, _ *feature.Set) bool { return l.ActCount() > 0 && !l.Trace.HasOps },
	}, {
		name: "Python frames", kineto: "`with_stack=True`", profile: bothActivities + ", with_stack=True", nsys: "NVTX ranges around your functions",
		options: "-t cuda,nvtx --pytorch=functions-trace", cost: "10 % and more on the host, larger files",
		missing: func(l *timeline.Lane, s *feature.Set) bool {
			return !l.Trace.HasFrames && l.Trace.Format == "kineto" && l.Trace.HasOps && aboveShare(s, "idle.host_late_frac", 0.05)
		},
	}, {
		name: "input dimensions", kineto: "`record_shapes=True`", profile: bothActivities + ", record_shapes=True", nsys: "`--pytorch=autograd-shapes-nvtx`",
		options: "-t cuda,nvtx --pytorch=autograd-shapes-nvtx", cost: "a few percent on the host, larger files", namespaces: []string{"jit", "steps"},
		missing: func(l *timeline.Lane, s *feature.Set) bool {
			repeats := aboveShare(s, "steps.repeat_frac", 0.8) && aboveShare(s, "steps.sequence_count", 29) && aboveShare(s, "idle.issue_frac", 0.08)
			return !l.Trace.HasShapes && l.Trace.HasOps && (aboveShare(s, "jit.exposed_frac", 0.01) || repeats)
		},
	}, {
		name: "allocator events", kineto: "`profile_memory=True`", profile: bothActivities + ", profile_memory=True", nsys: "`--cuda-memory-usage=true`",
		options: "-t cuda,nvtx --cuda-memory-usage=true", cost: "a few percent on the host, larger files", namespaces: []string{"memory"},
		missing: func(l *timeline.Lane, s *feature.Set) bool {
			return !l.Trace.HasMemory && aboveShare(s, "alloc.exposed_frac", 0.005)
		},
	}, {
		name: "the kernels of graphs", kineto: "a current PyTorch, which records them", profile: bothActivities, nsys: "`--cuda-graph-trace=node`",
		options: "-t cuda,nvtx --cuda-graph-trace=node", cost: "some microseconds a node", namespaces: []string{"graph"},
		missing: func(_ *timeline.Lane, s *feature.Set) bool { return aboveShare(s, "graph.body_count", 0) },
	}, {
		name: "step marks", kineto: "`prof.step()` once an iteration", profile: "schedule=torch.profiler.schedule(wait=1, warmup=1, active=3)",
		nsys: "an NVTX range around each step", options: "-t cuda,nvtx", cost: "nothing", namespaces: []string{"steps", "launch", "sync", "h2d"},
		missing: func(l *timeline.Lane, _ *feature.Set) bool {
			return l.ActCount() > 0 && len(l.Steps) == 0 && l.Trace.HasOps
		},
	}, {
		name: "the events that streams wait for", kineto: "`enable_cuda_sync_events=True`",
		profile: bothActivities + ", experimental_config=torch._C._profiler._ExperimentalConfig(enable_cuda_sync_events=True)",
		nsys:    "`--cuda-event-trace=true`", options: "-t cuda,nvtx --cuda-event-trace=true", cost: "a few percent", namespaces: []string{"idle"},
		missing: func(l *timeline.Lane, s *feature.Set) bool {
			_, known := s.Get("idle.stream_waits")
			return !known && aboveShare(s, "idle.device_wait_frac", unexplainedWait) && !l.ROCm()
		},
	}, {
		name: "sizes of collectives", kineto: "PyTorch 2.3 or later", profile: bothActivities,
		cost: "nothing", namespaces: []string{"comm"}, // Nsight exports hold them as payloads of NCCL's NVTX ranges, which are not decoded
		missing: func(_ *timeline.Lane, s *feature.Set) bool {
			_, known := s.Get("comm.small_us")
			return !known && aboveShare(s, "comm.total_frac", 0.05)
		},
	},
}

const bothActivities = "activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]"

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
		flag, line := in.kineto, "torch.profiler.profile("+in.profile+")"
		switch {
		case lane.Trace.Format == "nsys" && in.nsys == "":
			flag = "a trace of torch.profiler, " + flag
		case lane.Trace.Format == "nsys":
			flag, line = in.nsys, "nsys profile "+in.options+" python train.py"
		}
		out = append(out, feature.Record{"input": in.name, "flag": flag, "line": "`" + line + "`", "cost": in.cost, "features": missingOf(set, in.namespaces)})
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
