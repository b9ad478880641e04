package kineto

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// ErrNotTrace is what every error of Read is for a file that is no Kineto trace at all, as errors.Is tells.
var ErrNotTrace = errors.New("not a Kineto trace")

// NotTrace refuses a file. Why goes on after the file's name: "is empty", "holds …".
type NotTrace struct{ Why string }

func (e *NotTrace) Error() string { return e.Why }

// Is makes every refusal an ErrNotTrace.
func (e *NotTrace) Is(target error) bool { return target == ErrNotTrace }

var bom = []byte("\xef\xbb\xbf")

const howToRecord = "; export one with torch.profiler's export_chrome_trace"

// notJSON refuses a text by its first bytes.
func notJSON(head []byte) error {
	switch {
	case len(head) == 0:
		return &NotTrace{"is empty"}
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return &NotTrace{"is UTF-16 text; write it as UTF-8"}
	case bytes.HasPrefix(head, []byte("SQLite format 3\x00")):
		return &NotTrace{"is an SQLite database, not JSON"}
	}
	start := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '.'
		}
		return r
	}, string(head[:min(len(head), 12)]))
	return &NotTrace{fmt.Sprintf("is not a trace perflint knows (starts with %q)", start)}
}

// refusal tells what a JSON text is whose events, if it has any, are not Kineto's; nil when it is a trace.
func (d *document) refusal() error {
	t := d.total
	switch {
	case !d.hasEvents && d.keys["nodes"] && d.keys["schema"]:
		return &NotTrace{"is an execution trace of PyTorch (schema and nodes), not a profiler trace" + howToRecord}
	case !d.hasEvents && d.keys["rocprofiler-sdk-tool"]:
		return &NotTrace{"holds the JSON of rocprofv3, not a Kineto trace" + howToRecord}
	case !d.hasEvents:
		return &NotTrace{"holds JSON without traceEvents, so it is no Kineto trace" + howToRecord}
	case t.ascend && t.gpu == 0:
		return &NotTrace{"is a trace of an Ascend NPU (CANN), which perflint does not read"}
	case t.known > 0 || d.keys["schemaVersion"] || d.keys["deviceProperties"]:
		return nil
	case t.tensorflow:
		return &NotTrace{"is a trace of TensorFlow or JAX, not a Kineto trace" + howToRecord}
	case d.bare && t.events == 0 && t.noObject == 0:
		return &NotTrace{"holds an empty JSON list, no trace events" + howToRecord}
	case d.bare && t.events == 0:
		return &NotTrace{"holds a JSON list, but not of trace events (a memory timeline of PyTorch looks so)" + howToRecord}
	case t.phased > 0:
		return &NotTrace{"is a Chrome trace of another program: no event has a category that PyTorch writes" + howToRecord}
	case t.events > 0 || t.noObject > 0 || t.broken > 0:
		return &NotTrace{"holds a list of JSON objects that are no trace events" + howToRecord}
	}
	return nil
}
