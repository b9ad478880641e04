package rules

import (
	"embed"
	"io/fs"
)

//go:embed builtin
var embedded embed.FS

// Builtin is the shipped rules, one to a file, with their tests beside them.
func Builtin() fs.FS {
	sub, err := fs.Sub(embedded, "builtin")
	if err != nil {
		panic(err) // the name above is a constant and valid
	}
	return sub
}
