package kineto

import (
	"math/bits"
)

// Digits are read eight at a time. A word of eight bytes of text, exclusive-or zeros, holds the values of the digits among
// them; every other byte becomes ten or more.
const zeros = ones * '0'

// powers are those of ten.
var powers = [9]uint64{1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000}

// digits is the number of digits with which w starts.
func digits(w uint64) int { return bits.TrailingZeros64((w+ones*(128-10)|w)&highs) >> 3 }

// decimals is the number that the eight digits in w make, the first of them in the lowest byte.
func decimals(w uint64) uint64 {
	w = w * (10<<8 + 1) >> 8 & 0x00FF00FF00FF00FF
	w = w * (100<<16 + 1) >> 16 & 0x0000FFFF0000FFFF
	return w * (10_000<<32 + 1) >> 32
}

// natural reads the digits at b[i], up to sixteen of them, and returns how many there are.
func natural(b []byte, i int) (v uint64, n int) {
	w := word(b, i) ^ zeros
	if n = digits(w); n < 8 {
		return decimals(w << (64 - 8*n)), n
	}
	v = decimals(w)
	w = word(b, i+8) ^ zeros
	n = digits(w)
	return v*powers[n] + decimals(w<<(64-8*n)), 8 + n
}
