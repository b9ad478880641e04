package main

import "testing"

func TestHintListsWhatIsKnownWhenNothingIsNear(t *testing.T) {
	tests := []struct{ word, want string }{
		{"zzz", " (known: error, warning, info)"},
		{"errro", ", did you mean error?"},
	}
	for _, tt := range tests {
		if got := hint(tt.word, levels); got != tt.want {
			t.Errorf("hint(%q) = %q, want %q", tt.word, got, tt.want)
		}
	}
}

func TestEither(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if got := either(words); got != want {
			t.Errorf("either(%q) = %q, want %q", words, got, want)
		}
	}
}
