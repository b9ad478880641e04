package kineto

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
)

// counted tells Options.Progress how much of the file, as it lies on disk, has been read.
type counted struct {
	io.Reader
	n        int64
	progress func(int64)
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if c.n += int64(n); c.progress != nil {
		c.progress(c.n)
	}
	return n, err
}

// inflated is the text of a gzip file of one or several members. A damaged file ends where its damage begins; what was wrong
// is in notes.
type inflated struct {
	in      *bufio.Reader
	zip     *gzip.Reader
	members int
	cut     bool // the file ends, or is damaged, in the middle
	notes   []string
}

// inputSize is how much of a gzip file is read at a time. A plain file is read past this buffer, as long as more is asked for.
const inputSize = 64 << 10

func openText(src io.Reader) (io.Reader, *inflated, error) {
	in := bufio.NewReaderSize(src, inputSize)
	magic, err := in.Peek(2)
	if err != nil && err != io.EOF {
		return nil, nil, err
	}
	if !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return in, nil, nil
	}
	z := &inflated{in: in}
	if z.zip, err = gzip.NewReader(in); damage(err) {
		return nil, nil, &NotTrace{"is a damaged gzip file: its header is not readable"}
	} else if err != nil {
		return nil, nil, err
	}
	z.zip.Multistream(false)
	z.members = 1
	return z, z, nil
}

func (z *inflated) Read(p []byte) (int, error) {
	for {
		if z.zip == nil {
			return 0, io.EOF
		}
		n, err := z.zip.Read(p)
		if err == nil || n > 0 {
			return n, nil
		}
		if err != io.EOF && !damage(err) {
			return 0, err
		}
		if !z.next(err) {
			z.zip = nil
		}
	}
}

// damage tells an error of the data from one of the disk.
func damage(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.As(err, &corrupt)
}

// next goes to the following member, and is false when there is none.
func (z *inflated) next(err error) bool {
	switch {
	case errors.Is(err, gzip.ErrChecksum):
		z.notes = append(z.notes, "the checksum of the gzip data is wrong: some of it may be damaged")
	case errors.Is(err, io.ErrUnexpectedEOF):
		z.cut = true
		z.notes = append(z.notes, "the gzip data ends in the middle")
		return false
	case err != io.EOF:
		z.cut = true
		z.notes = append(z.notes, "the gzip data is damaged")
		return false
	}
	switch err := z.zip.Reset(z.in); {
	case err == io.EOF:
		return false
	case err != nil: // an error of the disk comes again when nothing more is read
		z.notes = append(z.notes, "bytes that are no gzip data follow the gzip data; they were not read")
		return false
	}
	z.zip.Multistream(false)
	z.members++
	return true
}
