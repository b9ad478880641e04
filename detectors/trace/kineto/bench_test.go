package kineto_test

import (
	"bytes"
	"compress/gzip"
	"testing"

	"perflint/detectors/trace/kineto"
	"perflint/fixtures"
)

// BenchmarkRead reads the layout of a real program, repeated to 32 MB, on one core and on all, plain and gzip.
func BenchmarkRead(b *testing.B) {
	var plain, zipped bytes.Buffer
	if _, err := (fixtures.Large{Bytes: 32 << 20}).WriteKineto(&plain); err != nil {
		b.Fatal(err)
	}
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write(plain.Bytes()); err != nil {
		b.Fatal(err)
	}
	if err := z.Close(); err != nil {
		b.Fatal(err)
	}
	for name, text := range map[string][]byte{"plain": plain.Bytes(), "gzip": zipped.Bytes()} {
		for _, workers := range []int{1, 0} {
			cores := "all"
			if workers == 1 {
				cores = "one"
			}
			b.Run(name+"/"+cores, func(b *testing.B) {
				b.SetBytes(int64(plain.Len()))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := kineto.Read(bytes.NewReader(text), kineto.Options{Workers: workers}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
