package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagError turns the flag library's words into ours: the flag first, what it takes, what was perhaps meant.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var valueless *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	var syntax *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(cmd, unknown)
	case errors.As(err, &valueless):
		return fmt.Errorf("--%s needs a value: --%s %s", valueless.GetFlag().Name, valueless.GetFlag().Name, placeholder(valueless.GetFlag()))
	case errors.As(err, &invalid):
		return fmt.Errorf("--%s: %w", invalid.GetFlag().Name, plainCause(invalid))
	case errors.As(err, &syntax):
		return fmt.Errorf("%s is no flag", syntax.GetSpecifiedFlag())
	}
	return err
}

func unknownFlag(cmd *cobra.Command, unknown *pflag.NotExistError) error {
	name := unknown.GetSpecifiedName()
	if letters := unknown.GetSpecifiedShortnames(); letters != "" {
		if _, err := os.Lstat("-" + letters); err == nil {
			return fmt.Errorf("unknown flag -%s; write ./-%s for the file", name, letters)
		}
		return fmt.Errorf("unknown flag -%s (%s --help lists them)", name, cmd.CommandPath())
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	hint := didYouMean("--"+name, known)
	if hint == "" {
		hint = fmt.Sprintf(" (%s --help lists them)", cmd.CommandPath())
	}
	return fmt.Errorf("unknown flag --%s%s", name, hint)
}

func placeholder(f *pflag.Flag) string {
	name, _ := pflag.UnquoteUsage(f)
	return name
}

// plainCause is what a flag's parser said, without the name of the function of strconv that it called.
func plainCause(invalid *pflag.InvalidValueError) error {
	text := errors.Unwrap(invalid).Error()
	if strings.HasPrefix(text, "strconv.") || strings.HasPrefix(text, "time:") {
		return fmt.Errorf("%s is no %s", invalid.GetValue(), placeholder(invalid.GetFlag()))
	}
	return errors.Unwrap(invalid)
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no argument, got %s", cmd.CommandPath(), args[0])
	}
	return nil
}

// exactly demands n arguments; what names them in the message.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return fmt.Errorf("%s needs %s, got %s: %s", cmd.CommandPath(), what, counted(len(args), "argument"), cmd.UseLine())
		}
		return nil
	}
}

// atLeast demands n arguments or more; what names them in the message.
func atLeast(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < n {
			return fmt.Errorf("%s needs %s: %s", cmd.CommandPath(), what, cmd.UseLine())
		}
		return nil
	}
}

// group is the RunE of a command that only holds others. Without one cobra prints the help of `perflint rules bogus` and
// exits with 0 (v1.10.2).
func group(cmd *cobra.Command, args []string) error {
	var known []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			known = append(known, sub.Name())
		}
	}
	if len(args) == 0 {
		return fmt.Errorf("%s needs a command: %s", cmd.CommandPath(), either(known))
	}
	return fmt.Errorf("unknown command %s %s%s", cmd.CommandPath(), args[0], hint(args[0], known))
}

// choice is a flag that takes one of a few words.
type choice struct {
	value *string
	words []string
}

func (c choice) String() string {
	if c.value == nil {
		return ""
	}
	return *c.value
}

func (c choice) Type() string { return "WORD" }

func (c choice) Set(word string) error {
	if slices.Contains(c.words, word) {
		*c.value = word
		return nil
	}
	return fmt.Errorf("unknown value %s%s", word, hint(word, c.words))
}

// usageTemplate is cobra's without its advertisement, and no wider than a screen.
const usageTemplate = `Usage:
  {{.UseLine}}{{if .HasAvailableSubCommands}}
  {{.CommandPath}} COMMAND{{end}}{{if .HasExample}}

Examples:
{{.Example}}{{end}}{{$commands := .Commands}}{{range $group := .Groups}}

{{.Title}}{{range $commands}}{{if and (eq .GroupID $group.ID) .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{if not .Groups}}{{if .HasAvailableSubCommands}}

Commands:{{range $commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsagesWrapped 110 | trimTrailingWhitespaces}}{{end}}
`
