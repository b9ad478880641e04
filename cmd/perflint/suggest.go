package main

import (
	"strings"

	"perflint/rules/source"
)

// didYouMean is ", did you mean X?" with the candidate next to a word, empty when none is near.
func didYouMean(word string, candidates []string) string {
	if hint := source.DidYouMean(word, candidates); hint != "" {
		return ", " + hint
	}
	return ""
}

// hint is didYouMean or, when nothing is near, the list of all that is known.
func hint(word string, known []string) string {
	if near := didYouMean(word, known); near != "" {
		return near
	}
	return " (known: " + strings.Join(known, ", ") + ")"
}

// either lists words the way messages do: a, b or c.
func either(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
