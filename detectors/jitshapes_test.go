package detectors

import (
	"fmt"
	"testing"

	"perflint/detectors/trace"
)

func shaped(s *sketch, op, shape string, from, to float64) {
	s.HasShapes = true
	s.AddRange(trace.RangeRow{Start: nanos(from), End: nanos(to), Name: s.Names.Intern(op), Shape: s.Names.Intern(shape), Thread: s.thread(1), Kind: trace.Op})
}

func TestCodeLoadedForChangingShapes(t *testing.T) {
	s := draw()
	s.launch("first", 0, 5, 7, 10, 1090)
	for i, size := range []int{8, 9, 9, 10, 11} {
		at := 1000 * float64(i+1)
		s.call("cuModuleLoadData", at+100, at+900)
		shaped(s, "aten::mm", fmt.Sprintf("[[%d, 4]]", size), at+900, at+999)
		s.launch("gemm", at+910, at+915, 7, at+920, at+1000)
	}
	r := records(t, s.features(t), "jit.shapes")
	if len(r) != 1 || r[0]["op"] != "aten::mm" || r[0]["shape_count"] != int64(4) || r[0]["shapes"] != "[[8, 4]]; [[9, 4]]; [[10, 4]]" {
		t.Errorf("%v", r)
	}
}

func TestShapesOfKernels(t *testing.T) {
	s := draw()
	for i, size := range []int{8, 16, 8} {
		at := 100 * float64(i)
		shaped(s, "aten::mm", fmt.Sprintf("[[%d, 4]]", size), at, at+20)
		s.launch("gemm", at+5, at+10, 7, at+20, at+20+float64(size))
	}
	r := records(t, s.features(t), "kernel.top")
	if len(r) != 1 || r[0]["shape_count"] != int64(2) || r[0]["shape"] != "[[16, 4]]" && r[0]["shape"] != "[[8, 4]]" {
		t.Errorf("%v", r)
	}
	want{"jit.shapes": nil}.check(t, loop(2, nil).features(t))
}
