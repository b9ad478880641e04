package nsys

import (
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

// readEnvironment looks for variables in the two tables that hold them. Only names of those that look like credentials and
// the numbers of the launchers are kept.
func (r *reader) readEnvironment() {
	r.env = environment{}
	r.records("META_DATA_CAPTURE", func(rec record) {
		name, value := rec.text("name"), rec.text("value")
		switch {
		case strings.Contains(name, "ENVIRONMENT_VARIABLE"):
			if variable, content, ok := strings.Cut(value, "="); ok {
				r.variable(variable, content)
			}
		case name == "CUDA_SKIP_SOME_API_CALLS" && value == "true":
			r.b.SkippedAPI = true
		}
	})
	// The property DeviceEnvironment holds a whole environment as one text; others hold one value each.
	r.records("TARGET_INFO_SYSTEM_ENV", func(rec record) {
		name, value := rec.text("name"), rec.text("value")
		if !strings.Contains(name, "Environment") {
			if trace.LooksSecret(name, value) {
				r.variable(name, value)
			}
			return
		}
		r.variables(value)
	})
}

// variables takes apart a text that holds a whole environment.
func (r *reader) variables(text string) {
	for _, at := range assignment.FindAllStringSubmatchIndex(text, -1) {
		r.variable(text[at[2]:at[3]], text[at[1]:])
	}
}

var assignment = regexp.MustCompile(`(?:^|[\s\x00;,{"'])([A-Za-z_][A-Za-z0-9_]*)(?:=|"\s*:\s*"?)`)

func (r *reader) variable(name, value string) {
	r.b.HasEnv = true
	if trace.LooksSecret(name, value) {
		r.b.Credentials = append(r.b.Credentials, name)
	}
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
