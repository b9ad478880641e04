package kineto

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// padded is text followed by a byte that ends it and by padding.
func padded(text string, end byte) []byte {
	return append(append([]byte(text), end), make([]byte, padding)...)
}

// numerals writes numbers of all lengths, with and without what may stand around digits.
func numerals(yield func(string) bool) {
	r := rand.New(rand.NewPCG(1, 2))
	digits := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = '0' + byte(r.IntN(10))
		}
		return string(b)
	}
	for whole := range 21 {
		for fraction := range 14 {
			for _, format := range []string{"w", "w.f", "-w.f", "-w", "wef", "w.fe1", "we-f", ".f", "-", "+w"} {
				if !yield(strings.NewReplacer("w", digits(whole), "f", digits(fraction)).Replace(format)) {
					return
				}
			}
		}
	}
}

func TestNumbersAreAsStrconvReadsThem(t *testing.T) {
	for text := range numerals {
		for _, end := range []byte(",}] \n\x00/:") {
			b := padded(text, end)
			if next := numberEnd(b, 0); next != len(text) {
				t.Errorf("%q and %q: ends at %d", text, end, next)
			}
			want, err := strconv.ParseInt(text, 10, 64)
			if got, next, ok := integer(b, 0); err == nil && (!ok || got != want || next != len(text)) {
				t.Errorf("%q and %q: whole number %d %v, ends at %d", text, end, got, ok, next)
			}
			fraction, err := strconv.ParseFloat(text, 32)
			if got, next, ok := ratio(b, 0); ok != (err == nil) || ok && got != float32(fraction) || next != len(text) {
				t.Errorf("%q and %q: fraction %v %v, ends at %d", text, end, got, ok, next)
			}
			exact, fits := decimal([]byte(text), 3)
			fits = fits && -maxTime <= exact && exact <= maxTime
			if got, next, ok := micros(b, 0); ok != fits || ok && got != exact || next != len(text) {
				t.Errorf("%q and %q: time %d %v, ends at %d, want %d %v", text, end, got, ok, next, exact, fits)
			}
		}
	}
}

func TestDigitsAreCountedUpToAnyOtherByte(t *testing.T) {
	for other := range 256 {
		if c := byte(other); c-'0' > 9 {
			for n := range 9 {
				b := append([]byte("1234567890"[:n]), c, '5', c, '7', 0, '9', 200, 255, '3', 0, 0)
				v, got := natural(b, 0)
				if want, _ := strconv.ParseUint("0"+"1234567890"[:n], 10, 64); got != n || v != want {
					t.Errorf("%q: %d of %d digits", b, v, got)
				}
			}
		}
	}
}
