package rules

import (
	"slices"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/types"

	"perflint/detectors/feature"
)

// language is what an expression may name: the features of a schema, the parameters of a rule, the fields of a record.
type language struct {
	schema *feature.Schema
	params []Param
	it     *feature.Decl // the list that foreach runs over, nil outside
	base   *conf.Config
}

// The bounds that keep an expression of a stranger from hanging or filling the memory.
const (
	maxNodes     = 500
	maxLength    = 8 << 10 // characters: parentheses are no nodes but cost stack
	maxClosures  = 2
	regexpWeight = 20            // nodes that a regular expression counts for: it may be slow on long kernel names
	maxSteps     = 1_000_000     // of all expressions of a rule together: about 0.1 s
	maxAllSteps  = 20 * maxSteps // of all rules together
	manyRules    = 200           // of a pack, beyond which it is warned of
)

// builtins are the functions of expr that an expression may call; string, mean and median are replaced by stricter ones.
var builtins = []string{
	"all", "any", "none", "one", "count", "filter", "map", "sum", "min", "max", "mean", "median", "len", "first", "last",
	"abs", "round", "floor", "ceil", "int", "float", "string", "lower", "upper",
}

func newLanguage(schema *feature.Schema) language {
	c := conf.CreateNew()
	c.MaxNodes = maxNodes
	for name := range c.Builtins {
		if !slices.Contains(builtins, name) {
			c.Disabled[name] = true
			delete(c.Builtins, name)
		}
	}
	for _, f := range functions {
		expr.Function(f.name, f.call, f.signature)(c)
	}
	return language{schema: schema, base: c}
}

// with is the language of one rule.
func (l language) with(params []Param, it *feature.Decl) language {
	l.params, l.it = params, it
	return l
}

// config is the compiler's configuration for an expression that names these things and no others: a small environment compiles fast.
func (l language) config(n *names) *conf.Config {
	env := types.Map{}
	for _, name := range n.features() {
		d, _ := l.schema.Lookup(name)
		ns := feature.Namespace(name)
		if env[ns] == nil {
			env[ns] = types.Map{}
		}
		env[ns].(types.Map)[name[len(ns)+1:]] = typeOf(d)
	}
	params := types.Map{}
	for _, p := range l.params {
		if n.used[p.Name] {
			params[p.Name] = types.TypeOf(p.Default)
		}
	}
	env["params"] = params
	if n.ofRecord {
		env["it"] = recordType(*l.it)
	}
	c := *l.base
	c.WithEnv(env)
	return &c
}

func typeOf(d feature.Decl) types.Type {
	switch d.Type {
	case feature.Float:
		return types.Float64
	case feature.Int:
		return types.Int64
	case feature.Bool:
		return types.Bool
	case feature.List:
		return types.Array(recordType(d)) // a list of structs crashes the compiler (expr 1.17.8)
	}
	return types.String
}

// recordType leaves out intervals: no operator takes them.
func recordType(d feature.Decl) types.Map {
	m := types.Map{}
	for _, f := range d.Fields {
		if f.Type != feature.Spans {
			m[f.Name] = typeOf(f)
		}
	}
	return m
}
