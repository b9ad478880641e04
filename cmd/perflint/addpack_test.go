package main

import (
	"testing"
)

func TestAPackIsAddedTheWayTheFileIsWritten(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a flow list":    {"# top\nrules:\n  packs: [builtin]  # ours\nshow: info\n", "# top\nrules:\n  packs: [builtin, ./own]  # ours\nshow: info\n"},
		"a flow map":     {"rules: {packs: [builtin], select: [all]}\n", "rules: {packs: [builtin, ./own], select: [all]}\n"},
		"a quoted item":  {"rules:\n  packs: [\"builtin\" ]\n", "rules:\n  packs: [\"builtin\" , ./own]\n"},
		"a block list":   {"rules:\n  packs:\n  - builtin # shipped\n  # end\nshow: info", "rules:\n  packs:\n  - builtin # shipped\n  - ./own\n  # end\nshow: info\n"},
		"no list":        {"rules:\n    # none\n    select: [all]\n", "rules:\n    # none\n    packs: [builtin, ./own]\n    select: [all]\n"},
		"nothing inside": {"rules:\n  # packs: []\nshow: info\n", "rules:\n  packs: [builtin, ./own]\n  # packs: []\nshow: info\n"},
		"no section":     {"show: info\n", "show: info\n\nrules:\n  packs: [builtin, ./own]\n"},
		"only comments":  {"# nothing yet\n", "# nothing yet\nrules:\n  packs: [builtin, ./own]\n"},
		"a flow map without a list is left alone": {"rules: {select: [all]}\n", ""},
		"an empty list is left alone":             {"rules: {packs: []}\n", ""},
		"what is no YAML is left alone":           {"rules: [\n", ""},
		"a list of other packs is left alone":     {"rules: {packs: [other]}\n", ""},
	} {
		if got, ok := withPack(c.text, []string{"builtin", "./own"}); got != c.want || ok != (c.want != "") {
			t.Errorf("%s: %v, got\n%s", name, ok, got)
		}
	}
}

func FuzzWithPack(f *testing.F) {
	for _, text := range []string{"rules: {packs: [builtin]}", "rules:\n  packs:\n    - builtin\n", "rules: {packs: [\"]\"]}", "rules:\n", "a: é\nrules: {packs: [é, b]}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if changed, ok := withPack(text, []string{"builtin", "./own"}); ok && changed == text {
			t.Error("the pack was added without a change")
		}
	})
}
