package rules

import (
	"bytes"
	_ "embed"
	"strings"
)

//go:embed scaffold.yaml
var scaffold []byte

//go:embed scaffold.test.yaml
var scaffoldTest []byte

// ValidID reports whether a rule may be called that.
func ValidID(id string) bool { return idForm.MatchString(id) && len(id) <= maxID }

// Scaffold is a first rule of that id, to be changed: it loads, and passes the test of ScaffoldTest.
func Scaffold(id string) []byte {
	title := strings.ReplaceAll(id, "-", " ")
	title = strings.ToUpper(title[:1]) + title[1:]
	return bytes.ReplaceAll(bytes.ReplaceAll(scaffold, []byte("ID"), []byte(id)), []byte("TITLE"), []byte(title))
}

// ScaffoldTest is the test file of Scaffold.
func ScaffoldTest(id string) []byte { return bytes.ReplaceAll(scaffoldTest, []byte("ID"), []byte(id)) }
