package rules

import (
	"testing"

	"perflint/detectors/feature"
	"perflint/rules/source"
)

func rendered(t testing.TB, text string, lane *feature.Set) (string, source.Diagnostics) {
	t.Helper()
	r := &reader{}
	l := newLanguage(testSchema(t)).with([]Param{{Name: "most", Default: 0.2, Unit: feature.Frac}, {Name: "word", Default: "x*y*"}}, nil)
	tpl := l.template(r, source.Inline("t", text))
	if tpl == nil {
		return "", r.diags
	}
	s := newScene(lane, nil, 0)
	for _, p := range tpl.parts {
		if p.value != nil {
			s.bind(p.value.names.features(), map[string]any{"most": 0.2, "word": "x*y*"})
		}
	}
	return tpl.render(s), r.diags
}

func TestTemplates(t *testing.T) {
	lane := sparseLane(t)
	lane.Text("trace.gpu_name", "a`b|*c*")
	lane.Int("h2d.bytes", 3<<20)
	lane.Bool("trace.has_frames", true)
	lane.Float("idle.longest_us", 1500)
	for text, want := range map[string]string{
		"nothing to fill in }} {":                                                                                  "nothing to fill in }} {",
		"{{ gpu.idle_frac }} of {{gpu.window_us}}":                                                                 "30 % of 1 ms",
		"{{ h2d.bytes }}, {{ launch.count }} launches":                                                             "3 MiB, 7 launches",
		"{{ params.most }} {{ params.word }}":                                                                      "20 % x*y*",
		"{{ trace.gpu_name }} {{ \"GPU \" + trace.gpu_name }}":                                                     "``a`b|*c*`` GPU ``a`b|*c*``",
		"{{ trace.has_frames }} {{ idle.causes }}":                                                                 "yes 3",
		"{{ idle.longest_us + gpu.window_us }}":                                                                    "2.5 ms",
		"{{ idle.longest_us / gpu.window_us }} {{ 2 * gpu.idle_frac }}":                                            "1.5 60 %",
		"{{ max(idle.longest_us, gpu.window_us) }}":                                                                "1.5 ms",
		"{{ idle.host_late_frac }} {{ launch.count / kernel.count }}":                                              "n/a n/a",
		"{{ idle.host_late_frac ?? gpu.idle_frac }}":                                                               "30 %",
		"{{ pct(0.5) }} {{ num(1.2345, 3) }} {{ launch.count > 3 ? \"many\" : \"few\" }}":                          "50 % 1.23 many",
		"{{ sum(idle.causes, .host_late_us) }} {{ idle.causes[0].host_late_us }} {{ first(idle.causes).subject }}": "405 µs 300 µs `aten::item`",
		"{{ idle.causes[2].subject }} {{ idle.causes[1].subject }}":                                                "`` `x`|y `` n/a",
	} {
		got, diags := rendered(t, text, lane)
		if got != want || len(diags) > 0 {
			t.Errorf("%s\n gives %q, want %q %s", text, got, want, diags)
		}
	}
}

func FuzzTemplate(f *testing.F) {
	for _, s := range []string{"{{ gpu.idle_frac }}", "a {{", "{{ }}", "{{ it.x }} }}", "{{ '}}' }}", "{{ any(idle.causes, .bytes > 3) }}", "{{ trace.gpu_name + 1 }}"} {
		f.Add(s)
	}
	lane := idleLane(f, 0, 20)
	f.Fuzz(func(t *testing.T, s string) {
		got, diags := rendered(t, s, lane)
		_ = diags.String()
		if len(got) > len(s)+500*maxText {
			t.Fatalf("%d bytes from %d", len(got), len(s))
		}
	})
}
