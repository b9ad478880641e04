package kineto

// category is what the `cat` of an event stands for. Kineto of 2020 and 2021 spells them Operator, Runtime, Kernel, Memcpy,
// Memset, and one trace may mix both spellings: each event is judged by its own.
type category uint8

const (
	noCat category = iota // no `cat`, or one that Kineto does not write
	opCat
	annotationCat
	frameCat
	callCat
	kernelCat
	copyCat
	fillCat
	syncCat
	overheadCat
	memoryCat
	counterCat
	idleCat // written by Kineto, but neither work nor host time: marks, flows, the GPU's copies of annotations
	mtiaCat // and below: devices whose work is not understood
	xpuCat
	hpuCat
	glowCat
	privateCat
	cats
)

// foreignKinds names the devices of the categories from mtiaCat on.
var foreignKinds = [cats - mtiaCat]string{"mtia", "xpu", "hpu", "glow", "privateuse1"}

// categoryOf reads a category without regard to case.
func categoryOf(cat []byte) category {
	if c, ok := spelled(cat); ok {
		return c
	}
	var lower [32]byte
	if len(cat) > len(lower) {
		return noCat
	}
	for i, c := range cat {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	c, ok := spelled(lower[:len(cat)])
	if !ok {
		c = foreign(lower[:len(cat)])
	}
	return c
}

func spelled(cat []byte) (category, bool) {
	switch string(cat) {
	case "cpu_op", "operator":
		return opCat, true
	case "user_annotation":
		return annotationCat, true
	case "python_function":
		return frameCat, true
	case "cuda_runtime", "cuda_driver", "runtime", "driver", "xpu_runtime", "xpu_driver", "hip_runtime", "hip_driver":
		return callCat, true
	case "kernel", "concurrent_kernel":
		return kernelCat, true
	case "gpu_memcpy", "memcpy":
		return copyCat, true
	case "gpu_memset", "memset":
		return fillCat, true
	case "cuda_sync":
		return syncCat, true
	case "overhead":
		return overheadCat, true
	case "cpu_instant_event":
		return memoryCat, true
	case "cuda_profiler_range":
		return counterCat, true
	case "ac2g", "fwdbwd", "async", "async_gpu", "async_cpu_to_gpu", "launch", "trace", "gpu_user_annotation", "critical_path",
		"mtia_runtime", "mtia_insight", "mtia_counters", "privateuse1_runtime", "privateuse1_driver", "glow_runtime",
		"collective_comm", "cuda_event", "hardware_counters", "xpu_scope_profiler":
		return idleCat, true
	}
	return noCat, false
}

func foreign(cat []byte) category {
	for i, kind := range foreignKinds {
		if n := len(kind); len(cat) >= n && string(cat[:n]) == kind {
			return mtiaCat + category(i)
		}
	}
	return noCat
}

// readsArgs tells for which categories the arguments are of interest.
var readsArgs = [cats]bool{noCat: true, opCat: true, callCat: true, kernelCat: true, copyCat: true, fillCat: true,
	syncCat: true, memoryCat: true}
