package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"perflint/report"
)

// face is one way that the report is shown: a format and the file it goes to, empty for the standard output.
type face struct {
	format, path string
	opt          report.Options
}

// faces lists what to write. What can be wrong with them is found here, before any trace is read.
func (c *Command) faces(f flags) ([]face, error) {
	opt, err := c.look(f)
	if err != nil {
		return nil, err
	}
	format := f.format
	if format == "auto" {
		format = "markdown"
		if isTerminal(c.Stdout) {
			format = "text"
		}
	}
	all := []face{{format, "", opt}}
	for _, word := range f.outputs {
		format, path, ok := strings.Cut(word, "=")
		switch {
		case !ok || path == "":
			return nil, fmt.Errorf("--output: %s is no FORMAT=PATH", word)
		case !slices.Contains(report.Formats(), format):
			return nil, fmt.Errorf("--output: unknown format %s%s", format, hint(format, report.Formats()))
		}
		if err := writable(path); err != nil {
			return nil, fmt.Errorf("--output: %w", err)
		}
		all = append(all, face{format, path, plain(opt)})
	}
	return all, nil
}

// plain is how a file is written: as for a reader without a terminal.
func plain(opt report.Options) report.Options {
	opt.Color, opt.Width = false, 0
	return opt
}

// look gathers how a report is shown.
func (c *Command) look(f flags) (report.Options, error) {
	opt := report.Options{Show: f.show, MaxBytes: f.maxBytes, Width: f.width, Color: c.colored(f.color), Style: f.style,
		Anchor: f.anchor, Workspace: workspace()}
	if opt.Width == 0 {
		opt.Width = width(c.Stdout)
	}
	for _, word := range f.pathMaps {
		from, to, ok := strings.Cut(word, "=")
		if !ok || from == "" {
			return opt, fmt.Errorf("--path-map: %s is no FROM=TO", word)
		}
		opt.PathMap = append(opt.PathMap, [2]string{from, to})
	}
	var err error
	opt.MinFrac, opt.MinUs, err = leastSaving(f.minSaving)
	return opt, err
}

// leastSaving reads "1%" as a share and "500us" as microseconds.
func leastSaving(text string) (frac, us float64, err error) {
	if text == "" {
		return 0, 0, nil
	}
	if number, ok := strings.CutSuffix(text, "%"); ok {
		if frac, err = strconv.ParseFloat(strings.TrimSpace(number), 64); err == nil && frac >= 0 {
			return frac / 100, 0, nil
		}
	} else if d, err := duration(text); err == nil && d >= 0 {
		return 0, float64(d) / 1e3, nil
	}
	return 0, 0, fmt.Errorf("--min-saving: %s is neither a share as 1%% nor a time as 500us", text)
}

// workspace is the root of the repository that the run is in, empty outside one.
func workspace() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// writable reports why a file could not be written: there is no such folder, or the path is one.
func writable(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder", path)
	}
	if _, err := os.Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: there is no folder %s", path, filepath.Dir(path))
	}
	return nil
}

// deliver writes all faces, files first: when the standard output is closed they are complete.
func (c *Command) deliver(r *report.Report, faces []face) error {
	for _, f := range slices.Backward(faces) {
		var b bytes.Buffer
		if err := report.Write(&b, r, f.format, f.opt); err != nil {
			return err
		}
		if f.path == "" {
			c.out.Write(b.Bytes())
		} else if err := replace(f.path, b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// replace writes a file whole or not at all. What is no plain file (a device, a pipe) is written to as it is.
func replace(path string, data []byte) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(path, data, 0o644)
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".perflint-*")
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer os.Remove(temp.Name()) // fails once it has its name
	_, err = temp.Write(data)
	err = errors.Join(err, temp.Chmod(0o644), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	return err
}
