package detectors

import (
	"bytes"
	"cmp"
	"regexp"
	"strconv"
	"strings"
)

// shortKernelName is a kernel's name as people speak of it: without return type, parameters and most of its template
// arguments. Those of at::native are cut; elsewhere the first type argument stays, since it tells the GEMMs of cutlass apart.
func shortKernelName(full string) string {
	name := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(full), " [clone .kd]"), ".kd") // ROCm's kernel descriptors
	switch {
	case strings.HasPrefix(name, "_Z"):
		return unmangled(name)
	case strings.HasPrefix(name, "Cijk_"):
		return name[:tile(name)]
	}
	if !strings.ContainsAny(name, "<([{") {
		return name
	}
	for _, nameless := range []string{"(anonymous namespace)::", "<unnamed>::", "`anonymous namespace'::"} {
		name = strings.ReplaceAll(name, nameless, "")
	}
	if after, ok := strings.CutPrefix(name, "void at::native::"); ok { // most names of most traces
		if end := strings.IndexAny(after, "<("); end > 0 {
			return "at::native::" + after[:end]
		}
	}
	head, args, ok := signature(name)
	base := outline(head)
	if !ok || base == "" {
		return cmp.Or(name, strings.TrimSpace(full))
	}
	if strings.HasPrefix(base, "at::native::") {
		return base
	}
	if first := firstType(args); first != "" {
		return base + "<" + first + ">"
	}
	return base
}

// matrixTile ends the part of a Tensile kernel's name that says what it multiplies, in which tiles; hundreds of characters of
// tuning parameters follow.
var matrixTile = regexp.MustCompile(`_MT\d+x\d+x\d+(_MI\d+x\d+x\d+)?`)

func tile(name string) int {
	if at := matrixTile.FindStringIndex(name); at != nil {
		return at[1]
	}
	return len(name)
}

// signature cuts a function's return type and parameters off and returns its name and its template arguments; not ok for
// words that are no function.
func signature(name string) (head, args string, ok bool) {
	start, open := 0, -1
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == 'o':
			i += max(0, operator(name, i)-1)
		case c == ' ' && !strings.HasPrefix(name[i:], " <"):
			start, open, args = i+1, -1, ""
		case c == '(' && i > start:
			return name[start:i], args, true
		case strings.IndexByte("<([{", c) >= 0:
			end := closing(name, i)
			if c == '<' {
				open, args = i, strings.TrimSuffix(name[i+1:end], ">")
			}
			i = end - 1
		}
	}
	return name[start:], args, open >= 0
}

// operator is the length of the name of an operator at s[i:], which brackets are part of; 0 where there is none.
func operator(s string, i int) int {
	const word = "operator"
	if !strings.HasPrefix(s[i:], word) || i > 0 && s[i-1] != ':' && s[i-1] != ' ' {
		return 0
	}
	rest := s[i+len(word):]
	space := len(rest) - len(strings.TrimLeft(rest, " "))
	for _, symbol := range []string{"()", "[]", "<<=", ">>=", "<=>", "<<", ">>", "<=", ">=", "->", "<", ">"} {
		if strings.HasPrefix(rest[space:], symbol) {
			return len(word) + space + len(symbol)
		}
	}
	return 0
}

// closing is the index behind the bracket that closes the one at s[i]; the length of s where none does. Inside other brackets
// < and > may compare.
func closing(s string, i int) int {
	open := make([]byte, 0, 32)
	for ; i < len(s); i++ {
		switch c := s[i]; c {
		case 'o':
			i += max(0, operator(s, i)-1)
			continue
		case '<', '(', '[', '{':
			open = append(open, c)
			continue
		case '>':
			if n := len(open); open[n-1] == '<' && s[i-1] != '-' {
				open = open[:n-1]
			}
		case ')', ']', '}':
			if at := bytes.LastIndexByte(open, opener(c)); at >= 0 {
				open = open[:at]
			}
		default:
			continue
		}
		if len(open) == 0 {
			return i + 1
		}
	}
	return len(s)
}

func opener(c byte) byte {
	switch c {
	case ')':
		return '('
	case ']':
		return '['
	}
	return '{'
}

// lambda is "{lambda(float)#3}", or "[lambda(float) (instance 3)]" as NVIDIA's demangler writes it.
var lambda = regexp.MustCompile(`^[\[{]lambda.*?(?:#|instance )(\d+)\)?[\]}]$`)

// outline is a name without what stands in brackets, but for the numbers of its lambdas.
func outline(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if n := operator(s, i); n > 0 {
			b.WriteString("operator" + strings.TrimLeft(s[i+len("operator"):i+n], " "))
			i += n - 1
			continue
		}
		switch s[i] {
		case '<', '(', '[', '{':
			end := closing(s, i)
			if strings.HasPrefix(s[i+1:end], "lambda") {
				if m := lambda.FindStringSubmatch(s[i:end]); m != nil {
					b.WriteString("lambda#" + m[1])
				}
			}
			i = end - 1
		case '>', ')', ']', '}': // nothing opened it
		default:
			b.WriteByte(s[i])
		}
	}
	out := strings.ReplaceAll(b.String(), " const::", "::")
	return strings.TrimSpace(strings.ReplaceAll(out, "::operator()::lambda#", "::lambda#"))
}

// firstType is the outline of the first template argument that is a type, not a number, a constant or a function.
func firstType(args string) string {
	for len(args) > 0 {
		end := 0
		for end < len(args) && args[end] != ',' {
			if strings.IndexByte("<([{", args[end]) >= 0 {
				end = closing(args, end)
				continue
			}
			end += max(1, operator(args, end))
		}
		arg := strings.TrimSpace(args[:end])
		args = args[min(len(args), end+1):]
		if arg == "" || arg == "true" || arg == "false" || strings.IndexByte("0123456789-(&", arg[0]) >= 0 {
			continue
		}
		if arg = outline(arg); arg != "" {
			return arg
		}
	}
	return ""
}

// unmangled reads the nested name of a function and its first template argument, if that is a class, from a name that nobody
// demangled; the name itself where it has another form.
func unmangled(name string) string {
	rest, ok := strings.CutPrefix(name, "_ZN")
	parts, rest := identifiers(rest)
	if !ok || len(parts) == 0 {
		return name
	}
	base := strings.Join(parts, "::")
	rest, ok = strings.CutPrefix(rest, "I")
	if !ok {
		return base
	}
	for _, prefix := range []string{"N", "S_", "S0_", "S1_", "S2_", "S3_", "St"} { // a nested name; a namespace that was named before
		rest = strings.TrimPrefix(rest, prefix)
	}
	if arg, _ := identifiers(rest); len(arg) > 0 {
		return base + "<" + arg[len(arg)-1] + ">"
	}
	return base
}

// identifiers reads "2ck16tensor_operation…"; a namespace without a name is left out.
func identifiers(s string) (parts []string, rest string) {
	for {
		digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
		n, err := strconv.Atoi(s[:digits])
		if err != nil || n == 0 || n > len(s)-digits || strings.ContainsAny(s[digits:digits+n], "<>()[]{} ") {
			return parts, s
		}
		if part := s[digits : digits+n]; !strings.HasPrefix(part, "_GLOBAL__N") {
			parts = append(parts, part)
		}
		s = s[digits+n:]
	}
}
