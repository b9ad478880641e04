package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// export has nsys write a report of its own as SQLite into a temporary folder, and returns that file.
func (c *Command) export(ctx context.Context, report string) (string, error) {
	nsys, err := exec.LookPath("nsys")
	if err != nil {
		return "", refusal{report, "is an Nsight Systems report; perflint reads its SQLite export:\n    nsys export --type sqlite --output " +
			quoteShell(exportName(report)) + " " + quoteShell(report)}
	}
	dir, err := c.tempDir()
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "export.sqlite")
	run := exec.CommandContext(ctx, nsys, "export", "--type", "sqlite", "--output", file, operand(report))
	run.WaitDelay = time.Second
	if said, err := run.CombinedOutput(); err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return "", cause
		}
		return "", fmt.Errorf("%s: nsys could not export this report: %s", report, lastLine(string(said), err))
	}
	return file, nil
}

func exportName(report string) string {
	return strings.TrimSuffix(filepath.Base(report), filepath.Ext(report)) + ".sqlite"
}

// operand keeps a file name that begins with a dash from being read as a flag.
func operand(path string) string {
	if strings.HasPrefix(path, "-") {
		return "./" + path
	}
	return path
}

func quoteShell(word string) string {
	if strings.ContainsAny(word, " \t'\"\\$&;|<>()*?[]#~`!{}") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return operand(word)
}

// lastLine is the end of what a program printed, where it says why it failed.
func lastLine(text string, err error) string {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	for i := len(lines) - 1; i >= 0; i-- {
		if line := strings.TrimSpace(lines[i]); line != "" {
			return line
		}
	}
	return err.Error()
}
