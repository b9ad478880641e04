package trace

import "strings"

// credentialWords are parts of the names of variables that hold something secret. A word must stand alone between
// underscores, so that AUTHOR, TOKENIZERS_PARALLELISM and KEYBOARD are none.
var credentialWords = map[string]bool{
	"TOKEN": true, "SECRET": true, "PASSWORD": true, "PASSWD": true, "PASS": true, "PASSPHRASE": true, "PWD": true,
	"APIKEY": true, "KEY": true, "CREDENTIAL": true, "CREDENTIALS": true, "COOKIE": true, "AUTH": true, "PAT": true,
}

// credentialPrefixes begin the values that well-known services hand out.
var credentialPrefixes = []string{
	"hf_", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "sk-", "AKIA", "ASIA", "xoxb-", "xoxp-", "eyJhbGciOi", "-----BEGIN",
}

// LooksLikeCredential tells whether an environment variable seems to hold a secret, by the words of its name or by what its
// value begins with. The value may be empty where it is not known; it is looked at and never kept.
func LooksLikeCredential(name, value string) bool {
	upper := strings.ToUpper(name)
	if upper == "PWD" || upper == "OLDPWD" {
		return false // working directories
	}
	for _, word := range strings.FieldsFunc(upper, func(c rune) bool { return c == '_' || c == '-' || c == '.' }) {
		if credentialWords[word] || strings.HasSuffix(word, "TOKEN") || strings.HasSuffix(word, "PASSWORD") || strings.HasSuffix(word, "APIKEY") {
			return true
		}
	}
	if len(value) < 16 {
		return false
	}
	for _, prefix := range credentialPrefixes {
		if strings.HasPrefix(value, prefix) {
			return true
		}
	}
	return false
}
