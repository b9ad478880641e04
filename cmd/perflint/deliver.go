package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"perflint/report"
	"perflint/rules"
	"perflint/rules/source"
)

// display decides where reports go and what they look like.
type display struct {
	format, color, style string
	pathMaps             []string
	width, maxBytes      int
}

func (f *display) define(cmd *cobra.Command) {
	set := cmd.Flags()
	oneOf(cmd, &f.format, "format", "f", "auto", append([]string{"auto"}, report.Formats()...), "`format` of the standard output; auto is text on a terminal, else markdown")
	defineShown(cmd)
	set.IntVar(&f.maxBytes, "max-bytes", 0, "cut markdown at the end of a finding before this `size` in bytes")
	set.StringArrayVar(&f.pathMaps, "path-map", nil, "paths of the trace as paths of the repository, as `FROM=TO`; repeatable")
	f.defineText(cmd)
}

// defineShown adds what a configuration may say about the showing of reports.
func defineShown(cmd *cobra.Command) {
	set := cmd.Flags()
	set.StringArrayP("output", "o", nil, "write another format to a file, as `FORMAT=PATH`; repeatable")
	oneOf(cmd, new(string), "show", "", "info", levels, "lowest `level` that is shown")
	set.String("min-saving", "", "hide findings that save less than this `share or time`: 1%, 500us")
	set.String("anchor", "", "`FILE[:LINE]` for annotations where the trace names no source")
}

// defineText defines what concerns the text format alone.
func (f *display) defineText(cmd *cobra.Command) {
	oneOf(cmd, &f.color, "color", "", "auto", []string{"auto", "always", "never"}, "`when` to colour the text format")
	oneOf(cmd, &f.style, "style", "", "dark", []string{"dark", "light", "plain"}, "`colours` of the text format")
	cmd.Flags().IntVar(&f.width, "width", 0, "`columns` of the text format (default: the terminal's)")
}

// environment gives flags that were not given the values of their variables.
func (f *display) environment(cmd *cobra.Command, env func(string) string) error {
	for name, variable := range map[string]string{"format": "PERFLINT_FORMAT", "style": "PERFLINT_STYLE"} {
		if value := env(variable); value != "" && !cmd.Flags().Changed(name) {
			if err := cmd.Flags().Set(name, value); err != nil {
				return fmt.Errorf("%s: %w", variable, flagError(cmd, err))
			}
		}
	}
	return nil
}

// face is one way that the report is shown: a format and the file it goes to, empty for the standard output.
type face struct {
	format, path string
	opt          report.Options
}

// faces lists what to write. What can be wrong with them is found here, before any trace is read.
func (c *Command) faces(f display, conf *config) ([]face, error) {
	opt, err := c.look(f)
	if err != nil {
		return nil, err
	}
	opt.Show, opt.MinFrac, opt.MinUs, opt.Anchor = conf.Show, conf.MinFrac, conf.MinUs, conf.anchor(opt.Workspace)
	format := f.format
	if format == "auto" {
		format = "markdown"
		if isTerminal(c.Stdout) {
			format = "text"
		}
	}
	all := []face{{format, "", opt}}
	if wrong := unknownFormats(conf.Settings); len(wrong) > 0 {
		return nil, mistakes(wrong)
	}
	for _, o := range conf.Outputs {
		path := rules.Beside(o.Path)
		if err := writable(path); err != nil {
			return nil, mistakes{o.Path.Diag("unreadable", err.Error(), "")}
		}
		all = append(all, face{o.Format.Value, path, plain(opt, f.width)})
	}
	return all, nil
}

// unknownFormats are the outputs that nobody can write.
func unknownFormats(s *rules.Settings) source.Diagnostics {
	var wrong source.Diagnostics
	for _, o := range s.Outputs {
		if known := report.Formats(); !slices.Contains(known, o.Format.Value) {
			wrong = append(wrong, o.Format.Diag("wrong-type", fmt.Sprintf("unknown format %s%s", o.Format.Value, hint(o.Format.Value, known)), ""))
		}
	}
	return wrong
}

// plain is how a file is written: as for a reader without a terminal.
func plain(opt report.Options, columns int) report.Options {
	opt.Color, opt.Width, opt.Style = false, cmp.Or(columns, noTerminal), "plain"
	return opt
}

// look gathers how a report is shown.
func (c *Command) look(f display) (report.Options, error) {
	opt := report.Options{MaxBytes: f.maxBytes, Width: f.width, Color: c.colored(f.color), Style: f.style, Workspace: workspace()}
	if f.width < 0 {
		return opt, fmt.Errorf("--width: %d is no number of columns", f.width)
	}
	if opt.Workspace != "" {
		opt.Files = os.DirFS(opt.Workspace)
		opt.Dir, _ = os.Getwd()
	}
	if opt.Width == 0 {
		opt.Width = width(c.Stdout)
	}
	if !opt.Color && (!isTerminal(c.Stdout) || c.Env("TERM") == "dumb") {
		opt.Style = "plain" // bold is no colour, but noise in a file and on a terminal that obeys nothing
	}
	for _, word := range f.pathMaps {
		from, to, ok := strings.Cut(word, "=")
		if !ok || from == "" {
			return opt, fmt.Errorf("--path-map: %s is no FROM=TO", word)
		}
		opt.PathMap = append(opt.PathMap, [2]string{from, to})
	}
	return opt, nil
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
	if refused := (*fs.PathError)(nil); errors.As(err, &refused) {
		return fmt.Errorf("%s: %w", path, refused.Err) // which names the temporary file
	}
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
