package main

import (
	"slices"
	"strings"
)

// didYouMean is ", did you mean X?" with the candidate next to a word, empty when none is near.
func didYouMean(word string, candidates []string) string {
	if best := nearest(word, candidates); best != "" {
		return ", did you mean " + best + "?"
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

// nearest is the candidate within a third of the word's length in typing mistakes (at least one), the first of equals.
func nearest(word string, candidates []string) string {
	best, limit := "", max(1, len(word)/3)+1
	for _, c := range candidates {
		if d := mistakes(strings.ToLower(word), strings.ToLower(c)); d < limit {
			best, limit = c, d
		}
	}
	return best
}

// mistakes is the Damerau-Levenshtein distance (optimal string alignment): insertions, deletions, replacements and swaps
// of neighbours.
func mistakes(a, b string) int {
	s, t := []rune(a), []rune(b)
	before, last, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row[0] = i
		for j := 1; j <= len(t); j++ {
			differ := 1
			if s[i-1] == t[j-1] {
				differ = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+differ)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(t)]
}

// either lists words the way messages do: a, b or c.
func either(words []string) string {
	words = slices.Clone(words)
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
