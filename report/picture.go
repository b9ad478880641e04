package report

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"perflint/detectors/feature"
)

// barView is one bar of a chart, in per cent of its full width.
type barView struct {
	Label, Value, Link, Class string
	From, Width               float64
}

// Waterfall is the measured step, what each rule's remedies take away of it, and the floor.
func (v view) Waterfall() []barView {
	b, ok := v.newBudget()
	if !ok {
		return nil
	}
	falls := v.waterfall(b)
	if len(falls) == 0 {
		return nil
	}
	out := []barView{{Label: "measured " + b.noun(), Value: b.time(1), Class: "whole", Width: 100}}
	for _, d := range falls {
		out = append(out, barView{Label: d.rule, Link: d.rule, Value: "− " + b.time(d.frac), Class: "drop", From: d.left * 100, Width: d.frac * 100})
	}
	left := falls[len(falls)-1].left
	return append(out, barView{Label: "floor", Value: b.time(left), Class: "whole", Width: left * 100})
}

// WaterfallLane names the lane that Waterfall and Slices speak of, where there are several.
func (v view) WaterfallLane() string {
	b, ok := v.newBudget()
	if !ok {
		return ""
	}
	if lane := unmark(v.onLane(b.lane)); lane != "" {
		return " " + lane
	}
	return ""
}

// Slices is where the step goes.
func (v view) Slices() []barView {
	b, ok := v.newBudget()
	if !ok {
		return nil
	}
	var out []barView
	from := 0.0
	for _, s := range v.slices(b) {
		out = append(out, barView{Label: s.label, Value: feature.Share(s.frac) + " · " + b.time(s.frac), Class: classOf(s.label), From: from, Width: s.frac * 100})
		from += s.frac * 100
	}
	return out
}

// Whole is what the shares of Slices are of.
func (v view) Whole() string {
	if b, ok := v.newBudget(); ok {
		return b.noun()
	}
	return ""
}

// classOf is the colour of a part of the window: that of the band of the same label.
func classOf(label string) string {
	for _, b := range bands {
		if b.label == label {
			return b.name
		}
	}
	return "other"
}

// Sizes of the picture of a lane, in the units of its view box.
const (
	stackHeight = 48
	rowHeight   = 12
	rowGap      = 4
	maxPictures = 8
	maxMarks    = 6
)

// laneView is the picture of a typical step of one lane.
type laneView struct {
	Name, Caption string
	Height        int
	Stack         []pathView
	Rows          []trackView
}

type pathView struct{ Class, Label, D string }

// trackView is a thin row under the stack: hidden communication, or what a finding claims.
type trackView struct {
	Class, Label, D string
	Y               int
}

// Pictures is the lanes that findings speak of, then the others, at most maxPictures.
func (v view) Pictures() []laneView {
	var out []laneView
	for _, i := range v.pictured() {
		if v.Lanes[i].Strip != nil && len(out) < maxPictures {
			out = append(out, v.picture(i))
		}
	}
	return out
}

// Legend is the parts that the pictures show.
func (v view) Legend() []pathView {
	var out []pathView
	for _, b := range bands {
		shown := slices.ContainsFunc(v.Lanes, func(l Lane) bool { return l.Strip != nil && l.Strip.Share[b.name] != nil })
		if b.stacked && shown {
			out = append(out, pathView{Class: b.name, Label: b.label})
		}
	}
	return out
}

func (v view) pictured() []int {
	var order []int
	add := func(i int) {
		if i >= 0 && !slices.Contains(order, i) {
			order = append(order, i)
		}
	}
	if b, ok := v.newBudget(); ok {
		add(b.lane)
	}
	for _, f := range v.visible {
		add(f.Lane)
	}
	for i := range v.Lanes {
		add(i)
	}
	return order
}

func (v view) picture(lane int) laneView {
	s := v.Lanes[lane].Strip
	out := laneView{Name: "GPU", Caption: fmt.Sprintf("%s from %s on", feature.Micros(float64(s.LenNs)/1e3), feature.Moment(float64(s.StartNs)/1e3))}
	if !v.alone(lane) {
		out.Name = v.laneName(lane)
	}
	if s.Step >= 0 {
		out.Caption = fmt.Sprintf("step %d: ", s.Step) + out.Caption
	}
	out.Stack = stack(s)
	y := stackHeight + rowGap
	track := func(class, label, d string) {
		if d == "" {
			return
		}
		out.Rows = append(out.Rows, trackView{class, label, d, y})
		y += rowHeight + rowGap
	}
	for _, b := range bands {
		if shares := s.Share[b.name]; !b.stacked && shares != nil {
			track(b.name, b.label, columnsPath(shares, make([]int, len(shares)), rowHeight))
		}
	}
	marks := 0
	for _, f := range v.visible {
		if d := claimed(f, lane, s); d != "" && marks < maxMarks {
			track("claim-"+f.Severity, f.rule.Rule, d)
			marks++
		}
	}
	out.Height = y
	return out
}

// stack draws the parts of each slice on top of one another.
func stack(s *Strip) []pathView {
	var out []pathView
	base := make([]int, stripColumns)
	for _, b := range bands {
		shares := s.Share[b.name]
		if !b.stacked || len(shares) != stripColumns {
			continue
		}
		out = append(out, pathView{b.name, b.label, columnsPath(shares, base, stackHeight)})
		for i, n := range shares {
			base[i] = min(100, base[i]+n)
		}
	}
	return out
}

// columnsPath draws shares in per cent as columns on those of base; equal neighbours are one rectangle.
func columnsPath(shares, base []int, height int) string {
	var b strings.Builder
	y := func(percent int) float64 { return float64(height) * float64(100-percent) / 100 }
	for i := 0; i < len(shares); {
		j := i
		for j < len(shares) && shares[j] == shares[i] && base[j] == base[i] {
			j++
		}
		if shares[i] > 0 {
			top := min(100, base[i]+shares[i])
			fmt.Fprintf(&b, "M%d %.4gh%dV%.4gh%dz", i, y(top), j-i, y(base[i]), i-j)
		}
		i = j
	}
	return b.String()
}

// claimed draws what a finding claims of the step, empty when its claims are another lane's or another step's.
func claimed(f ranked, lane int, s *Strip) string {
	if f.Lane != lane || s.LenNs <= 0 {
		return ""
	}
	var b strings.Builder
	for _, c := range f.Claims {
		from, to := max(c[0], s.StartNs), min(c[0]+c[1], s.StartNs+s.LenNs)
		if from >= to {
			continue
		}
		x := func(ns int64) float64 { return float64(ns-s.StartNs) / float64(s.LenNs) * stripColumns }
		fmt.Fprintf(&b, "M%.5g 0h%.4gv%dH%.5gz", x(from), cmp.Or(x(to)-x(from), 0.1), rowHeight, x(from))
	}
	return b.String()
}

// Path is the drawing as an attribute; it holds nothing but numbers and commands made here.
func (p pathView) Path() template.HTMLAttr { return template.HTMLAttr(`d="` + p.D + `"`) }

// Path is as for pathView.
func (t trackView) Path() template.HTMLAttr { return template.HTMLAttr(`d="` + t.D + `"`) }
