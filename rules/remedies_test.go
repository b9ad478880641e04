package rules_test

import (
	"strings"
	"testing"

	"perflint/detectors"
	"perflint/detectors/feature"
	"perflint/detectors/span"
	"perflint/rules"
)

// What to do about communication depends on what is exchanged.
func TestTheRemedyFitsTheCollective(t *testing.T) {
	rs, _ := shipped(t)
	for _, c := range []struct{ rule, kind, says, not string }{
		{"exposed-comm", "allreduce", "DDP reduces gradients", "experts"},
		{"exposed-comm", "unknown", "DDP reduces gradients", "experts"},
		{"exposed-comm", "allgather", "Gather the parameters", "DDP"},
		{"exposed-comm", "reducescatter", "Gather the parameters", "DDP"},
		{"exposed-comm", "alltoall", "experts, embeddings", "no_sync"},
		{"exposed-comm", "sendrecv", "Between pipeline stages", "no_sync"},
		{"exposed-comm", "send", "Between pipeline stages", "DDP"},
		{"comm-serialized", "allreduce", "DDP buckets", "exchange"},
		{"comm-serialized", "unknown", "DDP buckets", "exchange"},
		{"comm-serialized", "alltoall", "Give the exchange", "DDP"},
		{"comm-serialized", "sendrecv", "Give the exchange", "DDP"},
	} {
		if got := adviceOn(t, rs, c.rule, c.kind); !strings.Contains(got, c.says) || strings.Contains(got, c.not) {
			t.Errorf("%s on %s advises\n%s", c.rule, c.kind, got)
		}
	}
}

// adviceOn is the advice of a rule on a lane of which communication of a kind takes a fifth, on the stream that computes.
func adviceOn(t *testing.T, rs *rules.Ruleset, rule, kind string) string {
	t.Helper()
	lane := feature.NewSet(detectors.Schema(), feature.Lane{Rank: -1})
	lane.Int("comm.kernel_count", 8)
	for name, v := range map[string]float64{
		"gpu.window_us": 1000, "gpu.compute_us": 600, "gpu.compute_frac": 0.6, "comm.total_us": 200, "comm.total_frac": 0.2, "comm.overlap_frac": 0,
		"comm.exposed_us": 200, "comm.exposed_frac": 0.2, "comm.serialized_us": 200, "comm.serialized_frac": 0.2, "comm.same_stream_frac": 1,
	} {
		lane.Float(name, v)
	}
	for _, name := range []string{"comm.exposed_spans", "comm.serialized_spans"} {
		lane.Spans(name, span.Set{{Start: 0, End: 200_000}})
	}
	lane.List("comm.collectives", []feature.Record{{"collective": kind, "name": "k", "count": int64(8), "exposed_us": 200.}})
	var all strings.Builder
	for _, o := range rs.Eval(rules.Input{Lanes: []*feature.Set{lane}}, rules.Config{}) {
		if o.Rule.ID == rule {
			for _, fix := range o.Findings[0].Fix {
				all.WriteString(fix.Do + "\n")
			}
		}
	}
	return all.String()
}
