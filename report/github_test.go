package report

import (
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"perflint/detectors/feature"
	"perflint/rules"
)

type parsed struct {
	name, data string
	props      map[string]string
}

// obey reads a line of output as GitHub's runner does: it finds the new form of a command at the start of a line, blanks
// aside, and the old form anywhere.
func obey(line string) (parsed, bool) {
	known := func(s string) bool {
		switch strings.ToLower(s) {
		case "error", "warning", "notice", "group", "endgroup", "add-mask", "stop-commands", "debug", "echo", "set-output":
			return true
		}
		return false
	}
	if i := strings.Index(line, "##["); i >= 0 {
		name, _, ok := strings.Cut(line[i+3:], "]")
		name, _, _ = strings.Cut(name, " ")
		return parsed{name: name}, ok && known(name)
	}
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "::")
	if !ok {
		return parsed{}, false
	}
	info, data, ok := strings.Cut(rest, "::")
	if !ok {
		return parsed{}, false
	}
	name, props, _ := strings.Cut(info, " ")
	out := parsed{name: name, props: map[string]string{}}
	undo := func(s string, codes ...string) string {
		for i := 0; i < len(codes); i += 2 {
			s = strings.ReplaceAll(s, codes[i], codes[i+1])
		}
		return s
	}
	for _, p := range strings.Split(strings.TrimSpace(props), ",") {
		if k, v, ok := strings.Cut(p, "="); ok && v != "" {
			out.props[k] = undo(v, "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")
		}
	}
	out.data = undo(data, "%0D", "\r", "%0A", "\n", "%25", "%")
	return out, known(name)
}

func FuzzCommandIsReadBackByTheRunner(f *testing.F) {
	for _, s := range nasty {
		f.Add(s, s, s)
	}
	f.Fuzz(func(t *testing.T, file, title, message string) {
		file, title, message = clean(file), clean(title), clean(message)
		line := unhook(command("error", file, 7, title, message))
		if strings.Count(line, "\n") != 1 {
			t.Fatalf("%q is not one line", line)
		}
		got, ok := obey(strings.TrimSuffix(line, "\n"))
		if !ok || got.name != "error" {
			t.Fatalf("%q is no command", line)
		}
		want := func(s string) string { return strings.ReplaceAll(s, "##[", "##·[") }
		if got.data != want(message) {
			t.Errorf("message %q reads %q", message, got.data)
		}
		bare := func(s string) string {
			return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '=' })
		}
		if s := bare(title); got.props["title"] != want(s) {
			t.Errorf("title %q reads %q", title, got.props["title"])
		}
		if s := bare(file); got.props["file"] != want(s) {
			t.Errorf("file %q reads %q", file, got.props["file"])
		}
	})
}

// trapped is a report in which every text that can come from a trace is s.
func trapped(s string) *Report {
	m := Meta{Traces: []Trace{{Path: s, Format: "Kineto", Notes: []string{s, "it says " + s}}}}
	set := lane(0)
	set.Lane.Name = s
	finding := rules.Finding{
		Severity: rules.Error, Lanes: []int{0}, Subject: s, Message: "Kernel " + code(s, inText) + " is slow.", Exclusive: 1e5, Alone: 1e5,
		Evidence: []rules.Evidence{{Label: "longest kernel", Value: s}, {Label: s, Value: s, Op: "==", Limit: s}},
		Places:   []feature.Place{{Start: 1, Dur: 2, Track: s, Op: s, Frame: s, File: s, Function: s, Line: 3}, {Frame: s}, {Op: s}},
		Fix:      []rules.Fix{{Do: "Replace " + code(s, inText) + "."}},
	}
	settle(&finding)
	starting := finding
	starting.Message = code(s, inText) + " is slow."
	return New(m, []*feature.Set{set}, nil, []rules.Outcome{
		{Rule: rule("kernel-hotspot", "One kernel"), Status: rules.Fired, Findings: []rules.Finding{finding, starting}},
		{Rule: rule("other", "Other"), Status: rules.Abstained, Reason: "no " + s},
		{Rule: rule("another", "Another"), Status: rules.Abstained, Reason: s},
	})
}

func FuzzGitHubObeysOnlyUs(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, s string) {
		var b strings.Builder
		if err := Write(&b, trapped(s), "github", Options{Width: 80}); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, line := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
			c, ok := obey(line)
			if ok {
				names = append(names, c.name)
			} else if !strings.HasPrefix(line, "│") {
				t.Errorf("the line %q has no mark", line)
			}
		}
		if got := strings.Join(names, " "); got != "group endgroup error error" {
			t.Errorf("%q gives the commands %s:\n%s", s, got, b.String())
		}
	})
}

func TestAnnotationsStopBeforeGitHubDropsThem(t *testing.T) {
	var many []rules.Finding
	for range 23 {
		many = append(many, rules.Finding{Severity: rules.Warning, Lane: -1, Message: strings.Repeat("long ", 400)})
	}
	r := New(meta(), nil, nil, []rules.Outcome{{Rule: rule("a", strings.Repeat("title ", 60)), Status: rules.Fired, Findings: many}})
	var b strings.Builder
	if err := Write(&b, r, "github", Options{}); err != nil {
		t.Fatal(err)
	}
	var warnings, notices int
	for _, line := range strings.Split(b.String(), "\n") {
		c, ok := obey(line)
		switch {
		case ok && c.name == "warning":
			warnings++
			if len([]rune(c.props["title"])) > maxTitle || len([]rune(c.data)) > maxMessage {
				t.Errorf("title of %d, message of %d characters", len(c.props["title"]), len(c.data))
			}
		case ok && c.name == "notice":
			notices++
			if c.data != "and 14 more findings, see the job summary" {
				t.Error(c.data)
			}
		}
	}
	if warnings != 9 || notices != 1 {
		t.Errorf("%d warnings, %d notices", warnings, notices)
	}
}

func TestAnnotationPointsIntoTheRepository(t *testing.T) {
	repo := fstest.MapFS{"train.py": {}, "src/model.py": {}, "traces/a.json": {}, "venv/lib/site-packages/torch/nn.py": {}}
	for _, c := range []struct {
		what, place, trace, anchor, dir string
		pathMap                         [][2]string
		file                            string
		line                            int
	}{
		{what: "a relative frame", place: "train.py", file: "train.py", line: 88},
		{what: "an absolute frame under the root", place: "/repo/src/model.py", file: "src/model.py", line: 88},
		{what: "a mapped frame", place: "/workspace/src/model.py", pathMap: [][2]string{{"/workspace", "."}}, file: "src/model.py", line: 88},
		{what: "a map onto the root's path", place: "/workspace/src/model.py", pathMap: [][2]string{{"/workspace/", "/repo"}}, file: "src/model.py", line: 88},
		{what: "a backslash path", place: `src\model.py`, file: "src/model.py", line: 88},
		{what: "a frame outside, then the anchor", place: "/usr/lib/x.py", anchor: "train.py:12", file: "train.py", line: 12},
		{what: "an installed package is not ours", place: "venv/lib/site-packages/torch/nn.py", anchor: "train.py", file: "train.py"},
		{what: "a neighbour of the root is outside", place: "/repository/train.py", trace: "traces/a.json", file: "traces/a.json"},
		{what: "no way out of the root", place: "../../train.py", trace: "/tmp/a.json"},
		{what: "the trace when it is in the repository", trace: "./traces/a.json", file: "traces/a.json"},
		{what: "the trace as it is called in a folder of the repository", dir: "/repo/traces", trace: "a.json", file: "traces/a.json"},
		{what: "a namesake of a file of the repository, elsewhere", dir: "/repo/src", trace: "train.py"},
		{what: "nothing", trace: "/tmp/a.json"},
	} {
		r := New(Meta{Traces: []Trace{{Path: c.trace}}}, nil, nil, nil)
		f := Finding{Lane: -1, Locations: []Place{{File: c.place, Line: 88}}}
		file, line := r.anchor(f, Options{Workspace: "/repo", Dir: c.dir, Files: repo, Anchor: c.anchor, PathMap: c.pathMap})
		if file != c.file || line != c.line {
			t.Errorf("%s: got %s:%d, want %s:%d", c.what, file, line, c.file, c.line)
		}
	}
}
