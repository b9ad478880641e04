package rules

import (
	"testing"

	"perflint/detectors/feature"
)

func TestWordsOfARuleStayWords(t *testing.T) {
	name := CodeSpan("H`100", maxInText)
	for _, c := range []struct{ placeholder, want string }{
		{`trace.gpu_name`, name},
		{`"on " + trace.gpu_name`, "on " + name},
		{`launch.count > 9 ? "many" : "few on " + trace.gpu_name + " here"`, "few on " + name + " here"},
		{`launch.count > 1 ? "many" : trace.gpu_name`, "many"},
		{`launch.count > 1 ? "" : trace.gpu_name`, ""},
		{`launch.count + 1`, "6"},
		{`steps.source`, "the `prof.step()` marks"},
		{`steps.source + trace.gpu_name`, CodeSpan("the `prof.step()` marksH`100", maxInText)},
	} {
		doc := "id: a\ntitle: A\nwhen: launch.count > 0\nmessage: '{{ " + c.placeholder + " }}'\nseverity: info\n"
		rs, diags := Load(testSchema(t), File{Path: "a.yaml", Data: []byte(doc)})
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		set := idleLane(t, 0, 20)
		set.Int("launch.count", 5)
		set.Text("trace.gpu_name", "H`100")
		set.Text("steps.source", "the `prof.step()` marks")
		got := rs.Eval(Input{Lanes: []*feature.Set{set}}, Config{})[0].Findings[0].Message
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.placeholder, got, c.want)
		}
	}
}
