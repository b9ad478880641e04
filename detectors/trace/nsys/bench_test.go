package nsys

import (
	"fmt"
	"testing"
)

// rowsExport has n kernels, n calls and a fifth of that in NVTX ranges, laid out as exporters of 2024 write them.
func rowsExport(t testing.TB, n int) string {
	rows := fmt.Sprintf("WITH RECURSIVE n(x) AS (SELECT 0 UNION ALL SELECT x+1 FROM n WHERE x < %d)", n-1)
	return write(t, "PRAGMA journal_mode=OFF",
		stringIds("cudaLaunchKernel_v7000", "cudaMemcpyAsync_v3020"),
		rows+" INSERT INTO StringIds SELECT 10+x, 'void kernel<' || x || '>(float*)' FROM n WHERE x < 3000",
		runtimeTable, kernel2020, nvtxTable,
		rows+fmt.Sprintf(" INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT 155000000000+x*10000, 155000003000+x*10000, 0, %d, 1000+x, 1, 0, NULL FROM n", globalOf(3, 3)),
		rows+fmt.Sprintf(` INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT 155000004000+x*10000, 155000009000+x*10000, 0, 1, 7, 1000+x, %d,
			10+x%%3000, 10+x%%3000, 128+x%%100, 1, 1, 256, 1, 1, NULL FROM n`, globalOf(3, 0)),
		rows+fmt.Sprintf(` INSERT INTO NVTX_EVENTS SELECT 155000000000+x*50000, 155000040000+x*50000, 59, NULL, NULL, NULL,
			'aten::op' || (x%%500) || ', op_id = ' || x, %d, NULL, NULL, 0 FROM n WHERE x < %d`, globalOf(3, 3), n/5))
}

func BenchmarkRead(b *testing.B) {
	const n = 100_000
	path := rowsExport(b, n)
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		if _, err := Read(path, Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*(2*n+n/5)/b.Elapsed().Seconds(), "rows/s")
}
