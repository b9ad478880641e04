package rules

import (
	"errors"
	"fmt"

	"perflint/detectors/feature"
	"perflint/detectors/span"
)

// judge is one rule on one scene.
type judge struct {
	rule        *Rule
	settings    settings
	scene       *scene
	materiality Materiality
}

func (j judge) verdict() verdict {
	v := verdict{rule: j.rule, scene: j.scene, status: Passed}
	j.scene.it = nil
	j.scene.bind(j.rule.features(), j.settings.params)
	relevant, err := j.rule.body.applies.holds(j.scene, true)
	switch {
	case err != nil:
		v.abstain(err)
		return v
	case !relevant:
		v.status = Skipped
		return v
	}
	if a := j.scene.missing(j.rule.Needs); a != nil {
		v.abstain(a)
		return v
	}
	if j.rule.body.forEach != nil {
		j.records(&v)
	} else if f, err := j.finding(); err != nil {
		v.abstain(err)
	} else {
		v.add(f)
	}
	if v.status == Fired {
		j.activeHolds(&v)
	}
	return v
}

// activeHolds keeps the holds whose condition is true here; one that cannot be judged does not hold.
func (j judge) activeHolds(v *verdict) {
	j.scene.it = nil
	for _, h := range j.rule.Holds {
		if active, err := h.when.holds(j.scene, true); err == nil && active {
			v.holds = append(v.holds, h)
		}
	}
}

func (v *verdict) abstain(err error) {
	v.status, v.reason = Abstained, err.Error()
	var a *abstention
	if errors.As(err, &a) {
		v.missing = a.missing
	}
}

// add takes a finding, nil when the rule did not fire. One too small to matter is none.
func (v *verdict) add(f *finding) {
	switch {
	case f == nil:
	case f.Severity == Silent && v.status == Fired:
	case f.Severity == Silent:
		v.reason = fmt.Sprintf("it holds, but what it claims is only %s of the window", feature.Format(f.AloneFrac, feature.Frac))
	default:
		v.status, v.reason, v.missing = Fired, "", nil
		v.findings = append(v.findings, f)
	}
}

// records judges each record. One that cannot be judged is left out; the rule abstains when that is all of them.
func (j judge) records(v *verdict) {
	d := *j.rule.body.forEach
	value, _ := j.scene.get(d.Name)
	list, _ := value.([]feature.Record)
	judged := 0
	var failed error
	for i, r := range list {
		j.scene.each(d, r)
		f, err := j.finding()
		if err != nil {
			failed = err
			continue
		}
		judged++
		if f != nil {
			f.record = i
		}
		v.add(f)
	}
	if judged == 0 && failed != nil {
		v.abstain(failed)
	}
}

// finding is nil when the rule does not fire.
func (j judge) finding() (*finding, error) {
	fires, err := j.rule.body.when.holds(j.scene, false)
	if err != nil || !fires {
		return nil, err
	}
	f := &finding{rule: j.rule, window: j.scene.window(), share: 1}
	f.Lane, f.Lanes = j.scene.index, []int{j.scene.index}
	if err := j.claim(f); err != nil && j.rule.Auto {
		return nil, err
	}
	if j.severity(f); f.Severity == Silent {
		return f, nil
	}
	b := &j.rule.body
	f.Subject = j.subject()
	f.Message = b.message.render(j.scene)
	f.Evidence = j.evidence()
	f.Places = j.places(f.Claims)
	f.Fix = j.remedies()
	return f, nil
}

// remedies are those of the rule that fit; one of which that cannot be told may.
func (j judge) remedies() []Fix {
	var out []Fix
	for i, fix := range j.rule.Fix {
		r := j.rule.body.fixes[i]
		if fits, err := r.when.holds(j.scene, true); err == nil && !fits {
			continue
		}
		fix.Do, fix.When = r.do.render(j.scene), ""
		out = append(out, fix)
	}
	return out
}

// culprits are the fields of a record that may name what is to blame, the most precise first.
var culprits = []string{"frame", "op", "subject", "name", "collective", "input"}

// subject is what the rule says, or in a foreach that says nothing the most precise name that the record has.
func (j judge) subject() string {
	if j.rule.body.subject != nil {
		return j.rule.body.subject.plain(j.scene)
	}
	for _, field := range culprits {
		if s := words(j.scene.it, field); s != "" {
			return s
		}
	}
	return ""
}

// claim fills in what the finding claims. For a rule whose severity does not depend on it, what cannot be judged is zero.
func (j judge) claim(f *finding) error {
	b := &j.rule.body
	if up, err := b.saving.number(j.scene, 0); err == nil {
		f.UpTo = max(up, 0)
	}
	claims, err := claimed(b.claims, j.scene)
	if err != nil {
		return err
	}
	share, err := b.share.number(j.scene, 1)
	if err != nil {
		return err
	}
	f.Claims, f.share = claims, min(max(share, 0), 1)
	f.Alone = f.saved(claims.Total())
	if f.window > 0 {
		f.AloneFrac = f.Alone / f.window
	}
	return nil
}

// saved is what the remedy wins of so much claimed time, in µs.
func (f *finding) saved(t span.Time) float64 { return f.share * t.Micros() }

func (j judge) severity(f *finding) {
	f.Severity = j.settings.severity
	if j.settings.auto {
		f.Severity = j.materiality.severity(f.AloneFrac)
	}
	if lifted, err := j.rule.body.warningWhen.holds(j.scene, false); err == nil && lifted {
		f.Severity = max(f.Severity, Warning)
	}
	if lifted, err := j.rule.body.errorWhen.holds(j.scene, false); err == nil && lifted {
		f.Severity = Error
	}
	f.Severity = min(f.Severity, j.rule.Ceiling)
}
