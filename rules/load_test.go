package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"perflint/detectors/feature"
)

const tiny = "title: T\nwhen: gpu.idle_frac > 0.1\nmessage: m\n"

func TestPacks(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"acme/pack.yaml":      "name: acme\nversion: 1.2.0\nrequires: \">=0.1\"\nseverity: info\ntags: [acme, slow]\n",
		"acme/a.yaml":         "id: a\nseverity: error\n" + tiny,
		"acme/deep/b.yml":     "id: b\ntags: [slow]\n" + tiny,
		"acme/a.test.yaml":    "rule: a\ntests: []\n",
		"acme/.hidden/c.yaml": "no rule",
		"acme/readme.md":      "no rule",
		"other/pack.yaml":     "name: other\nrequires: \">=9\"\n",
		"other/unread.yaml":   "no: rule\n",
		"plain.yaml":          "id: plain\n" + tiny,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := ReadPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	rs, diags := Load(testSchema(t), files...)
	if len(diags) != 1 || diags[0].Code != "needs-newer" || !strings.HasSuffix(diags[0].File, "pack.yaml") {
		t.Errorf("diagnostics: %s", diags)
	}
	if got := strings.Join(rs.ids(), " "); got != "a b plain" {
		t.Fatalf("rules: %s", got)
	}
	b, _ := rs.Find("b")
	if b.Pack != "acme" || strings.Join(b.Tags, " ") != "slow acme" || !b.matches("acme/b") || b.matches("other/b") {
		t.Errorf("%+v", b)
	}
	if f := rs.Eval(Input{Lanes: []*feature.Set{idleLane(t, 0, 30)}}, Config{Select: []string{"a"}})[0].Findings[0]; f.Severity != Info {
		t.Errorf("above the ceiling of its pack: %s", f.Severity)
	}
	if tests, diags := rs.LoadTests(files...); len(tests) != 1 || len(diags) > 0 {
		t.Errorf("%d tests, %s", len(tests), diags)
	}
}

func TestReplaces(t *testing.T) {
	shipped := File{Path: "builtin/a.yaml", Data: []byte("id: a\n" + tiny)}
	for text, want := range map[string]string{
		"id: a\nreplaces: a\n" + tiny: "own",
		"id: b\nreplaces: a\n" + tiny: "own",
		"id: b\n" + tiny:              "builtin own",
	} {
		rs, diags := Load(testSchema(t), shipped, File{Path: "own/x.yaml", Data: []byte(text)})
		var got []string
		for _, r := range rs.All() {
			got = append(got, filepath.Dir(r.File))
		}
		if strings.Join(got, " ") != want || len(diags) > 0 {
			t.Errorf("%q: rules of %v %s", text, got, diags)
		}
	}
}

func TestReferencesToNoRuleAreWarnedOf(t *testing.T) {
	text := "id: a\nrefines: [bb, b]\nholds: [{rules: [\"c-*\", \"tag:x\", \"b*\"], at: info}]\n" + tiny + "---\nid: b\n" + tiny
	_, diags := Load(testSchema(t), File{Path: "r.yaml", Data: []byte(text)})
	var got []string
	for _, d := range diags {
		got = append(got, d.Message+" "+d.Hint)
	}
	if want := "no rule is called bb did you mean b?|no rule is called c-* |no rule is called tag:x "; strings.Join(got, "|") != want || diags.Failed() {
		t.Errorf("got %s", diags)
	}
}

func TestRulesThatLoadAreUsable(t *testing.T) {
	rs, diags := Load(testSchema(t), File{Path: "r.yaml", Data: []byte("id: good\n" + tiny + "---\nid: bad\nwhen: x\n---\nid: fine\n" + tiny)})
	if !diags.Failed() || strings.Join(rs.ids(), " ") != "fine good" {
		t.Errorf("rules %v, %s", rs.ids(), diags)
	}
	if _, diags := rs.LoadTests(File{Path: "bad.test.yaml", Data: []byte("rule: bad\ntests: []\n")}); len(diags) > 0 {
		t.Errorf("the tests of a rule with mistakes are blamed too: %s", diags)
	}
	if s := rs.Suggest("goood"); s != "good" {
		t.Errorf("suggested %q", s)
	}
}

func TestUnreadablePaths(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "credentials")
	if err := os.WriteFile(secret, []byte("password"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadPath(secret); err == nil || !strings.HasSuffix(err.Error(), "a file of rules is called .yaml or .yml") {
		t.Errorf("any file may be quoted: %v", err)
	}
	_, err := ReadPath(filepath.Join(t.TempDir(), "missing.yaml"))
	if err == nil || !strings.HasSuffix(err.Error(), "missing.yaml: no such file or directory") || strings.Count(err.Error(), "missing.yaml") != 1 {
		t.Errorf("error: %v", err)
	}
}

func TestVersions(t *testing.T) {
	for s, want := range map[string]string{
		">=0.1": "", "0.1": "", ">=0.0.9, <1": "", "<=0.1.0": "", ">0.1": "needs-newer", "<0.1": "needs-newer", "1": "needs-newer", ">=0.2": "needs-newer",
		"~> 1": "wrong-type", "": "wrong-type", ">=0.1,": "wrong-type",
	} {
		_, diags := Load(testSchema(t), File{Path: "r.yaml", Data: []byte("id: a\nrequires: \"" + s + "\"\n" + tiny)})
		got := ""
		if len(diags) > 0 {
			got = diags[0].Code
		}
		if got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// worst are expressions that are built to run long or to fill the memory.
var worst = []string{
	"all(kernel.top, all(kernel.top, " + strings.Repeat("#.frac < 3 and ", 60) + "true))",
	strings.Repeat("all(kernel.top, all(kernel.top, .frac < 3)) and ", 30) + "true",
	strings.Repeat("all(kernel.top, .name matches '(a*)*(a|b)*c$') or ", 15) + "false",
	"let a = trace.gpu_name; " + doubling("+") + " == \"\"",
	"let a = [1]; " + doubling(",") + " == 1",
	"let a = [1]; " + doubling(",") + " == [1]",
	"let a = kernel.top; let b = map(kernel.top, a); let c = map(kernel.top, b); let d = map(kernel.top, c); d == d",
	"let a = kernel.top; let b = (a ?? 1); let c = map(kernel.top, b ?? 1); max(c) == 1",
	strings.Repeat("(", 4000) + "true" + strings.Repeat(")", 4000),
	strings.Repeat("!", 4000) + "true",
	strings.Repeat("-", 4000) + "1 > 0",
	strings.Repeat("[", 4000),
	"sum(map(kernel.top, sum(map(kernel.top, .frac)))) > 0",
	"9 ** 9 ** 9 ** 9 > 1",
	"any(1..1000000, any(1..1000000, # > 5))",
	"reduce(kernel.top, #acc + #acc, 'aaaa') == ''",
	"repeat('a', 1000000000) == ''",
	"len(upper(lower(upper(trace.gpu_name)))) > 0",
}

// doubling is a chain of lets that doubles a value sixty times.
func doubling(op string) string {
	var b strings.Builder
	last := "a"
	for i := range 60 {
		name := "v" + strings.Repeat("x", i)
		if op == "," {
			b.WriteString("let " + name + " = [" + last + ", " + last + "]; ")
		} else {
			b.WriteString("let " + name + " = " + last + " + " + last + "; ")
		}
		last = name
	}
	return b.String() + last
}

// A rule file of a stranger can neither hang nor fill the memory: each of these is refused, abstains, or ends soon.
func TestTheWorstExpressionsEnd(t *testing.T) {
	lane := idleLane(t, 0, 20)
	lane.Text("trace.gpu_name", strings.Repeat("a", 8<<10))
	var top []feature.Record
	for range feature.MaxRecords {
		top = append(top, feature.Record{"name": strings.Repeat("a", 8<<10), "frac": 0.01, "count": int64(3), "total_us": 1.0})
	}
	lane.List("kernel.top", top)
	for _, expression := range worst {
		start := time.Now()
		_, diags := Ask(testSchema(t), expression, Input{Lanes: []*feature.Set{lane}})
		_ = diags.String()
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%.60s… took %v", expression, took)
		} else if testing.Verbose() {
			t.Logf("%.60s… %v %.80s", expression, took.Round(time.Millisecond), diags)
		}
	}
}

func FuzzLoad(f *testing.F) {
	files, _ := filepath.Glob("testdata/bad/*.yaml")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, e := range worst {
		f.Add([]byte("id: a\ntitle: T\nmessage: m\nwhen: |\n  " + e + "\n"))
	}
	lane := idleLane(f, 0, 20)
	lane.List("idle.causes", []feature.Record{{"cause": "op", "host_late_us": 3.0, "spans": interval(0, 3)}, {}})
	f.Fuzz(func(t *testing.T, data []byte) {
		rs, diags := Load(testSchema(t), File{Path: "f.yaml", Data: data})
		_ = diags.String()
		for _, o := range rs.Eval(Input{Lanes: []*feature.Set{lane}}, Config{}) {
			if o.Status == Abstained && o.Reason == "" {
				t.Fatalf("%s abstains without a reason", o.Rule.ID)
			}
		}
		_, diags = rs.LoadTests(File{Path: "f.test.yaml", Data: data})
		_ = diags.String()
	})
}

// One expression within the bounds is soon judged; a file of hundreds of them must be too.
func TestAFileFullOfExpensiveRulesIsRefused(t *testing.T) {
	var b strings.Builder
	for i := 0; b.Len() < 200<<10; i++ {
		fmt.Fprintf(&b, "---\nid: a%d\ntitle: T\nmessage: m\nwhen: all(kernel.top, all(kernel.top, %strue))\n", i, strings.Repeat(".frac < 3 and ", 12))
	}
	rs, diags := Load(testSchema(t), File{Path: "r.yaml", Data: []byte(b.String())})
	if !diags.Failed() || diags[len(diags)-1].Code != "too-long" {
		t.Errorf("%d rules are taken: %s", len(rs.All()), diags)
	}
	lane := idleLane(t, 0, 20)
	lane.List("kernel.top", slices.Repeat([]feature.Record{{"name": "k", "frac": 0.01}}, feature.MaxRecords))
	start := time.Now()
	rs.Eval(Input{Lanes: []*feature.Set{lane}}, Config{})
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("what is left of it takes %v", took)
	}
}

func TestACrowdedPackIsWarnedOf(t *testing.T) {
	dir := t.TempDir()
	for i := range manyRules + 1 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("r%d.yaml", i)), []byte(fmt.Sprintf("id: r%d\n", i)+tiny), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := ReadPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, diags := Load(testSchema(t), files...)
	if want := dir + ": the pack holds 201 rules; more than 200 are hard to keep apart\n"; diags.String() != want || diags.Failed() {
		t.Errorf("got %s", diags)
	}
	if _, diags := Load(testSchema(t), files[:manyRules]...); len(diags) > 0 {
		t.Errorf("200 rules: %s", diags)
	}
}
