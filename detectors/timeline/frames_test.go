package timeline

import (
	"testing"

	"perflint/detectors/trace"
)

func TestFrames(t *testing.T) {
	const user, torch, library, none = "eligible", "not eligible", "not eligible", "no frame"
	for name, want := range map[string]struct {
		file     string
		line     int
		function string
		kind     string
	}{
		"train.py(42): main": {"train.py", 42, "main", user},
		"transformers/models/owlv2/image_processing_owlv2.py(301): resize":             {"transformers/models/owlv2/image_processing_owlv2.py", 301, "resize", user},
		"/usr/lib/python3/dist-packages/numpy/core/fromnumeric.py(69): _wrapreduction": {"/usr/lib/python3/dist-packages/numpy/core/fromnumeric.py", 69, "_wrapreduction", user},
		"/app/xDiT/xfuser/model_executor/models/base_model.py(7): run":                 {"/app/xDiT/xfuser/model_executor/models/base_model.py", 7, "run", user},
		"torch_guard.py(3): enter":                          {"torch_guard.py", 3, "enter", user},
		"torchvision/models/resnet.py(59): forward":         {"torchvision/models/resnet.py", 59, "forward", user},
		"my/queue.py(3): put":                               {"my/queue.py", 3, "put", user},
		"/home/me/lib/python3-project/train.py(3): f":       {"/home/me/lib/python3-project/train.py", 3, "f", user},
		`C:\work\train.py(9): main`:                         {`C:\work\train.py`, 9, "main", user},
		`C:\Python310\lib\site-packages\cv2\utils.py(9): f`: {`C:\Python310\lib\site-packages\cv2\utils.py`, 9, "f", user},
		"a (1).py(12): f":                                   {"a (1).py", 12, "f", user},
		"runpytest.py(1): go":                               {"runpytest.py", 1, "go", user},

		"torch/nn/modules/module.py(1743): _call_impl":                                   {"torch/nn/modules/module.py", 1743, "_call_impl", torch},
		"/opt/venv/lib/python3.10/site-packages/torch/nn/functional.py(5): linear":       {"/opt/venv/lib/python3.10/site-packages/torch/nn/functional.py", 5, "linear", torch},
		"/opt/pytorch/torch/utils/_contextlib.py(113): decorate_context":                 {"/opt/pytorch/torch/utils/_contextlib.py", 113, "decorate_context", torch},
		`C:\Python310\lib\site-packages\torch\nn\functional.py(5): linear`:               {`C:\Python310\lib\site-packages\torch\nn\functional.py`, 5, "linear", torch},
		"torch_xla/core/xla_model.py(1): mark_step":                                      {"torch_xla/core/xla_model.py", 1, "mark_step", torch},
		"threading.py(973): run":                                                         {"threading.py", 973, "run", library},
		"json/encoder.py(183): encode":                                                   {"json/encoder.py", 183, "encode", library},
		"zoneinfo/_common.py(1): load":                                                   {"zoneinfo/_common.py", 1, "load", library},
		"tomllib/_parser.py(1): loads":                                                   {"tomllib/_parser.py", 1, "loads", library},
		"/opt/pyenv/versions/3.11.7/lib/python3.11/queue.py(154): get":                   {"/opt/pyenv/versions/3.11.7/lib/python3.11/queue.py", 154, "get", library},
		"/usr/lib64/python3.9/threading.py(312): wait":                                   {"/usr/lib64/python3.9/threading.py", 312, "wait", library},
		`C:\Users\me\AppData\Local\Programs\Python\Python310\lib\threading.py(973): run`: {`C:\Users\me\AppData\Local\Programs\Python\Python310\lib\threading.py`, 973, "run", library},
		"<frozen importlib._bootstrap>(1002): _find_and_load":                            {"<frozen importlib._bootstrap>", 1002, "_find_and_load", library},
		"<string>(2): __init__":                                                          {"<string>", 2, "__init__", library},
		"<eval_with_key>.12(5): forward":                                                 {"<eval_with_key>.12", 5, "forward", library},

		"<built-in method run_backward of torch._C._EngineBase object at 0x7f>": {kind: none},
		"<built-in function isinstance>":                                        {kind: none},
		"nn.Module: BertModel_0":                                                {kind: none},
		"unknown":                                                               {kind: none},
		"train.py(x): main":                                                     {kind: none},
		"":                                                                      {kind: none},
	} {
		f := parseFrame(name)
		if f.File != want.file || f.Line != want.line || f.Function != want.function || f.eligible != (want.kind == user) {
			t.Errorf("%q: got %+v, want %+v", name, f, want)
		}
	}
}

func TestFramesOfTheProfiler(t *testing.T) {
	for name, want := range map[string]bool{
		"torch/profiler/profiler.py(735): step":                            true,
		"torch/autograd/profiler.py(605): __exit__":                        true,
		`C:\x\site-packages\torch\profiler\profiler.py(735): step`:         true,
		"torch/nn/modules/module.py(1743): _call_impl":                     false,
		"myproject/profiler/profiler.py(3): step":                          false,
		"<built-in method _disable_profiler of PyCapsule object at 0x7f1>": false,
	} {
		if got := parseFrame(name).profiler; got != want {
			t.Errorf("%q: got %v", name, got)
		}
	}
}

func TestFramesThatWait(t *testing.T) {
	for name, want := range map[string]bool{
		"queue.py(154): get": true, "threading.py(295): wait": true, "threading.py(1080): join": true, "concurrent/futures/_base.py(428): result": true,
		"/usr/lib/python3.11/multiprocessing/queues.py(96): get": true, "multiprocessing/connection.py(246): recv": true,
		"threading.py(973): run": false, "my/queue.py(3): get": false, "get.py(1): get": false,
	} {
		if got := parseFrame(name).waits; got != want {
			t.Errorf("%q: got %v", name, got)
		}
	}
}

func TestFramesThatSayWhatIsDone(t *testing.T) {
	for name, want := range map[string]CauseKind{
		"torch/_dynamo/convert_frame.py(1060): _compile":                 ByCompilation,
		`C:\x\site-packages\torch\_dynamo\convert_frame.py(9): __call__`: ByCompilation,
		"triton/compiler/compiler.py(226): compile":                      ByCompilation,
		"torch/utils/cpp_extension.py(1700): _jit_compile":               ByCompilation,
		"<built-in function collect>":                                    ByCollection,
		"Python GC":                                                      ByCollection,
		"torch/_dynamo/eval_frame.py(655): _fn":                          Unknown, // calls what is compiled
		"torch/_inductor/output_code.py(466): __call__":                  Unknown,
		"torch/_inductor/compile_fx.py(1767): run":                       Unknown,
		"triton/compiler/compiler.py(410): _init_handles":                Unknown,
		"mine/torch/_dynamo/convert_frame.py(1): f":                      Unknown,
		"<built-in method collect of Garbage object at 0x7f>":            Unknown,
		"stats.py(3): collect":                                           Unknown,
	} {
		if got := parseFrame(name).work; got != want {
			t.Errorf("%q: got %v, want %v", name, got, want)
		}
	}
}

// A frame is read once for each distinct name.
func TestFramesAreRemembered(t *testing.T) {
	names := trace.NewNames()
	name := names.Intern("train.py(1): f")
	c := newClassifier(&trace.Trace{Names: names, Ranges: trace.Ranges{Name: []trace.Text{name}, Kind: []trace.RangeKind{trace.Frame}}})
	if a, b := c.frame(name), c.frame(name); a != b || a.Function != "f" {
		t.Errorf("got %v and %v", a, b)
	}
	if unlearned := c.frame(names.Intern("")); *unlearned != (Frame{}) {
		t.Errorf("got %v", unlearned)
	}
}
