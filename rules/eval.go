package rules

import (
	"cmp"
	"slices"
	"strings"

	"perflint/detectors/feature"
)

// Input is what was measured.
type Input struct {
	Lanes  []*feature.Set
	Job    *feature.Set // nil when there is no job of several lanes
	Traces []string     // paths as they were given, by feature.Lane.Trace: suppressions may ask for them
}

// Config is what a user sets about rules.
type Config struct {
	Select, Ignore []string // ids, older ids, globs, tag:NAME, all; an empty Select is all
	Overrides      []Override
	Materiality    Materiality // the zero value is the default
	Require        []string    // ids of rules that must be judged
	Today          string      // as 2027-03-01, for suppressions that expire; empty: they do not

	suppress []suppression
}

// Materiality is the shares of the window from which a claim is a finding of that severity.
type Materiality struct{ Info, Warning, Error float64 }

// DefaultMateriality holds where a Config sets none.
var DefaultMateriality = Materiality{0.01, 0.05, 0.15}

func (m Materiality) severity(share float64) Severity {
	switch {
	case share >= m.Error:
		return Error
	case share >= m.Warning:
		return Warning
	case share >= m.Info:
		return Info
	}
	return Silent
}

// Eval judges all selected rules; the outcomes are sorted by id.
func (rs *Ruleset) Eval(in Input, cfg Config) []Outcome {
	e := newEvaluation(in, cfg)
	for _, rule := range rs.selected(cfg) {
		e.judge(rule, cfg.settings(rule))
	}
	e.hold()
	e.suppress()
	e.ledger()
	e.fold()
	return e.outcomes()
}

// evaluation is one run over the input.
type evaluation struct {
	in       Input
	cfg      Config
	scenes   []*scene
	verdicts []verdict

	used, tried []bool // of each suppression: whether it hid a finding, and whether it could have
}

func newEvaluation(in Input, cfg Config) *evaluation {
	if cfg.Materiality == (Materiality{}) {
		cfg.Materiality = DefaultMateriality
	}
	e := &evaluation{in: in, cfg: cfg}
	for i, lane := range in.Lanes {
		e.scenes = append(e.scenes, newScene(lane, in.Job, i))
	}
	return e
}

// verdict is a rule judged on one scene.
type verdict struct {
	rule     *Rule
	scene    *scene
	status   Status
	reason   string
	missing  []string
	findings []*finding
	holds    []Hold // of its rule, those whose condition is true here
}

// finding is a Finding of one lane before lanes are merged.
type finding struct {
	Finding
	rule   *Rule
	window float64 // µs
	share  float64
	record int
	into   *finding // the one it is folded under
}

// judge adds a verdict for every scene that the rule's scope asks for.
func (e *evaluation) judge(rule *Rule, set settings) {
	if set.off {
		return
	}
	scenes := e.scopeScenes(rule.Scope)
	if len(scenes) == 0 {
		e.verdicts = append(e.verdicts, verdict{rule: rule, status: Skipped, reason: "there is no " + rule.Scope.String() + " to judge"})
	}
	for _, s := range scenes {
		j := judge{rule: rule, settings: set, scene: s, materiality: e.cfg.Materiality}
		e.verdicts = append(e.verdicts, j.verdict())
	}
}

func (e *evaluation) scopeScenes(scope Scope) []*scene {
	switch scope {
	case TraceScope:
		return e.traceScenes()
	case JobScope:
		return e.jobScenes()
	}
	if gpus := e.gpuScenes(); len(gpus) > 0 {
		return gpus
	}
	return e.scenes
}

func (e *evaluation) gpuScenes() []*scene {
	var out []*scene
	for _, s := range e.scenes {
		if s.lane.Lane.GPU >= 0 {
			out = append(out, s)
		}
	}
	return out
}

// traceScenes is the first lane of each trace, with a GPU where the trace has any.
func (e *evaluation) traceScenes() []*scene {
	first := map[int]*scene{}
	var order []int
	for _, s := range e.scenes {
		trace := s.lane.Lane.Trace
		best, ok := first[trace]
		if !ok {
			order = append(order, trace)
		}
		if !ok || best.lane.Lane.GPU < 0 && s.lane.Lane.GPU >= 0 {
			first[trace] = s
		}
	}
	var out []*scene
	for _, trace := range order {
		out = append(out, first[trace])
	}
	return out
}

// jobScenes is the lane with the longest median step: the job waits for it.
func (e *evaluation) jobScenes() []*scene {
	if e.in.Job == nil {
		return nil
	}
	lanes := e.gpuScenes()
	if len(lanes) == 0 {
		return []*scene{newScene(nil, e.in.Job, -1)}
	}
	longest := slices.MaxFunc(lanes, func(a, b *scene) int {
		x, _ := a.lane.Number("steps.median_us")
		y, _ := b.lane.Number("steps.median_us")
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(b.index, a.index))
	})
	return []*scene{longest}
}

// outcomes merges the verdicts of each rule.
func (e *evaluation) outcomes() []Outcome {
	var out []Outcome
	for i := 0; i < len(e.verdicts); {
		j := i
		for j < len(e.verdicts) && e.verdicts[j].rule == e.verdicts[i].rule {
			j++
		}
		out = append(out, merge(e.verdicts[i:j]))
		i = j
	}
	out = append(out, e.notices()...)
	slices.SortFunc(out, func(a, b Outcome) int { return strings.Compare(a.Rule.ID, b.Rule.ID) })
	return out
}
