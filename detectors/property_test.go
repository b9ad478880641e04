package detectors

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/detectors/timeline"
	"perflint/detectors/trace"
)

// checkLane asserts what holds of every lane of every trace.
func checkLane(t *testing.T, l *timeline.Lane, set *feature.Set) {
	t.Helper()
	for _, p := range set.Problems() {
		t.Errorf("problem: %s", p)
	}
	var parts span.Time
	for _, s := range []span.Set{l.Compute, l.ExposedComm, l.ExposedCopy, l.ForeignOnly, l.Idle} {
		parts += s.Total()
	}
	if parts != l.W.Len() {
		t.Errorf("the parts of the window are %d ns, the window %d ns", parts, l.W.Len())
	}
	for _, name := range set.Schema().Names() {
		d, _ := set.Schema().Lookup(name)
		v, measured := set.Get(name)
		if !measured {
			if r := set.Reason(name); r == "" || r == "not measured" || strings.Contains(r, "failed") || strings.Contains(r, "internal") {
				t.Errorf("%s is missing: %q", name, r)
			}
			continue
		}
		checkValue(t, l, d, name, v)
		if base, ok := strings.CutSuffix(name, "_us"); ok && !isMean[name] {
			if s, ok := set.SpansOf(base + "_spans"); ok && s.Total().Micros() != v {
				t.Errorf("%s is %v, its intervals are %v µs", name, v, s.Total().Micros())
			}
		}
	}
	for small, large := range map[string]string{"sync.drained_us": "gpu.idle_us", "comm.exposed_us": "comm.total_us", "copy.exposed_us": "copy.total_us", "gpu.compute_us": "gpu.busy_us",
		"comm.serialized_us": "comm.exposed_us", "idle.paced_us": "gpu.idle_us", "idle.issue_us": "idle.paced_us", "loader.exposed_us": "idle.host_late_us", "gpu.busy_us": "gpu.window_us"} {
		a, ok := set.Number(small)
		b, ok2 := set.Number(large)
		if ok && ok2 && a > b {
			t.Errorf("%s is %v, more than %s, %v", small, a, large, b)
		}
	}
}

// isMean is the features in µs that are means or medians, not the length of their intervals.
var isMean = map[string]bool{"steps.boundary_idle_us": true, "steps.boundary_lost_us": true, "h2d.step_start_us": true}

func checkValue(t *testing.T, l *timeline.Lane, d feature.Decl, name string, v any) {
	t.Helper()
	switch v := v.(type) {
	case float64:
		// A coefficient of variation is printed as a share, but may be above one.
		if d.Unit == feature.Frac && !strings.HasSuffix(name, "cv_frac") && (v < 0 || v > 1) || v < 0 {
			t.Errorf("%s is %v", name, v)
		}
	case int64:
		if v < 0 && d.Unit != feature.NoUnit {
			t.Errorf("%s is %d", name, v)
		}
	case span.Set:
		if !v.Valid() || len(v) > 0 && (v[0].Start < l.W.Start || v[len(v)-1].End > l.W.End) {
			t.Errorf("%s is %v in the window %v", name, v, l.W)
		}
	case []feature.Record:
		for _, r := range v {
			for field, value := range r {
				f, _ := d.Field(field)
				checkValue(t, l, f, name+"."+field, value)
			}
		}
	}
}

// measured is what all lanes of a trace say, as text that can be compared.
func measured(t *testing.T, tr *trace.Trace, opt timeline.Options, backwards bool) []string {
	t.Helper()
	lanes := timeline.Lanes(tr, opt)
	out := make([]string, len(lanes))
	order := make([]int, len(lanes))
	for i := range order {
		order[i] = i
	}
	if backwards {
		slices.Reverse(order)
	}
	schema := Schema()
	for _, i := range order {
		set := Run(lanes[i], schema)
		checkLane(t, lanes[i], set)
		all := map[string]any{"lane": lanes[i].ID}
		for _, name := range schema.Names() {
			if v, ok := set.Get(name); ok {
				all[name] = v
			} else {
				all[name] = set.Reason(name)
			}
		}
		text, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		out[i] = string(text)
	}
	return out
}

// differing is the first stretch in which two texts differ.
func differing(a, b string) (string, string) {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	from := max(0, i-200)
	return a[from:min(len(a), i+200)], b[from:min(len(b), i+200)]
}

func TestWhatHoldsOfEveryTrace(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 1500 {
		tm := &times{soup: random{r}, length: 4_000_000, grid: []int64{1, 1000, 50_000}[n%3]}
		tr := stir(random{r}, 5+r.IntN(120), tm).build()
		opt := soupOptions(random{r}, tm)
		measured(t, tr, opt, false)
		if t.Failed() {
			t.Fatalf("case %d, options %+v", n, opt)
		}
	}
}

// The order in which rows were added, and the order in which lanes are measured, change nothing.
func TestOrderChangesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 500 {
		tm := &times{soup: random{r}, length: 4_000_000, grid: 1, used: map[int64]bool{}}
		all := stir(random{r}, 5+r.IntN(100), tm)
		opt := soupOptions(random{r}, tm)
		want := measured(t, all.build(), opt, false)
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		got := measured(t, all.build(), opt, true)
		for i := range want {
			if i >= len(got) || got[i] != want[i] {
				a, b := differing(want[i], got[i])
				t.Fatalf("case %d, options %+v: lane %d says\n%s\nand\n%s", n, opt, i, a, b)
			}
		}
		if again := measured(t, all.build(), opt, false); !slices.Equal(again, got) {
			t.Fatalf("case %d: the same rows say something else the second time", n)
		}
	}
}
