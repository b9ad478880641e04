package rules

import (
	"fmt"

	"perflint/detectors/feature"
	"perflint/rules/source"
)

// namespaces are the words that may stand left of a dot.
func (l language) namespaces() []string {
	var out []string
	for _, name := range l.schema.Names() {
		if ns := feature.Namespace(name); len(out) == 0 || out[len(out)-1] != ns {
			out = append(out, ns)
		}
	}
	return append(out, "params", "it")
}

// didYouMeanFeature looks for a name like the whole one, then for a like last part in the same namespace, then in any.
func didYouMeanFeature(full string, schema *feature.Schema) string {
	if hint := source.DidYouMean(full, schema.Names()); hint != "" {
		return hint
	}
	ns := feature.Namespace(full)
	last := full[len(ns)+1:]
	var inside, parts []string
	whole := map[string]string{}
	for _, name := range schema.Names() {
		other := feature.Namespace(name)
		part := name[len(other)+1:]
		if other == ns {
			inside = append(inside, part)
		}
		if whole[part] == "" {
			whole[part], parts = name, append(parts, part)
		}
	}
	if s := source.Suggest(last, inside); s != "" {
		return fmt.Sprintf("did you mean %s.%s?", ns, s)
	}
	if s := source.Suggest(last, parts); s != "" {
		return fmt.Sprintf("did you mean %s?", whole[s])
	}
	return ""
}

// didYouMeanFeatureOr is for a word that may have no dot in it.
func didYouMeanFeatureOr(name string, schema *feature.Schema) string {
	if feature.Namespace(name) == name {
		return source.DidYouMean(name, schema.Names())
	}
	return didYouMeanFeature(name, schema)
}
