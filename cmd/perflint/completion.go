package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

func (c *Command) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print the shell's completion script",
		Long: `Print the completion script of a shell. To load it in every new session:

  bash         perflint completion bash > ~/.local/share/bash-completion/completions/perflint
  zsh          perflint completion zsh > "${fpath[1]}/_perflint"
  fish         perflint completion fish > ~/.config/fish/completions/perflint.fish
  powershell   perflint completion powershell >> $PROFILE`,
		ValidArgs: shells,
		Args:      exactly(1, "SHELL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch root := cmd.Root(); args[0] {
			case "bash":
				return root.GenBashCompletionV2(c.out, true)
			case "zsh":
				return root.GenZshCompletion(c.out)
			case "fish":
				return root.GenFishCompletion(c.out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(c.out)
			}
			return fmt.Errorf("unknown shell %s%s", args[0], hint(args[0], shells))
		},
	}
}
