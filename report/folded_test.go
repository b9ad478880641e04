package report

import (
	"slices"
	"strings"
	"testing"

	"perflint/detectors/feature"
	"perflint/rules"
)

func asText(t *testing.T, r *Report) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, r, "text", Options{Width: 200, Style: "plain"}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// followed is a report of one finding and what it was seen as, too.
func followed(alone, follower float64, grain rules.Grain) *Report {
	coarse := rule("coarse", "Seen from afar")
	coarse.Grain = grain
	fine := rules.Finding{Severity: rules.Warning, Message: "Fine.", Alone: alone, Exclusive: alone, SeenAs: []string{"coarse"}}
	under := rules.Finding{Severity: rules.Warning, Message: "All of it is 1.2 s.", Alone: follower, FoldedInto: "fine"}
	settle(&fine)
	settle(&under)
	return New(meta(), []*feature.Set{lane(0)}, nil, []rules.Outcome{
		{Rule: rule("fine", "Seen closely"), Status: rules.Fired, Findings: []rules.Finding{fine}},
		{Rule: coarse, Status: rules.Fired, Findings: []rules.Finding{under}},
	})
}

func TestAFollowerThatSeesMoreIsQuoted(t *testing.T) {
	const sentence = "More of it is seen as coarse: All of it is 1.2 s."
	for _, c := range []struct {
		what            string
		alone, follower float64
		grain           rules.Grain
		told            bool
	}{
		{"much more", 5e5, 12e5, rules.CallGrain, true},
		{"hardly more", 5e5, 6e5, rules.CallGrain, false},
		{"the whole GPU, which stands in the report's own table", 5e5, 12e5, rules.GPUGrain, false},
	} {
		out := asText(t, followed(c.alone, c.follower, c.grain))
		if strings.Contains(out, "Seen also as coarse.") == c.told || strings.Contains(out, sentence) != c.told {
			t.Errorf("%s: told %v, want %v:\n%s", c.what, !c.told, c.told, out)
		}
	}
}

func TestADetailUnderTheWholeIsQuoted(t *testing.T) {
	r := followed(5e5, 2e5, rules.CallGrain)
	const sentence = "A part of it is coarse: All of it is 1.2 s."
	if out := asText(t, r); strings.Contains(out, sentence) {
		t.Errorf("it is no detail of its leader:\n%s", out)
	}
	for i := range r.Outcomes {
		if r.Outcomes[i].Rule == "coarse" {
			r.Outcomes[i].Refines = []string{"fine"}
		}
	}
	if out := asText(t, r); !strings.Contains(out, sentence) {
		t.Errorf("the detail is not quoted:\n%s", out)
	}
}

func TestWhatSaysHowFarOthersCanBeTrustedComesFirst(t *testing.T) {
	holder := rule("z-unfit", "The window is unfit")
	holder.Holds = []rules.Hold{{Rules: []string{"m-held"}}}
	note := rules.Finding{Severity: rules.Info, Message: "Note."}
	held := rules.Finding{Severity: rules.Info, Message: "Held.", Alone: 5e5, HeldBy: "z-unfit"}
	settle(&held)
	unfit := rules.Finding{Severity: rules.Info, Message: "Unfit."}
	settle(&note)
	settle(&unfit)
	r := New(meta(), []*feature.Set{lane(0)}, nil, []rules.Outcome{
		{Rule: rule("a-note", "A note"), Status: rules.Fired, Findings: []rules.Finding{note}},
		{Rule: rule("m-held", "A finding that is held"), Status: rules.Fired, Findings: []rules.Finding{held}},
		{Rule: holder, Status: rules.Fired, Findings: []rules.Finding{unfit}},
	})
	var got []string
	for _, f := range r.findings() {
		got = append(got, f.rule.Rule)
	}
	if want := []string{"z-unfit", "m-held", "a-note"}; !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
	if out := asText(t, r); strings.Contains(out, "could be recovered") {
		t.Errorf("what is held is no saving:\n%s", out)
	}
}

func TestSentencesWithoutDetailsStandOnce(t *testing.T) {
	var found []rules.Finding
	for _, s := range []string{"frames", "marks"} {
		f := rules.Finding{Severity: rules.Info, Subject: s, Message: "Not in the trace: " + s + ".", Fix: []rules.Fix{{Do: "Record " + s + "."}}}
		settle(&f)
		found = append(found, f)
	}
	r := New(meta(), []*feature.Set{lane(0)}, nil, []rules.Outcome{{Rule: rule("inputs", "Something is missing"), Status: rules.Fired, Findings: found}})
	if out := asText(t, r); strings.Count(out, "Not in the trace: frames.") != 1 || !strings.Contains(out, "1. Record frames.") {
		t.Errorf("the sentence stands more than once, or its remedy does not:\n%s", out)
	}
}

func TestAFollowerIsMeasuredWhereItsLeaderIs(t *testing.T) {
	coarse := rule("coarse", "Seen from afar")
	coarse.Grain = rules.CallGrain
	fine := rules.Finding{Severity: rules.Warning, Message: "Fine.", Lane: 0, Lanes: []int{0, 1}, Alone: 5e5, Exclusive: 5e5, SeenAs: []string{"coarse"},
		ByLane: []rules.Saving{{Alone: 5e5, Exclusive: 5e5, Window: 4123e3}, {Alone: 4e5, Exclusive: 4e5, Window: 4123e3}}}
	under := rules.Finding{Severity: rules.Warning, Message: "All of it is 1.2 s.", Lane: 1, Lanes: []int{1, 0}, Alone: 12e5, FoldedInto: "fine",
		ByLane: []rules.Saving{{Alone: 12e5, Window: 4123e3}, {Alone: 7e5, Window: 4123e3}}}
	report := func() *Report {
		return New(meta(), []*feature.Set{lane(0), lane(1)}, nil, []rules.Outcome{
			{Rule: rule("fine", "Seen closely"), Status: rules.Fired, Findings: []rules.Finding{fine}},
			{Rule: coarse, Status: rules.Fired, Findings: []rules.Finding{under}},
		})
	}
	if out := asText(t, report()); !strings.Contains(out, "More of it is seen as coarse: All of it is 1.2 s. (GPU 1)") {
		t.Errorf("the lane of the quoted numbers is not told:\n%s", out)
	}
	under.ByLane[1].Alone = 5e5
	if out := asText(t, report()); strings.Contains(out, "All of it") {
		t.Errorf("on the leader's lane it is no more:\n%s", out)
	}
}

// What a rule about the trace's quality keeps silent is said in the head.
func TestTheHeadSaysWhatIsSilenced(t *testing.T) {
	r := New(meta(), []*feature.Set{lane(0)}, nil, []rules.Outcome{
		{Rule: rule("storm", "A storm"), Status: rules.Suppressed, Reason: "`unfit` fired (The window is unfit)"},
		{Rule: rule("late", "Late"), Status: rules.Suppressed, Reason: "`unfit` fired (The window is unfit)"},
	})
	out := asText(t, r)
	const want = "Note: unfit fired (The window is unfit), so nothing is said of late, storm."
	if head, _, _ := strings.Cut(out, "Where the"); !strings.Contains(strings.Join(strings.Fields(head), " "), want) {
		t.Errorf("the head does not say so:\n%s", out)
	}
}
