package rules

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"perflint/detectors/feature"
)

// function is one that an expression may call beside the builtins. Those whose name begins with __ are put in for
// operators by the compiler. Each has one signature: with several, a wrong type reads "not enough arguments" (expr 1.17.8).
type function struct {
	name, doc string
	call      func(args ...any) (any, error)
	signature any
}

var errDivision = errors.New("division by zero")

// unknownValue is the error of reading a feature or a field that was not measured.
type unknownValue struct{ name string }

func (e unknownValue) Error() string { return e.name + " is not known" }

// maxText bounds what + makes of texts: doubling one a hundred times would fill any memory.
const maxText = 4 << 10

var functions = []function{
	{"has", "whether a feature or field was measured", func(a ...any) (any, error) { return a[0] != nil, nil }, new(func(any) bool)},
	{"pct", "a share as a percentage", format(feature.Frac), new(func(float64) string)},
	{"us", "microseconds in the unit that reads best", format(feature.Us), new(func(float64) string)},
	{"bytes", "a size in the unit that reads best", format(feature.Bytes), new(func(float64) string)},
	{"num", "a number with so many significant digits", func(a ...any) (any, error) {
		digits, _ := float(a[1])
		x, _ := float(a[0])
		return feature.Digits(x, int(min(max(digits, 1), 15))), nil
	}, new(func(float64, int) string)},
	{"string", "a number or truth value as a text", toText, new(func(any) string)},
	{"mean", "the mean of a list of numbers", mean, new(func([]any) float64)},
	{"median", "the median of a list of numbers", median, new(func([]any) float64)},

	{"__known", "", func(a ...any) (any, error) {
		if a[0] == nil {
			return nil, unknownValue{a[1].(string)}
		}
		return a[0], nil
	}, new(func(any, string) any)},
	{"__div", "", func(a ...any) (any, error) {
		x, y, err := two(a)
		if err == nil && y == 0 {
			err = errDivision
		}
		return finite(x/y, err)
	}, new(func(any, any) float64)},
	{"__pow", "", func(a ...any) (any, error) {
		x, y, err := two(a)
		return finite(math.Pow(x, y), err)
	}, new(func(any, any) float64)},
	{"__add", "", add, new(func(any, any) any)},
}

func format(u feature.Unit) func(...any) (any, error) {
	return func(a ...any) (any, error) {
		v, ok := float(a[0])
		if !ok {
			return nil, fmt.Errorf("%T is no number", a[0])
		}
		return feature.Format(v, u), nil
	}
}

func toText(a ...any) (any, error) {
	switch v := a[0].(type) {
	case string:
		return v, nil
	case bool:
		return fmt.Sprint(v), nil
	}
	if v, ok := float(a[0]); ok {
		return feature.Format(v, feature.NoUnit), nil
	}
	return nil, errors.New("only a number, a text or a truth value becomes a text")
}

func add(a ...any) (any, error) {
	s, isText := a[0].(string)
	t, both := a[1].(string)
	if !isText || !both {
		x, y, err := two(a)
		return finite(x+y, err)
	}
	if len(s)+len(t) > maxText {
		return nil, fmt.Errorf("a text grew beyond %d bytes", maxText)
	}
	return s + t, nil
}

func numbers(a []any) ([]float64, error) {
	list, _ := a[0].([]any)
	out := make([]float64, 0, len(list))
	for _, e := range list {
		v, ok := float(e)
		if !ok {
			return nil, fmt.Errorf("%T in a list of numbers", e)
		}
		out = append(out, v)
	}
	if len(out) == 0 {
		return nil, errors.New("the list is empty")
	}
	return out, nil
}

func mean(a ...any) (any, error) {
	v, err := numbers(a)
	if err != nil {
		return nil, err
	}
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return finite(sum/float64(len(v)), nil)
}

func median(a ...any) (any, error) {
	v, err := numbers(a)
	if err != nil {
		return nil, err
	}
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2, nil
}

func two(a []any) (x, y float64, err error) {
	x, ok := float(a[0])
	y, both := float(a[1])
	if !ok || !both {
		return 0, 0, fmt.Errorf("cannot reckon with %T and %T", a[0], a[1])
	}
	return x, y, nil
}

func finite(v float64, err error) (any, error) {
	if err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
		err = errors.New("the result is no finite number")
	}
	return v, err
}

// float is any number of an expression as float64.
func float(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	case int:
		return float64(v), true
	}
	return 0, false
}
