package timeline

import (
	"strings"
	"testing"

	"perflint/detectors/trace"
)

// realNames is names of real programs by section and class; the empty class is a name without meaning.
var realNames = map[section]map[Class][]string{
	kernelNames: {
		Communication: {
			"ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)", "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<(unsigned long)4096>)",
			"ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "void rcclGenericKernel<1, false>(ncclDevKernelArgsStorage<4096ul>)",
			"void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>(vllm::RankData*, vllm::RankSignals)", "void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*)",
			"void flashinfer::one_shot_all_reduce_norm_kernel<half>(half*)", "two_shot_all_reduce_kernel", "nvshmemi_transfer_rma", "void deep_ep::internode::dispatch<4>(int)",
			"void hybrid_ep::combine_kernel<8>(void)", "void dpsk::ep::internode::dispatch<(bool)0>(int4*)", "void uccl::ep::intranode::notify_dispatch<8>(int)",
			"mscclKernel_Sum_half_LL", "oneccl_allreduce_large",
		},
		Plain: {
			"volta_sgemm_128x64_nn", "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>(T3)", "triton_poi_fused_silu_38", "nvjet_tst_96x64_64x10_1x2_h_bz_bias_TNN",
			"Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT96x96x128_MI16x16x1", "void moe::dev::routing::routingIndicesKernel(int)", "all_reduce_is_not_enough",
		},
	},
	callNames: {
		Launch: {
			"cudaLaunchKernel", "cudaLaunchKernelExC", "cudaLaunchCooperativeKernel", "cudaLaunchCooperativeKernelMultiDevice", "cuLaunchKernel", "cuLaunchKernelEx",
			"cuLaunchCooperativeKernel", "hipLaunchKernel", "hipExtLaunchKernel", "hipExtModuleLaunchKernel", "hipModuleLaunchKernel", "hipModuleLaunchCooperativeKernel", "hipLaunchKernelExC",
		},
		GraphLaunch:  {"cudaGraphLaunch", "cuGraphLaunch", "hipGraphLaunch"},
		Sync:         {"cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize", "cuCtxSynchronize", "cuStreamSynchronize", "hipDeviceSynchronize", "hipEventSynchronize"},
		BlockingCopy: {"cudaMemcpy", "cudaMemcpy2D", "cudaMemcpy3D", "cudaMemcpyToSymbol", "cudaMemcpyFromSymbol", "cudaMemcpyPeer", "cuMemcpyHtoD", "cuMemcpyDtoH", "cuMemcpy", "hipMemcpy", "hipMemcpyWithStream", "hipMemcpyDtoH", "hipDrvMemcpy3D"},
		AsyncCopy:    {"cudaMemcpyAsync", "cudaMemcpy2DAsync", "cudaMemcpyToSymbolAsync", "cuMemcpyHtoDAsync", "cudaMemcpyBatchAsync", "hipMemcpyAsync", "hipMemcpyDtoHAsync", "hipDrvMemcpy3DAsync"},
		FillCall:     {"cudaMemset", "cudaMemsetAsync", "cuMemsetD32Async", "hipMemset", "cudaMemPrefetchAsync"},
		OrderedAlloc: {"cudaMallocAsync", "cudaFreeAsync", "cudaMallocFromPoolAsync", "cuMemAllocAsync", "cuMemFreeAsync", "hipMallocAsync"},
		Allocation: {
			"cudaMalloc", "cudaMallocManaged", "cudaMallocHost", "cudaMallocPitch", "cudaHostAlloc", "cudaHostRegister", "cudaFree", "cudaFreeHost", "cudaFreeArray", "hipMalloc",
			"hipHostMalloc", "hipHostFree", "hipExtMallocWithFlags", "hipFree", "cuMemAlloc", "cuMemAllocManaged", "cuMemFree", "cuMemCreate", "cuMemMap", "cuMemUnmap", "cuMemRelease", "cuMemSetAccess", "cuMemHostAlloc",
		},
		CodeLoading:  {"cuModuleLoad", "cuModuleLoadDataEx", "cuModuleLoadFatBinary", "cuLibraryLoadData", "cudaLibraryLoadData", "nvrtcCompileProgram", "hipModuleLoadData", "hiprtcCompileProgram"},
		BeginCapture: {"cudaStreamBeginCapture", "cuStreamBeginCapture", "hipStreamBeginCapture", "cudaStreamBeginCaptureToGraph"},
		EndCapture:   {"cudaStreamEndCapture", "hipStreamEndCapture"},
		Instantiate:  {"cudaGraphInstantiate", "cudaGraphInstantiateWithFlags", "hipGraphInstantiateWithFlags", "cuGraphInstantiateWithParams"},
		Setup:        {"cudaStreamCreateWithPriority", "cudaStreamCreateWithFlags", "cudaEventCreateWithFlags", "cuCtxCreate", "cuDevicePrimaryCtxRetain", "cuInit", "hipInit", "cudaGetDeviceProperties", "hipGetDevicePropertiesR0600", "cudaSetDevice"},
		Plain: {
			"cudaStreamWaitEvent", "cuStreamWaitEvent", "cudaEventRecord", "cudaEventQuery", "cudaStreamIsCapturing", "cudaThreadExchangeStreamCaptureMode", "cudaStreamGetCaptureInfo",
			"cudaGraphAddMemcpyNode", "cudaGraphUpload", "cuModuleUnload", "cuModuleGetLoadingMode", "cuModuleGetFunction", "cuKernelGetAttribute", "cudaFuncSetAttribute", "cudaHostGetDevicePointer",
			"cudaMemGetInfo", "cudaMemPoolCreate", "cuMemAddressReserve", "cuMemGetAllocationGranularity", "cudaLaunchHostFunc", "cudaPeekAtLastError", "INVALID", "",
		},
	},
	rangeNames: {
		StepMark:      {"ProfilerStep#12", "ProfilerStep #3"},
		MeasureMark:   {"[param|pytorch.model.alex_net|0|0|0|measure|forward]"},
		WarmupMark:    {"[param|pytorch.model.alex_net|0|0|0|warmup|forward]"},
		OptimizerStep: {"Optimizer.step#SGD.step", "Optimizer.step#FusedAdam.step", "Optimizer.step#CombinedOptimizer.step"},
		ZeroGrad:      {"Optimizer.zero_grad#SGD.zero_grad"},
		Loader: {
			"enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", "enumerate(DataPipe)#MapperIterDataPipe",
			"data_loading", "DataLoader", "load_data", "next_batch", "get_batch",
		},
		Compile:    {"CompileFx", "torch._inductor.codecache", "triton.compile", "nvrtcCompileProgram", "TorchDynamo Compilation", "InductorBenchmarker.benchmark", "compile_kernel", "GraphLowering.run (dynamo_timed)", "entire_frame_compile", "backend_compile"},
		Collection: {"gc", "gc.collect", "garbage_collection", "Python GC"},
		Serving:    {"execute_context_1(888_788544)_generation_0(0)", "execute_32_context_0(sq0sk0)_generation_32(sq1sk1)", "step[DECODE bs=32]", "execute_diffusion_1_256x256"},
		Backward: {
			"autograd::engine::evaluate_function: AddmmBackward0", "CompiledFunctionBackward", "MmBackward0", "torch::jit::(anonymous namespace)::DifferentiableGraphBackward",
			"AddBackward0, seq = 3, op_id = 9",
		},
		BackwardWord: {"<backward op>", "backward", "Model Backward pass", "BACKWARD", "BackwardPass"},
		Forward:      {"DistributedDataParallel.forward", "## forward ##", "<forward op>", "Forward"},
		Optimizer:    {"optimizer", "run OPTIMIZER now"},
		Plain: {
			"aten::add", "record_param_comms", "nccl:all_reduce", "transformer_forward", "_flash_attention_forward", "train_step", "Torch-Compiled Region: 0/0", "## Call CompiledFxGraph fx4 ##",
			"TorchDynamo Cache Lookup", "CompiledFunction", "triton_poi_fused_constant_pad_nd_moe_forward_0", "gc_content", "executed", "stepping", "getTerminatingOutputs", "load_database", "poll",
		},
	},
	overheadNames: {
		QueueFull:   {"Command Buffer Full"},
		CodeLoading: {"Lazy Function Loading", "Runtime Triggered Module Loading", "Driver Compiler"},
		Plain:       {"Buffer Flush", "Activity Buffer Request", "Instrumentation", "Resource", "CUDA profiling data flush", "TLS allocation", "dlopen(libcupti.so.11.7)", "Unknown", ""},
	},
}

func TestClassesOfRealNames(t *testing.T) {
	names := trace.NewNames()
	seen := map[Class]bool{}
	for _, byClass := range realNames {
		for want, list := range byClass {
			seen[want] = true
			for _, name := range list {
				names.Intern(name)
			}
		}
	}
	for s, byClass := range realNames {
		c := newClassifier(&trace.Trace{Names: names})
		for want, list := range byClass {
			for _, name := range list {
				unlearned := c.classOf(s, names.Intern(name))
				c.learn(s, []trace.Text{names.Intern(name)})
				if got := c.classOf(s, names.Intern(name)); got != want || unlearned != want {
					t.Errorf("%s %q is %q, want %q", sectionNames[s], name, got, want)
				}
			}
		}
	}
	for class := range Class(len(classNames)) {
		if !seen[class] {
			t.Errorf("no real name of class %q is tested", class)
		}
	}
}

func TestClassesFileSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"[kernel]\nlaunch ^a$\n\n# comment\n[kernels]\n": "classes.txt:5: unknown section [kernels]",
		"[call]\nlaunhc ^a$":                             "classes.txt:2: unknown class launhc",
		"launch ^a$":                                     "classes.txt:1: unknown class launch",
		"[call]\nlaunch ^(a$":                            "classes.txt:2: error parsing regexp",
	} {
		if _, err := compileClasses(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}
