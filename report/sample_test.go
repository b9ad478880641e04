package report

import (
	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/rules"
)

// schema is a small one: what the report itself looks at, and one feature of each other type.
func schema() *feature.Schema {
	var decls []feature.Decl
	for _, n := range []string{
		"gpu.window_us", "gpu.compute_us", "gpu.foreign_us", "gpu.idle_us", "comm.exposed_us", "copy.exposed_us",
		"idle.host_late_us", "idle.launch_call_us", "idle.launch_latency_us", "idle.device_wait_us", "idle.unknown_us",
		"idle.micro_us", "steps.median_us", "loader.exposed_us",
	} {
		decls = append(decls, feature.Decl{Name: n, Unit: feature.Us, Doc: "time " + n})
	}
	decls = append(decls,
		feature.Decl{Name: "gpu.idle_frac", Unit: feature.Frac, Doc: "share of the window in which the GPU does nothing"},
		feature.Decl{Name: "idle.host_late_frac", Unit: feature.Frac, Doc: "share of the window with nothing launched"},
		feature.Decl{Name: "steps.count", Type: feature.Int, Unit: feature.Count, Doc: "steps in the trace"},
		feature.Decl{Name: "trace.has_frames", Type: feature.Bool, Doc: "whether Python frames were recorded"},
		feature.Decl{Name: "trace.format", Type: feature.Text, Doc: "what the file is"},
		feature.Decl{Name: "idle.host_late_spans", Type: feature.Spans, Unit: feature.Us, Doc: "the intervals of idle.host_late_us"},
		feature.Decl{Name: "kernel.top", Type: feature.List, Doc: "kernels by time", Fields: []feature.Decl{
			{Name: "name", Type: feature.Text}, {Name: "total_us", Unit: feature.Us}, {Name: "spans", Type: feature.Spans},
		}},
		feature.Decl{Name: "job.rank_count", Type: feature.Int, Unit: feature.Count, Doc: "ranks of the job"},
	)
	s, err := feature.NewSchema(decls...)
	if err != nil {
		panic(err)
	}
	return s
}

// lane is 10 steps of 412.3 ms on one GPU: the example of cli.md.
func lane(gpu int) *feature.Set {
	s := feature.NewSet(schema(), feature.Lane{Rank: gpu, GPU: gpu, Name: "NVIDIA H200"})
	for n, us := range map[string]float64{
		"gpu.window_us": 4123e3, "gpu.compute_us": 2140e3, "comm.exposed_us": 480e3, "copy.exposed_us": 210e3,
		"gpu.foreign_us": 3e3, "gpu.idle_us": 1290e3, "idle.host_late_us": 1160e3, "idle.launch_call_us": 50e3,
		"idle.launch_latency_us": 20e3, "idle.device_wait_us": 55e3, "idle.unknown_us": 0, "idle.micro_us": 5e3,
		"steps.median_us": 412.3e3, "gpu.idle_frac": 0.312, "idle.host_late_frac": 0.28,
	} {
		s.Float(n, us)
	}
	s.Int("steps.count", 20)
	s.Bool("trace.has_frames", true)
	s.Text("trace.format", "kineto")
	s.Spans("idle.host_late_spans", span.Set{{Start: 101400000, End: 104600000}, {Start: 190000000, End: 192900000}})
	s.List("kernel.top", []feature.Record{{"name": "void sgemm<128, 128>", "total_us": 1e5, "spans": span.Set{{Start: 1, End: 2}}}})
	s.Missing("the trace has no CPU ops; record with `activities=[CPU, CUDA]`", "loader.exposed_us")
	return s
}

var starved = &rules.Rule{
	ID: "gpu-starved-by-cpu", Title: "The GPU waits for the CPU to launch work", Confidence: "high",
	Why:  "Work reaches the GPU only after the CPU thread has launched it.\n\nEvery launch costs the host some microseconds.",
	Docs: []string{"https://docs.pytorch.org/docs/stable/cuda.html"},
}

func rule(id, title string) *rules.Rule {
	return &rules.Rule{ID: id, Title: title, Confidence: "medium", Why: "Because of " + title + "."}
}

const longKernel = "void at::native::(anonymous namespace)::elementwise_kernel_with_index<int, at::native::arange_cuda_out(c10::Scalar const&, " +
	"c10::Scalar const&, c10::Scalar const&, at::Tensor&)::{lambda()#1}::operator()() const::{lambda()#4}::operator()() const::{lambda(long)#1}>(int, long*, long)"

// outcomes is two errors, a warning and a note, with every ornament a finding can have.
func outcomes() []rules.Outcome {
	fired := func(r *rules.Rule, f ...rules.Finding) rules.Outcome {
		for i := range f {
			settle(&f[i])
		}
		return rules.Outcome{Rule: r, Status: rules.Fired, Findings: f}
	}
	quality := rule("window-unfit", "The window is not a steady state")
	quality.Scope = rules.TraceScope
	return []rules.Outcome{
		{Rule: rule("launch-storm", "Too many small launches"), Status: rules.Passed},
		{Rule: rule("tiny-kernels", "Kernels too small"), Status: rules.Passed},
		{Rule: rule("unpaired", "Nothing to pair"), Status: rules.Skipped},
		{Rule: rule("dataloader-stall", "Waiting for data"), Status: rules.Abstained, Missing: []string{"loader.exposed_us"},
			Reason: "the trace has no CPU ops; record with `activities=[CPU, CUDA]`"},
		{Rule: rule("item-in-loop", "Items are read one by one"), Status: rules.Abstained, Missing: []string{"sync.sites"},
			Reason: "the trace has no CPU ops; record with `activities=[CPU, CUDA]`"},
		fired(rule("stream-sync-drain", "Synchronisation lets the GPU run dry"), rules.Finding{
			Severity: rules.Warning, Lanes: []int{0}, Subject: "aten::item",
			Message: "412 stream synchronisations in one step, most of them in `aten::item`.", Alone: 3e5, Exclusive: 2.6e5, AloneFrac: 0.07,
			Fix: []rules.Fix{{Do: "Keep metrics on the GPU and read them every N steps."}},
		}),
		fired(starved, rules.Finding{
			Severity: rules.Error, Lanes: []int{0}, Subject: "resize", Message: "The GPU idles 31.2 % of the step and for 90 % of that time no kernel has been launched.",
			Claims: span.Set{{Start: 101400000, End: 104600000}}, Alone: 1.2e6, Exclusive: 1.16e6, AloneFrac: 0.29,
			SeenAs: []string{"gpu-idle-high"},
			Evidence: []rules.Evidence{
				{Label: "gpu.idle_frac", Value: 0.312, Unit: feature.Frac, Op: ">", Limit: 0.2, Param: "min_idle"},
				{Label: "idle.host_late_spans", Value: span.Set{{Start: 101400000, End: 104600000}}},
				{Label: "longest kernel", Value: longKernel},
			},
			Places: []feature.Place{
				{Start: 101400, Dur: 3200, Track: "GPU 0 stream 7", File: "image_processing.py", Function: "resize", Line: 301},
				{Start: 190000, Dur: 2900, Track: "GPU 0 stream 7", File: "image_processing.py", Function: "resize", Line: 301},
			},
			Fix: []rules.Fix{
				{Do: "Capture the step in a CUDA graph.", Lang: "python", Code: `model = torch.compile(model, mode="reduce-overhead")`, Docs: "https://docs.pytorch.org/docs/stable/torch.compiler.html"},
				{Do: "Raise the batch size, so that each launch carries more work."},
			},
		}),
		fired(rule("gpu-idle-high", "The GPU is idle for much of the step"), rules.Finding{
			Severity: rules.Warning, Lanes: []int{0}, Message: "The GPU idles 31.2 % of the step.", Alone: 1.29e6, FoldedInto: "gpu-starved-by-cpu",
		}),
		fired(rule("exposed-comm", "Communication is not hidden"), rules.Finding{
			Severity: rules.Error, Lanes: []int{0}, Message: "48 ms of NCCL run with no compute beside them.", Alone: 4.8e5, Exclusive: 4.8e5, AloneFrac: 0.12,
		}),
		fired(rule("kernel-hotspot", "One kernel holds much of the time"), rules.Finding{
			Severity: rules.Info, Lanes: []int{0}, Subject: longKernel, Message: "One kernel holds 61 % of compute: " + code(longKernel, inTable) + ".", UpTo: 9e5, HeldBy: "window-unfit",
		}),
		fired(quality, rules.Finding{Severity: rules.Info, Lane: -1, Message: "The steps differ by 40 %."}),
	}
}

// settle fills in what the ledger knows of a finding on one lane.
func settle(f *rules.Finding) {
	if f.Lane >= 0 && len(f.Lanes) == 0 {
		f.Lanes = []int{f.Lane}
	}
	for range f.Lanes {
		f.ByLane = append(f.ByLane, rules.Saving{Alone: f.Alone, Exclusive: f.Exclusive, Window: 4123e3})
	}
}

func meta() Meta {
	return Meta{Version: "0.1.0", Traces: []Trace{{Path: "train_step.json", Format: "Kineto", Window: "steps 3–12 of 20", WorldSize: 8,
		Notes: []string{"the file ends in the middle of an event at byte 812 345; 3 % of it may be missing"}}}}
}

func sample() *Report { return New(meta(), []*feature.Set{lane(0)}, nil, outcomes()) }
