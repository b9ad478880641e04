package main

import (
	"errors"
	"fmt"
	"io/fs"

	"perflint/report"
	"perflint/rules"
)

// baseline is the path of the report that findings are compared with, empty for none.
func (c *config) baseline() string {
	if c.Baseline == nil || c.Baseline.Value == "" {
		return ""
	}
	return rules.Beside(c.Baseline)
}

// oldReport reads the baseline, nil when there is none.
func (c *Command) oldReport(conf *config) (*report.Report, error) {
	path := conf.baseline()
	if path == "" {
		return nil, nil
	}
	old, err := c.savedReport(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("there is no baseline %s; perflint --baseline= -o json=%s TRACE writes it", path, path)
	}
	if err != nil {
		return nil, from(conf.Baseline, err)
	}
	return old, nil
}
