package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var commentedSetting = regexp.MustCompile(`(?m)^( *)# ( *(?:[a-z_]+:|- |gpu-idle|gpu\.|steps\.).*)$`)

// What perflint init offers as comments must hold once the signs are taken away.
func TestEverySettingThatInitOffersIsValid(t *testing.T) {
	text := commentedSetting.ReplaceAllString(string(firstConfig), "$1$2")
	if strings.Count(text, "#") >= strings.Count(string(firstConfig), "#")-15 {
		t.Errorf("few comments were taken off:\n%s", text)
	}
	dir := write(t, map[string]string{".perflint.yaml": text, ".git/HEAD": ""})
	t.Chdir(dir)
	code, out, stderr := call(t, &Command{}, "config")
	if code != 0 || stderr != "" {
		t.Fatalf("code %d, %s\n%s", code, stderr, text)
	}
	for _, setting := range []string{"ignore", "require", "override", "fail_on", "show", "min_saving", "materiality", "budget", "anchor", "baseline", "outputs", "suppress"} {
		if regexp.MustCompile(`(?m)^ *` + setting + `: .*# default$`).MatchString(out) {
			t.Errorf("%s is not among what init offers:\n%s", setting, out)
		}
	}
	if err := os.WriteFile(".perflint.yaml", firstConfig, 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := call(t, &Command{}, "config"); code != 0 || stderr != "" {
		t.Errorf("as written: code %d, %s", code, stderr)
	}
}
