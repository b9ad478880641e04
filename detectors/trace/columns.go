package trace

// slabRows is the length of a slab: long enough to make the slices of slabs short, short enough not to waste memory.
const slabRows = 1 << 15

// column is one growing column of a builder. It never copies what it holds.
type column[T any] struct {
	full [][]T
	tail []T
	size int // rows of the newest slab
}

func (c *column[T]) add(v T) {
	if len(c.tail) == cap(c.tail) {
		c.grow()
	}
	c.tail = append(c.tail, v)
}

// grow doubles the slabs up to their full length, so that a small trace stays small.
func (c *column[T]) grow() {
	if len(c.tail) > 0 {
		c.full = append(c.full, c.tail)
	}
	c.size = min(slabRows, max(64, 2*c.size))
	c.tail = make([]T, 0, c.size)
}

// cut takes the rows; those to come go behind them in the same slab.
func (c *column[T]) cut() column[T] {
	n := len(c.tail)
	taken := column[T]{full: c.full, tail: c.tail[:n:n]}
	c.full, c.tail = nil, c.tail[n:]
	return taken
}

// reserve makes room for n rows in one piece; a reader that knows the number spares the join.
func (c *column[T]) reserve(n int) {
	if len(c.full) == 0 && cap(c.tail) < n {
		c.tail = append(make([]T, 0, n), c.tail...)
	}
}

// extend adds n rows in one piece, which are for the caller to fill.
func (c *column[T]) extend(n int) []T {
	if cap(c.tail)-len(c.tail) < n {
		if len(c.tail) > 0 {
			c.full = append(c.full, c.tail)
		}
		c.tail = make([]T, 0, max(n, slabRows))
	}
	from := len(c.tail)
	c.tail = c.tail[:from+n]
	return c.tail[from : from+n : from+n]
}

func (c *column[T]) len() int {
	n := len(c.tail)
	for _, s := range c.full {
		n += len(s)
	}
	return n
}

func (c *column[T]) each(f func(*T)) {
	for _, s := range c.full {
		for i := range s {
			f(&s[i])
		}
	}
	for i := range c.tail {
		f(&c.tail[i])
	}
}

// take empties the column and returns its rows in that order.
func (c *column[T]) take(o order) []T { return arrange(c.join(), o) }

func (c *column[T]) join() []T {
	rows := c.tail
	if len(c.full) > 0 {
		rows = make([]T, 0, c.len())
		for i, s := range c.full {
			rows = append(rows, s...)
			c.full[i] = nil
		}
		rows = append(rows, c.tail...)
	}
	*c = column[T]{}
	if rows == nil {
		rows = []T{}
	}
	return rows
}

// absorb takes the rows of other, whose memory it keeps.
func (c *column[T]) absorb(other *column[T]) {
	if len(c.tail) > 0 {
		c.full = append(c.full, c.tail)
	}
	c.full = append(c.full, other.full...)
	c.tail = other.tail
	*other = column[T]{}
}
