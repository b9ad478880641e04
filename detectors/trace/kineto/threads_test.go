package kineto

import "testing"

func TestThreadsAreCalledWhatTheSystemCallsThem(t *testing.T) {
	for name, want := range map[string]string{
		"thread 639 (pt_autograd_0)": "pt_autograd_0",
		"thread 1 (a (b))":           "a (b)",
		"thread 639 ()":              "",
		"stream 7 ":                  "stream 7 ",
		"thread 4 (cut":              "thread 4 (cut",
		"":                           "",
	} {
		if got := string(systemName([]byte(name))); got != want {
			t.Errorf("%q is called %q, want %q", name, got, want)
		}
	}
}
