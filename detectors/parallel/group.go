// Package parallel runs functions side by side.
package parallel

import "sync"

// Group is a sync.WaitGroup in which a mistake of ours stays where it can be caught: what panics on another goroutine would
// end the process, whoever waits for it and is prepared. The zero value is ready to use.
type Group struct {
	all    sync.WaitGroup
	once   sync.Once
	caught any // what the first that panicked did so with
}

// Go runs f on a goroutine of its own.
func (g *Group) Go(f func()) {
	g.all.Go(func() {
		defer func() {
			if r := recover(); r != nil {
				g.once.Do(func() { g.caught = r })
			}
		}()
		f()
	})
}

// Wait returns when all functions have, and panics if one did.
func (g *Group) Wait() {
	g.all.Wait()
	if g.caught != nil {
		panic(g.caught)
	}
}
