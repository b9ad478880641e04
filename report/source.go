package report

import (
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// anchor is where a finding points in the repository. The artefact is a trace, which is often not in it, so in this order: a
// source place of the trace that is, the anchor that the user gave, the trace itself; or nowhere, with an empty file.
func (r *Report) anchor(f Finding, opt Options) (file string, line int) {
	for _, p := range f.Locations {
		if rel, ok := opt.inWorkspace(p.File); ok && !installed(rel) {
			return rel, p.Line
		}
	}
	if opt.Anchor != "" {
		return splitLine(opt.Anchor)
	}
	if t := r.traceOf(f); t >= 0 {
		if rel, ok := opt.inWorkspace(opt.absolute(r.Traces[t].Path)); ok {
			return rel, 0
		}
	}
	return "", 0
}

// traceOf is the index of the file that a finding is about, -1 when it is about several.
func (r *Report) traceOf(f Finding) int {
	switch {
	case len(r.Traces) == 1:
		return 0
	case f.Lane >= 0 && r.Lanes[f.Lane].ID.Trace < len(r.Traces):
		return r.Lanes[f.Lane].ID.Trace
	}
	return -1
}

// absolute is the path of a file that the user named.
func (o Options) absolute(file string) string {
	if o.Dir == "" || filepath.IsAbs(file) {
		return file
	}
	return path.Join(strings.ReplaceAll(o.Dir, `\`, "/"), file)
}

// inWorkspace turns a path of a trace into one relative to the root of the repository, if there is such a file.
func (o Options) inWorkspace(file string) (string, bool) {
	if file == "" || o.Files == nil {
		return "", false
	}
	p := strings.ReplaceAll(file, `\`, "/")
	for _, m := range o.PathMap {
		if rest, ok := under(p, m[0]); ok {
			p = path.Join(m[1], rest)
			break
		}
	}
	if rest, ok := under(p, o.Workspace); ok && o.Workspace != "" {
		p = rest
	}
	p = path.Clean(p)
	if !fs.ValidPath(p) || p == "." {
		return "", false
	}
	info, err := fs.Stat(o.Files, p)
	return p, err == nil && !info.IsDir()
}

// under is the part of file below dir.
func under(file, dir string) (string, bool) {
	dir = strings.TrimRight(strings.ReplaceAll(dir, `\`, "/"), "/")
	rest, ok := strings.CutPrefix(file, dir)
	if !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return strings.TrimLeft(rest, "/"), true
}

// installed tells code of packages from that of the repository.
func installed(file string) bool {
	return strings.Contains("/"+file, "/site-packages/") || strings.Contains("/"+file, "/dist-packages/")
}

// splitLine reads FILE[:LINE].
func splitLine(s string) (file string, line int) {
	if i := strings.LastIndexByte(s, ':'); i > 0 {
		if n, err := strconv.Atoi(s[i+1:]); err == nil && n > 0 {
			return s[:i], n
		}
	}
	return s, 0
}
