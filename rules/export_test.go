package rules

import "testing"

// Golden compares with a file, or rewrites it under -update.
func Golden(t *testing.T, file, got string) {
	t.Helper()
	golden(t, file, got)
}
