package kineto

import (
	"math"
	"strconv"
)

// maxTime bounds the times that are believed, in nanoseconds: 126 years around the epoch, and differences still fit int64.
const maxTime = 4_000_000_000_000_000_000

// micros reads a decimal number of microseconds at b[i] as nanoseconds and returns the index behind it. Absolute times need
// 61 bits of nanoseconds, more than a float64 holds (files of spring 2024), so they never become one.
func micros(b []byte, i int) (ns int64, next int, ok bool) {
	start := i
	if b[i] == '-' {
		i++
	}
	v, n := natural(b, i)
	next = i + n
	if n == 0 {
		return slowMicros(b, start)
	}
	v *= 1000
	if b[next] == '.' {
		w := word(b, next+1) ^ zeros
		k := digits(w)
		if k > 3 {
			return slowMicros(b, start)
		}
		v += decimals(w & (1<<(8*k) - 1) << 40)
		next += 1 + k
	}
	if c := b[next]; c-'0' <= 9 || c|0x20 == 'e' || v > maxTime {
		return slowMicros(b, start)
	}
	if i > start {
		return -int64(v), next, true
	}
	return int64(v), next, true
}

func slowMicros(b []byte, i int) (int64, int, bool) {
	next := numberEnd(b, i)
	ns, ok := decimal(b[i:next], 3)
	return ns, next, ok && -maxTime <= ns && ns <= maxTime
}

// integer reads a whole number at b[i]; a fraction or an exponent is accepted and rounded. Not ok beyond int64.
func integer(b []byte, i int) (v int64, next int, ok bool) {
	start := i
	if b[i] == '-' {
		i++
	}
	u, n := natural(b, i)
	next = i + n
	if c := b[next]; n == 0 || c-'0' <= 9 || c == '.' || c|0x20 == 'e' {
		next = numberEnd(b, start)
		v, ok = decimal(b[start:next], 0)
		return v, next, ok
	}
	if i > start {
		return -int64(u), next, true
	}
	return int64(u), next, true
}

// wordly marks what numbers and bare words consist of.
var wordly = func() (t [256]bool) {
	for _, c := range []byte("0123456789.+-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		t[c] = true
	}
	return t
}()

// numberEnd is the index behind the number or bare word at b[i].
func numberEnd(b []byte, i int) int {
	for {
		i += digits(word(b, i) ^ zeros)
		if c := b[i]; !wordly[c] {
			return i
		} else if c-'0' > 9 {
			i++
		}
	}
}

// decimal is text times 10^scale, rounded half away from zero, without going through a float. Not ok when text is no number
// or the result does not fit.
func decimal(text []byte, scale int) (int64, bool) {
	i, negative := 0, false
	if i < len(text) && (text[i] == '-' || text[i] == '+') {
		negative = text[i] == '-'
		i++
	}
	var v uint64
	exp, digits, point, more := scale, 0, false, byte(0)
	for ; i < len(text); i++ {
		d := text[i] - '0'
		if text[i] == '.' && !point {
			point = true
			continue
		}
		if d > 9 {
			break
		}
		switch digits++; {
		case more > 0:
			if !point {
				exp++
			}
		case v <= (math.MaxUint64-9)/10: // another digit fits
			v = v*10 + uint64(d)
			if point {
				exp--
			}
		default: // the first digit that does not fit
			if more = '0' + d; !point {
				exp++
			}
		}
	}
	if digits == 0 {
		return 0, false
	}
	if i < len(text) {
		if text[i]|0x20 != 'e' {
			return 0, false
		}
		e, err := strconv.Atoi(string(text[i+1:]))
		if err != nil || e > 400 || e < -400 {
			if v == 0 || err == nil && e < 0 {
				return 0, err == nil
			}
			return 0, false
		}
		exp += e
	}
	if more >= '5' && exp == 0 {
		v++
	}
	return scaled(v, exp, negative)
}

// scaled is ±v·10^exp, rounded half away from zero.
func scaled(v uint64, exp int, negative bool) (int64, bool) {
	for ; exp > 0 && v != 0; exp-- {
		if v > math.MaxInt64/10 {
			return 0, false
		}
		v *= 10
	}
	for ; exp < -1 && v != 0; exp++ {
		v /= 10
	}
	if exp < 0 {
		v = (v + 5) / 10
	}
	if v > math.MaxInt64 {
		return 0, false
	}
	if negative {
		return -int64(v), true
	}
	return int64(v), true
}

// ratio reads a number at b[i] as a float.
func ratio(b []byte, i int) (v float32, next int, ok bool) {
	if v, next, ok = shortRatio(b, i); ok {
		return v, next, true
	}
	next = numberEnd(b, i)
	f, err := strconv.ParseFloat(string(b[i:next]), 32)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, next, false
	}
	return float32(f), next, true
}

// shortRatio is ratio for few digits: two whole numbers that a float32 holds exactly, whose quotient is rounded once.
func shortRatio(b []byte, i int) (v float32, next int, ok bool) {
	w := word(b, i) ^ zeros
	n := digits(w)
	if n == 0 || n == 8 {
		return 0, i, false
	}
	whole, scale := decimals(w<<(64-8*n)), uint64(1)
	next = i + n
	if b[next] == '.' {
		w = word(b, next+1) ^ zeros
		k := digits(w)
		if k == 8 {
			return 0, i, false
		}
		scale = powers[k]
		whole = whole*scale + decimals(w<<(64-8*k))
		next += 1 + k
	}
	if whole >= 1<<24 || wordly[b[next]] {
		return 0, i, false
	}
	return float32(whole) / float32(scale), next, true
}
