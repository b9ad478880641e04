package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// headSize is how much of a file is looked at to tell what it is.
const headSize = 4096

// readable is what perflint reads, as the user is told.
const readable = "readable: Kineto/Chrome trace .json, .json.gz; Nsight Systems export .sqlite"

// form is what a file is.
type form uint8

const (
	unknownForm form = iota
	emptyForm
	jsonForm   // plain or gzip
	sqliteForm // perhaps an Nsight Systems export
	nsysForm   // an Nsight Systems report, which only nsys reads
	foreignForm
)

// foreign are files that users give by mistake: what they begin with, what they are, what to do.
var foreign = []struct {
	at                  int
	magic, what, remedy string
}{
	{0, "PK\x03\x04", "a zip archive", "unpack it and give perflint the trace inside"},
	{257, "ustar", "a tar archive", "unpack it and give perflint the trace inside"},
	{0, "\x28\xb5\x2f\xfd", "compressed with zstd", "unpack it with unzstd"},
	{0, "\xfd7zXZ\x00", "compressed with xz", "unpack it with unxz"},
	{0, "BZh", "compressed with bzip2", "unpack it with bunzip2"},
	{0, "\x89HDF\r\n", "an HDF5 file", "export the Nsight report again with: nsys export --type sqlite"},
	{0, "ARROW1", "an Arrow file", "export the Nsight report again with: nsys export --type sqlite"},
	{0, "PAR1", "a Parquet file", "export the Nsight report again with: nsys export --type sqlite"},
	{0, "\xff\xfe", "UTF-16 text", "perflint reads UTF-8"},
	{0, "\xfe\xff", "UTF-16 text", "perflint reads UTF-8"},
}

// The text that reports of Nsight Systems have begun with since the days of .qdrep, a version behind it.
const nsysMagic = "NVIDIA Tegra Profiler Report"

// sniff tells from a file's first bytes what it is, and for a file that cannot be read the sentence that says so. The name
// decides only where the content says nothing: for a report of a future Nsight Systems.
func sniff(path string, head []byte) (form, string) {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case len(head) == 0:
		return emptyForm, "is empty"
	case len(text) == 0:
		return emptyForm, "holds nothing but blanks"
	case text[0] == '{' || text[0] == '[':
		return jsonForm, ""
	case bytes.HasPrefix(head, []byte("SQLite format 3\x00")):
		return sqliteForm, ""
	case bytes.HasPrefix(head, []byte(nsysMagic)):
		return nsysForm, ""
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return sniffGzip(path, head)
	}
	for _, f := range foreign {
		if len(head) > f.at && bytes.HasPrefix(head[f.at:], []byte(f.magic)) {
			return foreignForm, "is " + f.what + "; " + f.remedy
		}
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".nsys-rep", ".qdrep":
		return nsysForm, ""
	case ".qdstrm":
		return foreignForm, "is the raw stream of a capture; Nsight's QdstrmImporter makes a report of it"
	}
	return unknownForm, "is not a trace perflint knows (starts with " + firstBytes(head) + ")\n    " + readable
}

// sniffGzip looks at what was compressed. A file cut within its first bytes shows nothing: the reader will say so.
func sniffGzip(path string, head []byte) (form, string) {
	unzip, err := gzip.NewReader(bytes.NewReader(head))
	if err != nil {
		return unknownForm, "is a broken gzip file (" + strings.TrimPrefix(err.Error(), "gzip: ") + ")"
	}
	inner := make([]byte, headSize)
	n, err := io.ReadFull(unzip, inner)
	if n == 0 && err == io.ErrUnexpectedEOF {
		return jsonForm, ""
	}
	if bytes.HasPrefix(inner[:n], []byte("\x1f\x8b")) {
		return foreignForm, "is compressed twice; unpack it once with gunzip"
	}
	switch is, why := sniff(strings.TrimSuffix(path, filepath.Ext(path)), inner[:n]); is {
	case jsonForm:
		return jsonForm, ""
	case emptyForm:
		return emptyForm, why + " once uncompressed"
	case sqliteForm:
		return foreignForm, "is a compressed SQLite file; unpack it with gunzip, perflint reads the file inside"
	case nsysForm:
		return foreignForm, "is a compressed Nsight Systems report; unpack it with gunzip"
	default:
		return is, strings.Replace(why, "starts with", "uncompressed it starts with", 1)
	}
}

// firstBytes shows what a file begins with: a few characters of text, or hexadecimal.
func firstBytes(head []byte) string {
	if end := bytes.IndexAny(head, "\r\n\t"); end > 0 {
		head = head[:end]
	}
	word := head[:min(len(head), 9)]
	for _, b := range word {
		if b < ' ' || b > '~' {
			return fmt.Sprintf("bytes % x", head[:min(len(head), 8)])
		}
	}
	return `"` + string(word) + `"`
}
