package main

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
)

func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

func TestSniff(t *testing.T) {
	tests := []struct {
		name, path, head string
		is               form
		why              string
	}{
		{"a Kineto object", "a", `{"traceEvents": []}`, jsonForm, ""},
		{"a bare array after blanks", "a", "\n  [", jsonForm, ""},
		{"a byte-order mark", "a", "\xef\xbb\xbf{", jsonForm, ""},
		{"gzip of JSON", "a.sqlite", gzipped("{}"), jsonForm, ""},
		{"gzip cut before its first byte of text", "a.gz", gzipped("{}")[:11], jsonForm, ""},
		{"gzip cut in its header", "a.gz", "\x1f\x8b\x08", unknownForm, "is a broken gzip file (unexpected EOF)"},
		{"gzip of nothing", "a.gz", gzipped(""), emptyForm, "is empty once uncompressed"},
		{"gzip of a page", "a.gz", gzipped("<html>"), unknownForm, `is not a trace perflint knows (uncompressed it starts with "<html>")`},
		{"gzip of SQLite", "a.sqlite.gz", gzipped("SQLite format 3\x00"), foreignForm, "is a compressed SQLite file; unpack it with gunzip, perflint reads the file inside"},
		{"gzip of gzip", "a.json.gz", gzipped(gzipped("{}")), foreignForm, "is compressed twice; unpack it once with gunzip"},
		{"gzip of a zip", "a.gz", gzipped("PK\x03\x04"), foreignForm, "is a zip archive; unpack it and give perflint the trace inside"},
		{"SQLite whatever its name", "a.json", "SQLite format 3\x00", sqliteForm, ""},
		{"a report by its first words", "a.bin", nsysMagic + " 2025@1", nsysForm, ""},
		{"a report by its name alone", "a.NSYS-REP", "\x01\x02", nsysForm, ""},
		{"an old report by its name alone", "a.qdrep", "\x01\x02", nsysForm, ""},
		{"text named as a report", "a.nsys-rep", "{", jsonForm, ""},
		{"a raw capture", "a.qdstrm", "\x01", foreignForm, "is the raw stream of a capture; Nsight's QdstrmImporter makes a report of it"},
		{"a tar archive", "a.json", strings.Repeat("x", 257) + "ustar", foreignForm, "is a tar archive; unpack it and give perflint the trace inside"},
		{"UTF-16", "a.json", "\xff\xfe{\x00", foreignForm, "is UTF-16 text; perflint reads UTF-8"},
		{"nothing", "a", "", emptyForm, "is empty"},
		{"a word", "a", "hello", unknownForm, `is not a trace perflint knows (starts with "hello")`},
		{"a line", "a", "hi\nthere", unknownForm, `is not a trace perflint knows (starts with "hi")`},
		{"bytes", "a", "\x0a\x00\xff", unknownForm, "is not a trace perflint knows (starts with bytes 0a 00 ff)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is, why := sniff(tt.path, []byte(tt.head))
			first, _, _ := strings.Cut(why, "\n")
			if is != tt.is || first != tt.why {
				t.Errorf("got %d %q, want %d %q", is, first, tt.is, tt.why)
			}
		})
	}
}

func FuzzSniff(f *testing.F) {
	for _, head := range []string{"", "{", gzipped("{"), gzipped(gzipped("x")), "PK\x03\x04", nsysMagic, "\x1f\x8b\x08\x1f"} {
		f.Add("a.gz", []byte(head))
	}
	f.Fuzz(func(t *testing.T, path string, head []byte) {
		is, why := sniff(path, head)
		if readable := is == jsonForm || is == sqliteForm || is == nsysForm; readable != (why == "") {
			t.Errorf("form %d with the sentence %q", is, why)
		}
		if why != printable(why) {
			t.Errorf("%q would steer a terminal", why)
		}
	})
}
