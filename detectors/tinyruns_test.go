package detectors

import "testing"

func TestRunsOfTinyKernelsThatRepeat(t *testing.T) {
	s := draw()
	at := 0.0
	work := func(name string, dur float64) {
		s.launch(name, at, at+1, 7, at+2, at+2+dur)
		at += 3 + dur
	}
	for range 3 {
		s.op("aten::rms_norm", at, at+30)
		for _, name := range []string{"pow", "mean", "rsqrt", "mul"} {
			work(name, 5)
		}
		work("gemm", 20)
	}
	for _, name := range []string{"a", "b", "c"} { // once only
		work(name, 5)
	}
	work("gemm", 20)
	for range 2 { // two are no run
		work("a", 5)
		work("b", 5)
		work("gemm", 20)
	}
	r := records(t, s.features(t), "kernel.tiny_runs")
	if len(r) != 1 || r[0]["names"] != "pow → mean → …" || r[0]["op"] != "aten::rms_norm" || r[0]["length"] != int64(4) || r[0]["count"] != int64(3) ||
		r[0]["total_us"] != 60. {
		t.Errorf("%v", r)
	}
}

func TestLongNamesOfARunAreCut(t *testing.T) {
	long := "moe::dev::finalize::finalizeKernelOfSomeLength"
	if got := cutName(long); len([]rune(got)) != runName || got[:10] != long[:10] || got[len(got)-6:] != long[len(long)-6:] {
		t.Errorf("%q", got)
	}
	if got := cutName("pow"); got != "pow" {
		t.Errorf("%q", got)
	}
	for name, want := range map[string]string{
		"at::native::elementwise_kernel": "elementwise_kernel", "flash::kernel<a::b, c>": "kernel<a::b, c>", "gemm": "gemm", "gemm<a::b>": "gemm<a::b>",
	} {
		if got := ownName(name); got != want {
			t.Errorf("%q: got %q", name, got)
		}
	}
}

func TestRunsAreNotSoughtWhereTinyKernelsTakeLittle(t *testing.T) {
	s := draw()
	for i := range 6 {
		at := 100 * float64(i)
		s.launch("tiny", at, at+1, 7, at+2, at+5)
	}
	s.launch("gemm", 600, 601, 7, 602, 2000)
	if r := records(t, s.features(t), "kernel.tiny_runs"); len(r) > 0 {
		t.Errorf("%v", r)
	}
}
