package trace

import "testing"

func TestLooksLikeCredential(t *testing.T) {
	for _, c := range []struct {
		name, value string
		want        bool
	}{
		{"HF_TOKEN", "", true},
		{"PMI_SHARED_SECRET", "1", true},
		{"SNAP_COOKIE", "", true},
		{"AUTH_TOKEN", "", true},
		{"WANDB_API_KEY", "", true},
		{"AWS_SECRET_ACCESS_KEY", "", true},
		{"aws_session_token", "", true},
		{"GITLAB_PRIVATETOKEN", "", true},
		{"MYSQL_PWD", "", true},
		{"HELPER", "ghp_0123456789abcdef0123", true},
		{"HELPER", "ghp_", false},
		{"PWD", "/work", false},
		{"OLDPWD", "/work", false},
		{"TOKENIZERS_PARALLELISM", "false", false},
		{"AUTHOR", "someone", false},
		{"KEYBOARD", "us", false},
		{"PATH", "/usr/bin:/bin:/usr/local/bin", false},
		{"CUDA_VISIBLE_DEVICES", "0,1", false},
		{"", "", false},
	} {
		if got := LooksLikeCredential(c.name, c.value); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
