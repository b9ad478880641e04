package kineto

import (
	"bytes"
	"encoding/binary"
	"unicode"
)

// keyID is what a key of an event, or of its arguments, means.
type keyID uint8

const (
	otherKey keyID = iota
	phaseKey
	catKey
	nameKey
	timeKey
	durKey
	pidKey
	tidKey
	argsKey

	corrKey
	streamKey
	deviceKey
	deviceIDKey
	contextKey
	bytesKey
	gridKey
	blockKey
	perSMKey
	nodeKey
	dimsKey
	kindKey
	onStreamKey
	allocatedKey
	reservedKey
	deviceTypeKey
	collectiveKey
	inKey
	outKey
	dtypeKey
	groupSizeKey
	groupKey
	groupDescKey
)

// level tells whose keys an object has.
type level uint8

const (
	inEvent level = iota
	inArgs
)

var keyIDs = [...]map[string]keyID{
	inEvent: {"ph": phaseKey, "cat": catKey, "name": nameKey, "ts": timeKey, "dur": durKey, "pid": pidKey, "tid": tidKey,
		"args": argsKey},
	inArgs: {"correlation": corrKey, "stream": streamKey, "device": deviceKey, "Device Id": deviceIDKey, "context": contextKey,
		"bytes": bytesKey, "Bytes": bytesKey, "grid": gridKey, "block": blockKey, "blocks per SM": perSMKey,
		"graph node id": nodeKey, "Input Dims": dimsKey, "Input dims": dimsKey, "kind": kindKey, "cuda_sync_kind": kindKey,
		"wait_on_stream": onStreamKey, "name": nameKey, "Total Allocated": allocatedKey, "Total Reserved": reservedKey,
		"Device Type": deviceTypeKey, "Collective name": collectiveKey, "In msg nelems": inKey, "Out msg nelems": outKey,
		"dtype": dtypeKey, "Group size": groupSizeKey, "Process Group Name": groupKey,
		"Process Group Description": groupDescKey},
}

// key is a key as the file spells it: `"name": `. A file has few layouts, so the keys that followed are remembered, and one
// comparison tells that they do so again; any other key is looked up.
type key struct {
	spelling   []byte
	word, mask uint64 // its first eight bytes
	id         keyID
	next       [2]*key
}

// maxKeys bounds the keys that are remembered; who has more has no layout.
const maxKeys = 500

// stands tells whether the key stands at b[i].
func (k *key) stands(b []byte, i int) bool {
	if k == nil || binary.LittleEndian.Uint64(b[i:])&k.mask != k.word {
		return false
	}
	n := len(k.spelling)
	return n <= 8 || string(b[i+8:i+n]) == string(k.spelling[8:])
}

// follows finds the key at i, which its colon follows, after the key last. It returns the index of its value, and no key
// where the object ends.
func (s *scanner) follows(last *key, i int, at level) (*key, int) {
	b, start := s.b, i
	from := i + 1
	switch {
	case b[i] == '"':
		i = s.keyEnd(from)
	case b[i] == '}':
		return nil, i + 1
	case s.loose:
		from = i
		i = s.bareKey(i)
	default:
		return nil, s.fail(i)
	}
	if i < 0 {
		return nil, -1
	}
	name := b[from:i]
	if i = space(b, i+1); b[i] != ':' {
		return nil, s.fail(i)
	}
	if i++; b[i] == ' ' {
		i++
	}
	k := s.keys[at][string(name)]
	if k == nil {
		k = s.meet(name, b[start:i], at)
	}
	if !s.loose {
		last.next = [2]*key{k, last.next[0]}
	}
	return k, space(b, i)
}

// meet makes a new key.
func (s *scanner) meet(name, spelling []byte, at level) *key {
	k := &s.spare[at]
	meant := name
	if plain, ok := unescapedKey(name); ok {
		meant = plain
	}
	if s.loose || len(s.keys[at]) >= maxKeys || len(spelling) > padding || bytes.ContainsFunc(name, unicode.IsControl) {
		*k = key{id: keyIDs[at][string(meant)], word: 1} // which stands nowhere
		return k
	}
	var word [8]byte
	n := copy(word[:], spelling)
	k = &key{spelling: append([]byte(nil), spelling...), id: keyIDs[at][string(meant)], mask: ^uint64(0) >> (64 - 8*n)}
	k.word = binary.LittleEndian.Uint64(word[:])
	if s.keys[at] == nil {
		s.keys[at] = map[string]*key{}
	}
	s.keys[at][string(name)] = k
	return k
}
