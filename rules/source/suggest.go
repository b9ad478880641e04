package source

import "strings"

// Suggest is the word nearest to the one given, empty when none is near enough: at most a third of its letters, and one
// at the least, may be wrong, missing, too many, or swapped with their neighbour. Of equals the first wins.
func Suggest(word string, words []string) string {
	best, least := "", max(1, len([]rune(word))/3)+1
	for _, w := range words {
		if d := distance(strings.ToLower(word), strings.ToLower(w), least); d < least {
			best, least = w, d
		}
	}
	return best
}

// DidYouMean is Suggest as a hint.
func DidYouMean(word string, words []string) string {
	if s := Suggest(word, words); s != "" {
		return "did you mean " + s + "?"
	}
	return ""
}

// distance is the Damerau-Levenshtein distance (adjacent swaps), or some number from limit on when it is no less than limit.
func distance(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) >= limit || len(y)-len(x) >= limit {
		return limit
	}
	before, last := make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row := make([]int, len(y)+1)
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(y)]
}
