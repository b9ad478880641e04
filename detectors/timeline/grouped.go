package timeline

import "slices"

// grouped is indices grouped by thread, in their order: group i is at[start[i]:start[i+1]].
type grouped struct {
	start []int32
	at    []int32
}

// counting is 0, 1, 2 and so on. What lists all of something, which most traces have millions of, shares it with the others.
type counting struct{ all []int32 }

func (c *counting) from(first, n int) []int32 {
	if len(c.all) < first+n {
		c.all = make([]int32, first+n)
		for i := range c.all {
			c.all[i] = int32(i)
		}
	}
	return c.all[first : first+n : first+n]
}

func (g *grouped) of(thread int32) []int32 { return g.at[g.start[thread]:g.start[thread+1]] }

func (c *counting) group(thread []int32, threads int) grouped {
	g := grouped{start: make([]int32, threads+1)}
	for _, t := range thread {
		g.start[t+1]++
	}
	if slices.Max(g.start) == int32(len(thread)) { // all of one thread
		g.at = c.from(0, len(thread))
	}
	for i := range threads {
		g.start[i+1] += g.start[i]
	}
	if g.at != nil {
		return g
	}
	g.at = make([]int32, len(thread))
	next := slices.Clone(g.start)
	for i, t := range thread {
		g.at[next[t]] = int32(i)
		next[t]++
	}
	return g
}
