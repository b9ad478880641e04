package kineto

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
