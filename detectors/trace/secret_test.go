package trace

import (
	"slices"
	"testing"
)

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
		{"GITHUB_PAT", "x", true},
		{"DB_PASS", "x", true},
		{"PAT_RT_PERFCTR_DISABLE_COMPONENTS", "nic", false},
		{"PASS_THROUGH", "1", false},
		{"HELPER", "ghp_" + "0123456789abcdef0123", true},
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

func TestNothingButANameIsKeptOfACredential(t *testing.T) {
	for in, want := range map[string][]string{
		"HF_TOKEN":               {"HF_TOKEN"},
		"my-api.key":             {"my-api.key"},
		"HF_TOKEN=abc":           {"HF_TOKEN"},
		"A_TOKEN\nnext line":     {"A_TOKEN"},
		"some words and a TOKEN": nil,
		"hf_" + "abcdefghijklmnopqrstuvwxyzTOKEN": nil,
		"\u00e9_TOKEN": nil,
		"TOKEN_0123456789012345678901234567890123456789012345678901234567890123456789": nil,
	} {
		b := NewBuilder("kineto")
		b.Credential(in, "value")
		if !slices.Equal(b.Credentials, want) {
			t.Errorf("%q: kept %q, want %q", in, b.Credentials, want)
		}
	}
}
