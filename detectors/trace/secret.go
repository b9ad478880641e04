package trace

import (
	"slices"
	"strings"
	"unicode"
)

// LooksSecret tells whether an environment variable looks like a credential, by a word of its name or by the shape of its
// value. Readers keep the names of such variables in Meta.Credentials; a value is never kept.
func LooksSecret(name, value string) bool {
	if strings.TrimSpace(value) == "" || name == "" {
		return false
	}
	for _, prefix := range secretShapes {
		if strings.HasPrefix(value, prefix) && len(value) >= len(prefix)+12 {
			return true
		}
	}
	words := nameWords(name)
	if slices.Contains(words, "PUBLIC") {
		return false
	}
	for i, w := range words {
		if slices.Contains(secretWords, w) || i == len(words)-1 && slices.Contains(lastWords, w) {
			return true
		}
		for _, end := range [...]string{"TOKEN", "SECRET", "PASSWORD", "APIKEY"} {
			if strings.HasSuffix(w, end) {
				return true
			}
		}
	}
	return false
}

// Credential keeps the name of a variable that looks like a credential. What cannot be part of a name is cut off, for it may be
// a value, and so is a name that looks like one itself.
func (b *Builder) Credential(name, value string) {
	if name = variableName(name); LooksSecret(name, value) {
		b.Credentials = append(b.Credentials, name)
	}
}

// variableName is what s has of the name of a variable; empty for what is no such name.
func variableName(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool {
		return r != '_' && r != '.' && r != '-' && (r >= unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r))
	})
	if end >= 0 {
		s = s[:end]
	}
	shaped := slices.ContainsFunc(secretShapes, func(p string) bool { return strings.HasPrefix(s, p) && len(s) >= len(p)+12 })
	if shaped || len(s) > 64 {
		return ""
	}
	return s
}

var secretWords = []string{"KEY", "KEYS", "PASSWD", "PASSPHRASE", "CREDENTIAL", "CREDENTIALS", "COOKIE", "SECRETS"}

// lastWords mean a credential at the end of a name only: GITHUB_PAT does, PAT_RT_PERFCTR (a profiler of Cray's) does not.
var lastWords = []string{"PAT", "PASS"}

// secretShapes are the prefixes that issuers of tokens use so that leaked ones are found: Hugging Face, GitHub, GitLab,
// OpenAI, Slack, AWS, JSON web tokens.
var secretShapes = []string{"hf_", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "sk-", "xoxb-", "xoxp-", "AKIA", "ASIA", "eyJ"}

// nameWords splits a variable's name at separators and where lower case turns to upper case: apiKey is API and KEY.
func nameWords(name string) []string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		if lower && unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		lower = unicode.IsLower(r)
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			r = ' '
		}
		b.WriteRune(unicode.ToUpper(r))
	}
	return strings.Fields(b.String())
}
