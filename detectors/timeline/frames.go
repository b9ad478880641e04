package timeline

import (
	_ "embed"
	"regexp"
	"strconv"
	"strings"

	"perflint/detectors/trace"
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
}

// kinetoFrame is "path/to/file.py(123): function".
var kinetoFrame = regexp.MustCompile(`^(.+)\((\d+)\): (.+)$`)

// frame parses a range name, once for each distinct name.
func (c *classifier) frame(t trace.Text) Frame {
	if c.frames == nil {
		c.frames = map[trace.Text]Frame{}
	}
	f, ok := c.frames[t]
	if !ok {
		f = parseFrame(c.names.String(t))
		c.frames[t] = f
	}
	return f
}

func parseFrame(name string) Frame {
	m := kinetoFrame.FindStringSubmatch(name)
	if m == nil {
		return Frame{} // <built-in …>, nn.Module: …, unknown
	}
	line, _ := strconv.Atoi(m[2])
	f := Frame{File: m[1], Line: line, Function: m[3]}
	path := strings.ReplaceAll(f.File, `\`, "/")
	if i := strings.LastIndex(path, "-packages/"); i >= 0 { // site-packages, dist-packages
		path = path[i+len("-packages/"):]
	}
	f.profiler = strings.HasPrefix(path, "torch/profiler/") || strings.HasPrefix(path, "torch/autograd/profiler")
	f.eligible = !strings.HasPrefix(path, "<") && !ofLibrary(path)
	return f
}

// ofLibrary reports whether a path belongs to torch or the standard library, whose frames are skipped in favour of the
// first frame of code that somebody can change.
func ofLibrary(path string) bool {
	if strings.HasPrefix(path, "torch/") || strings.HasPrefix(path, "torch_xla/") || strings.HasPrefix(path, "runpy") {
		return true
	}
	if strings.Contains(path, "/lib/python3") {
		return true
	}
	top, _, nested := strings.Cut(path, "/")
	if nested {
		return stdlib[top+"/"]
	}
	return stdlib[strings.TrimSuffix(top, ".py")]
}

// Profiler reports whether the frame is the profiler's own.
func (f Frame) Profiler() bool { return f.profiler }
