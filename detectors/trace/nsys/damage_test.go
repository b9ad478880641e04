package nsys

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// damagedExport is small enough to damage in every way and has a page or more of each big table.
func damagedExport(t testing.TB) []byte {
	fill := "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM n WHERE x < 300) INSERT INTO %s SELECT %s FROM n"
	path := write(t, stringIds("cudaLaunchKernel_v7000", "k", "aten::add, op_id = 7"), runtimeTable, kernel2020, nvtxTable, memcpyTable,
		fmt.Sprintf(fill, "CUPTI_ACTIVITY_KIND_RUNTIME", fmt.Sprintf("x*10, x*10+5, 0, %d, x, 1, 0, NULL", globalOf(3, 3))),
		fmt.Sprintf(fill, "CUPTI_ACTIVITY_KIND_KERNEL", fmt.Sprintf("x*10+6, x*10+9, 0, 1, 7, x, %d, 2, 2, 1, 1, 1, 32, 1, 1, NULL", globalOf(3, 0))),
		fmt.Sprintf(fill, "NVTX_EVENTS", fmt.Sprintf("x*10, x*10+9, 59, NULL, 0, 0, 'step ' || x, %d, NULL, NULL, 0", globalOf(3, 3))),
		"INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1, 2, 0, 1, 7, NULL, NULL, 4096, 1, 1, 2, NULL)")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestTruncatedExport(t *testing.T) {
	whole := damagedExport(t)
	path := filepath.Join(t.TempDir(), "cut.sqlite")
	most := 0
	for n := len(whole); n >= len(magic); n -= 1000 {
		if err := os.WriteFile(path, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		tr, err := Read(path, Options{})
		var known *Error
		switch {
		case err == nil:
			rows := tr.Work.Len() + tr.Calls.Len() + tr.Ranges.Len()
			if n == len(whole) {
				most = rows
			}
			if rows > most || tr.Cut != (rows < most) || tr.Cut != (len(tr.Notes) > 0) {
				t.Errorf("%d of %d bytes: %d of %d rows, cut %v, notes %v", n, len(whole), rows, most, tr.Cut, tr.Notes)
			}
		case !errors.As(err, &known) || known.Reason != Damaged:
			t.Errorf("%d of %d bytes: %v", n, len(whole), err)
		}
	}
	if most != 901 {
		t.Errorf("%d rows", most)
	}
}

func FuzzDamagedExport(f *testing.F) {
	whole := damagedExport(f)
	f.Add(uint32(len(whole)), uint32(100), byte(0xFF), uint32(5000), byte(1))
	for at := range 40 {
		f.Add(uint32(len(whole)-at*512), uint32(at*997), byte(at*37), uint32(at*4096), byte(5))
	}
	path := filepath.Join(f.TempDir(), "fuzz.sqlite")
	f.Fuzz(func(t *testing.T, length, at1 uint32, to1 byte, at2 uint32, to2 byte) {
		b := append([]byte(nil), whole...)
		b[at1%uint32(len(b))], b[at2%uint32(len(b))] = to1, to2
		if err := os.WriteFile(path, b[:min(len(b), int(length))], 0o600); err != nil {
			t.Fatal(err)
		}
		tr, err := Read(path, Options{})
		if err == nil && tr.Work.Len()+tr.Calls.Len()+tr.Ranges.Len() > len(b) {
			t.Errorf("more rows than bytes")
		}
	})
}
