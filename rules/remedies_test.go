package rules_test

import (
	"strings"
	"testing"

	"perflint/detectors"
	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/rules"
)

// What to do about exposed communication depends on what is exchanged.
func TestTheRemedyFitsTheCollective(t *testing.T) {
	rs, _ := shipped(t)
	for kind, want := range map[string]struct{ says, not string }{
		"allreduce":     {"DDP reduces gradients", "experts"},
		"unknown":       {"DDP reduces gradients", "experts"},
		"allgather":     {"Gather the parameters", "DDP"},
		"reducescatter": {"Gather the parameters", "DDP"},
		"alltoall":      {"experts, embeddings", "no_sync"},
		"sendrecv":      {"Between pipeline stages", "no_sync"},
		"send":          {"Between pipeline stages", "DDP"},
	} {
		lane := feature.NewSet(detectors.Schema(), feature.Lane{Rank: -1})
		lane.Int("comm.kernel_count", 8)
		lane.Float("gpu.window_us", 1000)
		lane.Float("comm.exposed_us", 200)
		lane.Float("comm.exposed_frac", 0.2)
		lane.Float("comm.overlap_frac", 0)
		lane.Spans("comm.exposed_spans", span.Set{{Start: 0, End: 200_000}})
		lane.List("comm.collectives", []feature.Record{{"collective": kind, "name": "k", "count": int64(8), "exposed_us": 200.}})
		for _, o := range rs.Eval(rules.Input{Lanes: []*feature.Set{lane}}, rules.Config{}) {
			if o.Rule.ID != "exposed-comm" {
				continue
			}
			var all strings.Builder
			for _, fix := range o.Findings[0].Fix {
				all.WriteString(fix.Do + "\n")
			}
			if got := all.String(); !strings.Contains(got, want.says) || strings.Contains(got, want.not) {
				t.Errorf("%s: advises\n%s", kind, got)
			}
		}
	}
}
