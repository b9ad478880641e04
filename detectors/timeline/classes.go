package timeline

import (
	_ "embed"
	"fmt"
	"math/bits"
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

// patterns is the lines of one section.
type patterns struct {
	class []Class
	re    []*regexp.Regexp
	hooks hooks
}

// classOf is the class of the first pattern that matches.
func (p *patterns) classOf(name string) Class {
	for may := p.hooks.mayMatch(name); may != 0; may &= may - 1 {
		if i := bits.TrailingZeros64(may); i < len(p.re) && p.re[i].MatchString(name) {
			return p.class[i]
		}
	}
	return Plain
}

func (p *patterns) add(class Class, expr string) error {
	re, err := regexp.Compile(expr)
	if err != nil {
		return err
	}
	if len(p.re) == maxPatterns {
		return fmt.Errorf("more than %d patterns in a section", maxPatterns)
	}
	p.hooks.add(expr, len(p.re))
	p.class, p.re = append(p.class, class), append(p.re, re)
	return nil
}

// compileClasses reads classes.txt.
func compileClasses(text string) ([sections]patterns, error) {
	var out [sections]patterns
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
		if err := out[current].add(Class(class), strings.TrimSpace(expr)); err != nil {
			return out, fmt.Errorf("classes.txt:%d: %w", i+1, err)
		}
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
