package timeline

import (
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
)

func TestLiteralsOfPatterns(t *testing.T) {
	for expr, want := range map[string][]string{
		`(?i)nccl|RCCL|::ep::`:          {"nccl", "rccl", "::ep::"},
		`^(cuda|cu|hip)GraphLaunch$`:    {"graphlaunch"},
		`^(gc|gc\.collect)$`:            {"gc"}, // the parser takes out what both begin with
		`^get(Loader|Pipe)+\b`:          {"loader", "pipe"},
		`\wBackward\d*\b`:               {"backward"},
		`a|bc`:                          nil,
		`[a-z]*`:                        nil,
		`(ab)?`:                         nil,
		`größe`:                         nil,
		`^Command Buffer Full`:          {"command buffer full"},
		`Driver Compiler|Lazy Function`: {"driver compiler", "lazy function"},
	} {
		re, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if got := literals(re); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", expr, got, want)
		}
	}
}

// A class is that of the first line whose expression matches, found with hooks or without.
func TestHooksMissNoMatch(t *testing.T) {
	compiled, err := compileClasses(classesText)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, byClass := range realNames {
		for _, list := range byClass {
			words = append(words, list...)
		}
	}
	words = append(words, "", "ſtep[", "execute_ſ", "\u212aernel", "naïve backward", " ", "::", "_", "(", "#", "Backward0", "get_batch", "GC")
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		name := words[r.IntN(len(words))]
		switch r.IntN(4) {
		case 0:
			name += words[r.IntN(len(words))]
		case 1:
			name = strings.ToUpper(name)
		case 2:
			name = name[r.IntN(len(name)+1):]
		}
		for s := range compiled {
			p := &compiled[s]
			want := Plain
			if i := slices.IndexFunc(p.re, func(re *regexp.Regexp) bool { return re.MatchString(name) }); i >= 0 {
				want = p.class[i]
			}
			if got := p.classOf(name); got != want {
				t.Fatalf("%s %q is %q, want %q", sectionNames[s], name, got, want)
			}
		}
	}
}

func TestMoreLiteralsThanATableHolds(t *testing.T) {
	var p patterns
	for i := range 60 {
		a, b := string(rune('a'+i%26)), string(rune('a'+i/26))
		if err := p.add(Class(1+i%5), a+b+"one$|"+a+b+"two$"); err != nil {
			t.Fatal(err)
		}
	}
	if len(p.hooks.tables) != 2 {
		t.Errorf("%d tables", len(p.hooks.tables))
	}
	for i := range 60 {
		name := "x" + string(rune('a'+i%26)) + string(rune('a'+i/26)) + "two"
		if got := p.classOf(name); got != Class(1+i%5) {
			t.Errorf("%s is %d", name, got)
		}
	}
	if got := p.classOf("aathree"); got != Plain {
		t.Errorf("got %d", got)
	}
	for range 4 {
		if err := p.add(Launch, "x"); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.add(Launch, "x"); err == nil {
		t.Error("a 65th pattern was taken")
	}
}
