package detectors

import "strings"

// shortKernelName is a kernel's name without its parameters and most of its template arguments. Those of at::native are
// cut; elsewhere the first type argument stays, since it tells the GEMMs of cutlass apart.
func shortKernelName(full string) string {
	name := strings.TrimPrefix(strings.TrimSpace(full), "void ")
	name = strings.TrimPrefix(name, "(anonymous namespace)::")
	name = strings.ReplaceAll(name, "(anonymous namespace)::", "")
	name = cutParameters(name)
	open := strings.IndexByte(name, '<')
	if open <= 0 {
		return name
	}
	base := name[:open]
	if strings.HasPrefix(base, "at::native::") {
		return base
	}
	if first := firstArgument(name[open+1:]); first != "" {
		return base + "<" + first + ">"
	}
	return base
}

// cutParameters cuts the "(…)" of a function's parameters, which stands outside every template bracket.
func cutParameters(name string) string {
	depth := 0
	for i, c := range name {
		switch c {
		case '<':
			depth++
		case '>':
			depth--
		case '(':
			if depth == 0 && i > 0 {
				return name[:i]
			}
		}
	}
	return name
}

// firstArgument is the first template argument, without arguments of its own.
func firstArgument(args string) string {
	depth := 0
	for i, c := range args {
		switch c {
		case '<', '(':
			depth++
		case ',', '>', ')':
			if depth == 0 {
				return stripArguments(strings.TrimSpace(args[:i]))
			}
			if c != ',' {
				depth--
			}
		}
	}
	return stripArguments(strings.TrimSpace(args))
}

func stripArguments(s string) string {
	if i := strings.IndexByte(s, '<'); i > 0 {
		return s[:i]
	}
	return s
}
