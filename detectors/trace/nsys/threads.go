package nsys

import (
	"path"
	"strings"
)

// noGlobal stands for a missing globalTid or globalPid.
const noGlobal = -1 << 63

// pid takes the process out of a globalTid or globalPid: bits 63-56 are the hardware, 55-48 the virtual machine, 47-24 the
// process and 23-0 the thread.
func pid(global int64) int64 { return global >> 24 & 0xFFFFFF }

func tid(global int64) int64 { return global & 0xFFFFFF }

// process is that of an activity. Where the file does not say and only one process made calls, it is that one.
func (r *reader) process(globalPid int64) int64 {
	if globalPid == noGlobal {
		return r.soleProcess
	}
	return pid(globalPid)
}

func (r *reader) thread(globalTid int64) int32 {
	if globalTid == r.lastTID && len(r.threads) > 0 {
		return r.lastThread
	}
	t, ok := r.threads[globalTid]
	if !ok {
		t = r.b.Thread(pid(globalTid), tid(globalTid)) // both 0 where the file names none
		r.threads[globalTid] = t
	}
	r.lastTID, r.lastThread = globalTid, t
	return t
}

// nameThread keeps the name that the traced program gave over that of the operating system, and of several the one with the
// highest priority.
func (r *reader) nameThread(globalTid int64, name string, priority int64) {
	t, ok := r.threads[globalTid]
	if !ok || name == "" || globalTid == noGlobal {
		return // the tables list every thread of the host
	}
	if have, ok := r.namePriority[t]; ok && have >= priority {
		return
	}
	r.namePriority[t] = priority
	r.b.NameThread(pid(globalTid), tid(globalTid), name)
}

// readThreadNames names the threads that have events, and a main thread without a name after its program.
func (r *reader) readThreadNames() {
	r.scanAll("ThreadNames", []column{{"globalTid", noGlobal}, {"nameId", -1}, {"priority", 0}}, ints(func(v []int64) {
		if _, ok := r.threads[v[0]]; ok {
			name, _ := r.string(v[1])
			r.nameThread(v[0], name, max(v[2], 0))
		}
	}))
	r.records("PROCESSES", func(rec fields) {
		global := rec.int(noGlobal, "globalPid")
		program := strings.ReplaceAll(rec.text("name"), `\`, "/")
		r.nameThread(global|pid(global), path.Base(program), -1)
	})
}
