package kineto

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"perflint/detectors/trace"
)

// about is what the top level says of the capture beside its events.
type about struct {
	shapes, stack, memory bool // the flags that the profiler was started with
}

// wants tells whether the value of a top-level key, which starts with that byte, is looked at. Objects of other tools are
// searched for an environment.
func (a *about) wants(key string, first byte) bool {
	switch key {
	case "schemaVersion", "deviceProperties", "distributedInfo", "record_shapes", "with_stack", "profile_memory", "WARNING", "ERROR":
		return true
	}
	return first == '{'
}

func (a *about) take(b *trace.Builder, key string, raw []byte) {
	switch key {
	case "schemaVersion":
		if v, err := strconv.Atoi(string(raw)); err == nil {
			b.Producer = fmt.Sprintf("schema %d", v)
		}
	case "record_shapes":
		a.shapes = set(raw)
	case "with_stack":
		a.stack = set(raw)
	case "profile_memory":
		a.memory = set(raw)
	case "deviceProperties":
		devices(b, raw)
	case "distributedInfo":
		distributed(b, raw)
	case "WARNING", "ERROR":
		b.Lost += bytes.Count(raw, []byte("] Dropped ")) // "… CuptiActivityApi.cpp:308] Dropped 12 activity records"; no word of it is kept
	default:
		environment(b, raw)
	}
}

func set(raw []byte) bool { return string(raw) == "1" || string(raw) == "true" }

// devices reads the GPUs that the process could see, used or not. AMD may leave the name empty.
func devices(b *trace.Builder, raw []byte) {
	var list []struct {
		ID                         int
		Name                       string
		TotalGlobalMem             int64
		ComputeMajor, ComputeMinor int
		NumSms                     int
		MaxComputeUnits            int // XPU
	}
	if err := json.Unmarshal(raw, &list); err != nil && len(list) == 0 {
		b.Note("schema", "deviceProperties could not be read")
		return
	}
	b.Devices = nil
	for _, d := range list {
		b.Devices = append(b.Devices, trace.Device{ID: d.ID, Name: d.Name, Major: d.ComputeMajor, Minor: d.ComputeMinor,
			SMs: max(d.NumSms, d.MaxComputeUnits), Memory: d.TotalGlobalMem})
	}
}

// distributed reads distributedInfo. Any field may be missing, and ranks are text where Kineto reconstructs them.
func distributed(b *trace.Builder, raw []byte) {
	var info struct {
		Backend    json.RawMessage
		Rank       json.RawMessage
		World_size json.RawMessage
		Pg_config  json.RawMessage
	}
	if err := json.Unmarshal(raw, &info); err != nil {
		b.Note("schema", "distributedInfo could not be read")
		return
	}
	b.Backend = backend(words(info.Backend))
	b.Rank, b.WorldSize = whole(info.Rank, -1), whole(info.World_size, -1)
	var groups []struct {
		Pg_name, Pg_desc, Backend_config json.RawMessage
		Pg_size, Ranks                   json.RawMessage
	}
	if json.Unmarshal(unquoted(info.Pg_config), &groups) != nil {
		return
	}
	b.Groups = nil
	for _, g := range groups {
		group := trace.Group{Name: words(g.Pg_name), Desc: words(g.Pg_desc), Backend: words(g.Backend_config), Size: whole(g.Pg_size, 0)}
		json.Unmarshal(unquoted(g.Ranks), &group.Ranks)
		b.Groups = append(b.Groups, group)
	}
}

// backends are the words of which torch.distributed makes the name of a backend, such as cpu:gloo,cuda:nccl.
var backends = map[string]bool{
	"nccl": true, "gloo": true, "mpi": true, "ucc": true, "rccl": true, "ccl": true, "xccl": true, "hccl": true, "cncl": true, "mccl": true,
	"ncclx": true, "fake": true, "threaded": true, "undefined": true, "custom": true,
	"cpu": true, "cuda": true, "hip": true, "xpu": true, "hpu": true, "npu": true, "mps": true, "mtia": true,
}

// backend is the name of a backend, "other" where it holds any word that is not known: it stands in metadata, and nothing of
// that is kept unseen.
func backend(name string) string {
	for _, word := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == ':' || r == ',' || r == ' ' }) {
		if !backends[word] {
			return "other"
		}
	}
	return strings.ToLower(name)
}

// unquoted is the JSON inside of a JSON string, or raw itself.
func unquoted(raw json.RawMessage) []byte {
	var inner string
	if len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &inner) == nil {
		return []byte(inner)
	}
	return raw
}

func whole(raw json.RawMessage, missing int) int {
	if v, err := strconv.Atoi(string(bytes.TrimSpace(unquoted(raw)))); err == nil && v >= 0 && v < 1<<31 {
		return v
	}
	return missing
}

// words is a string, or a number as text.
func words(raw json.RawMessage) string {
	if text := string(unquoted(raw)); text != "null" {
		return strings.ToValidUTF8(text, "\uFFFD")
	}
	return ""
}

// environment looks for the variables of an environment in an object of another tool. Only names of what looks like a
// credential are kept, never a value.
func environment(b *trace.Builder, raw []byte) {
	type place struct{ env, object, value bool }
	in := []place{}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	key := ""
	for {
		tok, err := dec.Token()
		if err != nil {
			return
		}
		top := func() *place { return &in[len(in)-1] }
		switch v := tok.(type) {
		case json.Delim:
			if v == '}' || v == ']' {
				in = in[:len(in)-1]
			} else {
				env := len(in) > 0 && (top().env || top().object && isEnvironment(key))
				b.HasEnv = b.HasEnv || env
				in = append(in, place{env: env, object: v == '{'})
				continue
			}
		case string:
			if len(in) == 0 {
				return
			}
			if p := top(); p.object && !p.value {
				key, p.value = v, true
				continue
			} else if p.env && !p.object {
				name, value, ok := strings.Cut(v, "=")
				if ok {
					b.Credential(name, value)
				}
			} else if p.env {
				b.Credential(key, v)
			}
		}
		if len(in) == 0 {
			return
		}
		top().value = false
	}
}

func isEnvironment(key string) bool {
	switch strings.ToLower(key) {
	case "env", "environ", "environment", "envs", "env_vars", "environment_variables", "envvars":
		return true
	}
	return false
}
