// Command perflint is a linter for GPU traces.
package main

func main() {}
