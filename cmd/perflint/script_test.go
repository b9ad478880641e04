package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output of the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"perflint": main})
}

// The scripts are the program's contract with its users: every flag, exit code and message on stderr.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Setup:               cleanEnvironment,
		Condition:           condition,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"status": status},
	})
}

// cleanEnvironment takes away what would make the output depend on who runs the tests, and says where the fixtures are.
func cleanEnvironment(env *testscript.Env) error {
	for _, name := range []string{"NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "PERFLINT_FORMAT", "PERFLINT_STYLE", "PERFLINT_CONFIG"} {
		env.Setenv(name, "")
	}
	fixtures, err := filepath.Abs("../../fixtures")
	env.Setenv("FIXTURES", fixtures)
	return err
}

// condition adds [root]: permissions do not hold for whoever is.
func condition(name string) (bool, error) {
	if name == "root" {
		return os.Getuid() == 0, nil
	}
	return false, fmt.Errorf("unknown condition %s", name)
}

// status runs a program that must end with exactly that exit code: status 2 perflint nofile.json.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status CODE PROGRAM [ARG...]")
	}
	code := 0
	var ended *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &ended) {
		code = ended.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}
