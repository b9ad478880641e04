package timeline

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
)

//go:embed classes.txt
var classesText string

// Class is what the name of a kernel, call, range or overhead record means. The zero Class is a name without meaning.
type Class uint8

// The classes of names, as classes.txt spells them.
const (
	Plain Class = iota
	Communication
	Launch
	GraphLaunch
	Sync
	BlockingCopy
	AsyncCopy
	FillCall
	OrderedAlloc
	Allocation
	CodeLoading
	BeginCapture
	EndCapture
	Instantiate
	Setup
	StepMark
	MeasureMark
	WarmupMark
	OptimizerStep
	ZeroGrad
	Loader
	Compile
	Collection
	Serving
	Backward
	BackwardWord
	Forward
	Optimizer
	QueueFull
)

var classNames = [...]string{"", "communication", "launch", "graph-launch", "sync", "blocking-copy", "async-copy", "fill",
	"ordered-alloc", "allocation", "code-loading", "begin-capture", "end-capture", "instantiate", "setup", "step", "measure",
	"warmup", "optimizer-step", "zero-grad", "loader", "compile", "collection", "serving", "backward", "backward-word", "forward", "optimizer",
	"queue-full"}

func (c Class) String() string { return classNames[c] }

// section is what kind of name is asked about: the same word means another thing as a kernel and as a range.
type section uint8

const (
	kernelNames section = iota
	callNames
	rangeNames
	overheadNames
	sections
)

var sectionNames = [...]string{"kernel", "call", "range", "overhead"}

// pattern is a regular expression, its plain alternatives taken out: a hundred thousand kernel names are looked for fifteen
// words each, and that is what the time of a large trace went to.
type pattern struct {
	class Class
	fold  bool
	words []string       // in lower case when fold
	re    *regexp.Regexp // the alternatives that are more than a word; nil without any
}

func compilePattern(class Class, expr string) (pattern, error) {
	p := pattern{class: class}
	if _, err := regexp.Compile(expr); err != nil {
		return p, err
	}
	body, flags := expr, ""
	if after, ok := strings.CutPrefix(expr, "(?i)"); ok {
		body, flags, p.fold = after, "(?i)", true
	}
	var rest []string
	for _, alternative := range alternatives(body) {
		if regexp.QuoteMeta(alternative) != alternative {
			rest = append(rest, alternative)
		} else if p.fold {
			p.words = append(p.words, strings.ToLower(alternative))
		} else {
			p.words = append(p.words, alternative)
		}
	}
	if len(rest) > 0 {
		p.re = regexp.MustCompile(flags + strings.Join(rest, "|"))
	}
	return p, nil
}

// alternatives splits an expression at the bars outside brackets.
func alternatives(expr string) []string {
	var out []string
	depth, start := 0, 0
	for i := 0; i < len(expr); i++ {
		switch expr[i] {
		case '\\':
			i++
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case '|':
			if depth == 0 {
				out, start = append(out, expr[start:i]), i+1
			}
		}
	}
	return append(out, expr[start:])
}

// matches reports whether the pattern is found in name; lower is name in lower case.
func (p *pattern) matches(name, lower string) bool {
	in := name
	if p.fold {
		in = lower
	}
	for _, w := range p.words {
		if strings.Contains(in, w) {
			return true
		}
	}
	return p.re != nil && p.re.MatchString(name)
}

// compileClasses reads classes.txt. The pattern of each section stays one regular expression per line, tried in order.
func compileClasses(text string) ([sections][]pattern, error) {
	var out [sections][]pattern
	current := sections
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			s, ok := indexOf(sectionNames[:], strings.Trim(line, "[]"))
			if !ok {
				return out, fmt.Errorf("classes.txt:%d: unknown section %s", i+1, line)
			}
			current = section(s)
			continue
		}
		word, expr, _ := strings.Cut(line, " ")
		class, ok := indexOf(classNames[:], word)
		if !ok || current == sections {
			return out, fmt.Errorf("classes.txt:%d: unknown class %s", i+1, word)
		}
		p, err := compilePattern(Class(class), strings.TrimSpace(expr))
		if err != nil {
			return out, fmt.Errorf("classes.txt:%d: %w", i+1, err)
		}
		out[current] = append(out[current], p)
	}
	return out, nil
}

func indexOf(list []string, s string) (int, bool) {
	for i, have := range list {
		if have == s {
			return i, true
		}
	}
	return 0, false
}
