package timeline

import (
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed stdlib.txt
var stdlibText string

// stdlib is the top-level modules (and, with a slash, packages) of Python's standard library: Kineto cuts sys.path off, so their frames look like
// "threading.py(973): run".
var stdlib = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(stdlibText) {
		m[name] = true
	}
	return m
}()

// Frame is a Python frame as its name in a trace says it.
type Frame struct {
	File     string
	Line     int // where the function is defined, not where it stands
	Function string

	eligible bool // code of the user or of a library that the user can act on: not torch, not the standard library
	profiler bool
	waits    bool      // for another thread or process
	work     CauseKind // what it does, whoever calls it: ByCompilation or ByCollection; Unknown else
}

// splitFrame takes "path/to/file.py(123): function" apart. A name that is none (<built-in …>, nn.Module: …) gives ok false.
func splitFrame(name string) (file string, line int, function string, ok bool) {
	for end := strings.LastIndex(name, "): "); end > 0; end = strings.LastIndex(name[:end], "): ") {
		open := strings.LastIndexByte(name[:end], '(')
		if open <= 0 || end+3 == len(name) || strings.Trim(name[open+1:end], "0123456789") != "" || open+1 == end {
			continue
		}
		line, _ := strconv.Atoi(name[open+1 : end])
		return name[:open], line, name[end+3:], true
	}
	return "", 0, "", false
}

func parseFrame(name string) Frame {
	file, line, function, ok := splitFrame(name)
	if !ok {
		return Frame{work: builtins[name]}
	}
	f := Frame{File: file, Line: line, Function: function}
	path := strings.ReplaceAll(f.File, `\`, "/")
	below := modulePath(path)
	f.profiler = strings.HasPrefix(below, "torch/profiler/") || strings.HasPrefix(below, "torch/autograd/profiler")
	f.eligible = !strings.HasPrefix(path, "<") && !ofLibrary(below)
	f.waits = waiters[below] && slices.Contains([]string{"wait", "acquire", "join", "get", "put", "result", "poll", "recv"}, function)
	if functions, ok := compilers[below]; ok && (functions == "" || functions == function) {
		f.work = ByCompilation
	}
	return f
}

// builtins is the names without a file that tell what is done: gc.collect, and what PyTorch 2.9 records of the collector with
// record_python_gc_info.
var builtins = map[string]CauseKind{"<built-in function collect>": ByCollection, "Python GC": ByCollection}

// waiters is the modules of the standard library in which a thread waits for another thread or process.
var waiters = map[string]bool{
	"threading.py": true, "queue.py": true, "multiprocessing/queues.py": true, "multiprocessing/connection.py": true, "concurrent/futures/_base.py": true,
}

// compilers is the modules that run only to compile, with the function that does where a module has others: Dynamo asks
// convert_frame only for code that it has nothing compiled of, while most of torch._inductor runs with every call.
var compilers = map[string]string{"torch/_dynamo/convert_frame.py": "", "triton/compiler/compiler.py": "compile", "torch/utils/cpp_extension.py": "_jit_compile"}

// libraryFolder is where Python keeps its standard library: …/lib/python3.10/, and …\Python310\lib\ on Windows.
var libraryFolder = regexp.MustCompile(`/lib(64)?/python3\.\d+/|^(?i)[a-z]:/.*python\d*/lib/`)

// modulePath is what Kineto leaves of a path where it knows sys.path: the part below it, of a file of packages, of the
// standard library or of a checkout of PyTorch.
func modulePath(path string) string {
	if i := strings.LastIndex(path, "-packages/"); i >= 0 { // site-packages, dist-packages
		return path[i+len("-packages/"):]
	}
	if at := libraryFolder.FindStringIndex(path); at != nil {
		return path[at[1]:]
	}
	if i := strings.LastIndex(path, "/pytorch/torch/"); i >= 0 {
		return path[i+len("/pytorch/"):]
	}
	return path
}

// ofLibrary reports whether a module belongs to torch or the standard library, whose frames are skipped in favour of the
// first frame of code that somebody can change.
func ofLibrary(path string) bool {
	if strings.HasPrefix(path, "torch/") || strings.HasPrefix(path, "torch_xla/") {
		return true
	}
	top, _, nested := strings.Cut(path, "/")
	if nested {
		return stdlib[top+"/"]
	}
	return stdlib[strings.TrimSuffix(top, ".py")]
}
