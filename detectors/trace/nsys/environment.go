package nsys

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"perflint/detectors/trace"
)

// environment is the few numbers of the traced program's environment that say which part of a job it was.
type environment map[string]int

// rankVariables are what torchrun and the MPI launchers set. LOCAL_RANK counts inside one host and is none of them.
var (
	rankVariables  = []string{"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"}
	worldVariables = []string{"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"}
)

// readEnvironment looks for variables in the tables that hold them. Only names of those that look like credentials and
// the numbers of the launchers are kept.
func (r *reader) readEnvironment() {
	r.env = environment{}
	r.records("META_DATA_CAPTURE", func(rec fields) {
		name, value := rec.text("name"), rec.text("value")
		switch {
		case strings.Contains(name, "ENVIRONMENT_VARIABLE"):
			if variable, content, ok := strings.Cut(value, "="); ok {
				r.variable(variable, content)
			}
		case name == "CUDA_SKIP_SOME_API_CALLS" && value == "true":
			r.b.SkippedAPI = true
			r.b.Note("skipped", "the capture was told to leave out some API calls (CUDA_SKIP_SOME_API_CALLS): their time looks like other host time")
		}
	})
	// The property DeviceEnvironment holds a whole environment as one text; others hold one value each.
	r.records("TARGET_INFO_SYSTEM_ENV", func(rec fields) {
		name, value := rec.text("name"), rec.text("value")
		if !strings.Contains(name, "Environment") {
			if trace.LooksSecret(name, value) {
				r.variable(name, value)
			}
			return
		}
		r.variables(value)
	})
	r.readStrings()
}

// variables takes apart a text that holds a whole environment.
func (r *reader) variables(text string) {
	for _, at := range assignment.FindAllStringSubmatchIndex(text, -1) {
		r.variable(text[at[2]:at[3]], text[at[1]:])
	}
}

// readStrings looks into the table of strings for variables too: what processes print and were called with is among them.
// Only names in capitals with a value of some length count, since kernels and ranges of programs have names with "=" in them.
func (r *reader) readStrings() {
	const shortest = 8
	r.db.scan(r.db.table("StringIds"), []column{{"id", 0}}, "value", rows(func(_ []int64, text []byte) {
		for at := 0; ; {
			i := bytes.IndexByte(text[at:], '=')
			if i < 0 {
				return
			}
			i += at
			from := i
			for from > at && isCapital(text[from-1]) {
				from--
			}
			value := text[i+1:]
			if end := bytes.IndexFunc(value, func(c rune) bool { return c <= ' ' }); end >= 0 {
				value = value[:end]
			}
			lone := from == 0 || strings.IndexByte(" \t\r\n\x00;,'\"", text[from-1]) >= 0
			if lone && i-from > 3 && len(value) >= shortest && trace.LooksSecret(string(text[from:i]), string(value[:min(len(value), 64)])) {
				r.variable(string(text[from:i]), string(value))
			}
			at = i + 1
		}
	}))
}

func isCapital(c byte) bool { return c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' }

var assignment = regexp.MustCompile(`(?:^|[\s\x00;,{"'])([A-Za-z_][A-Za-z0-9_]*)(?:=|"\s*:\s*"?)`)

func (r *reader) variable(name, value string) {
	r.b.HasEnv = true
	r.b.Credential(name, value)
	for _, known := range [][]string{rankVariables, worldVariables} {
		for _, v := range known {
			if v != name {
				continue
			}
			digits := value[:len(value)-len(strings.TrimLeft(value, "0123456789"))]
			if n, err := strconv.Atoi(digits); err == nil {
				r.env[name] = n
			}
		}
	}
}

// rank uses the environment of the launched program only where it is that of all events.
func (r *reader) rank() {
	if len(r.processes) != 1 {
		return
	}
	first := func(names []string) int {
		for _, name := range names {
			if n, ok := r.env[name]; ok {
				return n
			}
		}
		return -1
	}
	rank, size := first(rankVariables), first(worldVariables)
	if size > 0 && rank >= size {
		return
	}
	if r.b.Rank = rank; rank >= 0 {
		r.b.WorldSize = size
	}
}
