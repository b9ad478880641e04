package trace

import "testing"

func TestLooksSecret(t *testing.T) {
	for _, c := range []struct {
		name, value string
		want        bool
	}{
		{"HF_TOKEN", "x", true},
		{"PMI_SHARED_SECRET", "1", true},
		{"SNAP_COOKIE", "x", true},
		{"AUTH_TOKEN", "x", true},
		{"WANDB_API_KEY", "x", true},
		{"aws_session_token", "x", true},
		{"GITLAB_PRIVATETOKEN", "x", true},
		{"HELPER", "ghp_0123456789abcdef0123", true},
		{"HELPER", "ghp_", false},
		{"PWD", "/work", false},
		{"TOKENIZERS_PARALLELISM", "false", false},
		{"AUTHOR", "someone", false},
		{"KEYBOARD", "us", false},
		{"PATH", "/usr/bin:/bin:/usr/local/bin", false},
		{"HF_TOKEN", "", false},
		{"", "x", false},
	} {
		if got := LooksSecret(c.name, c.value); got != c.want {
			t.Errorf("%s=%s: %v, want %v", c.name, c.value, got, c.want)
		}
	}
}
