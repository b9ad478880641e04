package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// input is one trace to read.
type input struct {
	path  string // as it is shown; "-" is the standard input
	found bool   // in a folder, not named by the user: left out when it turns out to be no trace
	err   error  // why an argument gives no trace; the other arguments count all the same
}

// inputs makes the list of traces of the arguments: files, folders, patterns and "-", each file once.
func inputs(args []string) []input {
	var all []input
	for _, arg := range args {
		more, err := expand(arg)
		if err != nil {
			more = []input{{path: arg, err: err}}
		}
		all = append(all, more...)
	}
	return unique(all)
}

func expand(arg string) ([]input, error) {
	if arg == "-" {
		return []input{{path: arg}}, nil
	}
	info, err := os.Stat(arg)
	switch {
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(arg, "*?["):
		return expandPattern(arg)
	case err != nil:
		return nil, err
	case info.IsDir():
		return expandFolder(arg)
	}
	return []input{{path: arg}}, nil
}

func expandPattern(pattern string) ([]input, error) {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", pattern, err)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: no file matches", pattern)
	}
	var all []input
	for _, name := range names {
		if strings.ContainsAny(name, "*?[") {
			all = append(all, input{path: name})
			continue
		}
		more, err := expand(name)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

// expandFolder finds the traces in a folder and those below it, by content. Hidden files are no traces.
func expandFolder(dir string) ([]input, error) {
	var all []input
	files := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path != dir && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		}
		files++
		if looksLikeTrace(path) {
			all = append(all, input{path: path, found: true})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if all = withoutExported(all); len(all) > 0 {
		return all, nil
	}
	if files == 0 {
		return nil, fmt.Errorf("%s is an empty folder", dir)
	}
	return nil, fmt.Errorf("%s holds no trace (%s)\n    %s", dir, counted(files, "other file"), readable)
}

// looksLikeTrace reports whether a file of a folder is worth opening. Folders hold much JSON that is no trace: there the
// word that every Kineto trace holds must come early, or the file be so large that it hardly is anything else.
func looksLikeTrace(path string) bool {
	const early, large = 256 << 10, 8 << 20
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	buffered := bufio.NewReaderSize(f, headSize)
	head, _ := buffered.Peek(headSize)
	switch is, _ := sniff(path, head); is {
	case sqliteForm, nsysForm:
		return true
	case jsonForm:
		return info.Size() > large || mentionsEvents(buffered, early)
	}
	return false
}

// mentionsEvents reports whether the first bytes of JSON, uncompressed, hold the list of events that every Kineto trace has.
func mentionsEvents(f *bufio.Reader, limit int64) bool {
	var text io.Reader = f
	if magic, _ := f.Peek(2); string(magic) == "\x1f\x8b" {
		unzip, err := gzip.NewReader(f)
		if err != nil {
			return false
		}
		text = unzip
	}
	head, _ := io.ReadAll(io.LimitReader(text, limit)) // of a cut file, what there is
	return bytes.Contains(head, []byte(`"traceEvents"`)) ||
		bytes.HasPrefix(bytes.TrimSpace(head), []byte("[")) && bytes.Contains(head, []byte(`"ph"`))
}

// withoutExported leaves out the reports whose SQLite export lies beside them.
func withoutExported(all []input) []input {
	exported := map[string]bool{}
	for _, in := range all {
		if ext := filepath.Ext(in.path); ext == ".sqlite" {
			exported[strings.TrimSuffix(in.path, ext)] = true
		}
	}
	return slices.DeleteFunc(all, func(in input) bool {
		ext := filepath.Ext(in.path)
		return (ext == ".nsys-rep" || ext == ".qdrep") && exported[strings.TrimSuffix(in.path, ext)]
	})
}

func unique(all []input) []input {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(in input) bool {
		path := filepath.Clean(in.path)
		twice := seen[path]
		seen[path] = true
		return twice
	})
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
