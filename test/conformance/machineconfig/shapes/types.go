package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"log"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

const typesPath = "github.com/siderolabs/talos/pkg/machinery/config/types"

// release is what one version of Talos knows.
type release struct {
	Version   string                `json:"version"`
	Documents []document            `json:"documents"`
	Types     map[string]*namedType `json:"types"`
}

type document struct {
	Kind  string `json:"kind"`
	Type  string `json:"type"`
	Named bool   `json:"named"`
}

// namedType has fields, or values (an enumeration), or the type that it is another name for. What has none of
// these reads and writes itself.
type namedType struct {
	Fields []field  `json:"fields"`
	Values []string `json:"values,omitempty"`
	// Whether one of the values is Go's zero, which is what an absent one is.
	HasZero bool     `json:"hasZero,omitempty"`
	Of      string   `json:"of,omitempty"`
	Methods []string `json:"methods,omitempty"`
}

type field struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Omit     string `json:"omit"`
	Replaced bool   `json:"replaced,omitempty"`
}

// The methods by which a type reads, writes or merges itself in its own way.
var ownWays = []string{
	"IsZero", "MarshalText", "MarshalYAML", "Merge", "UnmarshalText", "UnmarshalYAML",
}

type collector struct {
	*release
	sources *sources
	// The package that each short name is from: two packages of one name must not share a type's name.
	origin map[string]string
}

func collect(from *sources) *release {
	c := &collector{
		release: &release{Types: map[string]*namedType{}},
		sources: from,
		origin:  map[string]string{},
	}
	for _, pkg := range from.below(typesPath) {
		for _, in := range pkg.files {
			ast.Inspect(in.syntax, func(node ast.Node) bool {
				if call, ok := node.(*ast.CallExpr); ok && isRegister(call) {
					c.addDocument(call, in)
				}
				return true
			})
		}
	}
	slices.SortFunc(c.Documents, func(a, b document) int { return strings.Compare(a.Kind, b.Kind) })
	return c.release
}

func isRegister(call *ast.CallExpr) bool {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || selector.Sel.Name != "Register" || len(call.Args) != 2 {
		return false
	}
	name, ok := selector.X.(*ast.Ident)
	return ok && name.Name == "registry"
}

func (c *collector) addDocument(call *ast.CallExpr, in *file) {
	var made *ast.Ident
	ast.Inspect(call.Args[1], func(node ast.Node) bool {
		if literal, ok := node.(*ast.CompositeLit); ok {
			made, _ = literal.Type.(*ast.Ident)
		}
		return made == nil
	})
	if made == nil {
		log.Fatalf("no document is made in %s", in.pkg.path)
	}
	kind := ""
	switch name := call.Args[0].(type) {
	case *ast.Ident:
		kind = in.pkg.strings[name.Name]
	case *ast.BasicLit:
		kind, _ = strconv.Unquote(name.Value)
	}
	_, named := in.pkg.methods[made.Name]["Name"]
	c.Documents = append(c.Documents, document{Kind: kind, Type: c.expression(made, in), Named: named})
}

// expression writes a type down with the names of packages, and collects the types that it names.
func (c *collector) expression(node ast.Expr, in *file) string {
	switch node := node.(type) {
	case *ast.StarExpr:
		return "*" + c.expression(node.X, in)
	case *ast.ArrayType:
		if node.Len != nil {
			log.Fatalf("an array in %s", in.pkg.path)
		}
		return "[]" + c.expression(node.Elt, in)
	case *ast.MapType:
		return fmt.Sprintf("map[%s]%s", c.expression(node.Key, in), c.expression(node.Value, in))
	case *ast.InterfaceType:
		return "any"
	case *ast.Ident:
		if _, ok := in.pkg.types[node.Name]; ok {
			return c.named(in.pkg, node.Name)
		}
		return node.Name
	case *ast.SelectorExpr:
		name := node.X.(*ast.Ident).Name
		if pkg := c.sources.find(in.imports[name]); pkg != nil {
			return c.named(pkg, node.Sel.Name)
		}
		return name + "." + node.Sel.Name
	}
	log.Fatalf("a type of an unknown form in %s: %T", in.pkg.path, node)
	return ""
}

func (c *collector) named(pkg *goPackage, name string) string {
	declared := pkg.types[name]
	if declared == nil {
		log.Fatalf("%s has no %s", pkg.path, name)
	}
	if declared.spec.Assign != token.NoPos {
		return c.expression(declared.spec.Type, declared.file)
	}
	full := pkg.name + "." + name
	if known, ok := c.origin[full]; ok {
		if known != pkg.path {
			log.Fatalf("%s is in %s and in %s", full, known, pkg.path)
		}
		return full
	}
	c.origin[full] = pkg.path
	collected := &namedType{}
	c.Types[full] = collected
	for _, way := range ownWays {
		if _, ok := pkg.methods[name][way]; ok {
			collected.Methods = append(collected.Methods, way)
		}
	}
	if values := pkg.enumeration(name); values != nil {
		collected.Values = values
		collected.HasZero = pkg.hasZero(name)
	} else if structure, ok := declared.spec.Type.(*ast.StructType); ok {
		if structure = written(structure, pkg.methods[name]); structure != nil {
			collected.Fields = c.fields(structure, declared.file)
		}
	} else {
		collected.Of = c.expression(declared.spec.Type, declared.file)
	}
	return full
}

// written is the struct that YAML sees: some types decode into one that their method declares, and some are
// texts, which is none.
func written(declared *ast.StructType, methods map[string]*ast.FuncDecl) *ast.StructType {
	if methods["UnmarshalText"] != nil || isEmbedding(declared) {
		return nil
	}
	method := methods["UnmarshalYAML"]
	if method == nil {
		return declared
	}
	var inner *ast.StructType
	ast.Inspect(method.Body, func(node ast.Node) bool {
		if structure, ok := node.(*ast.StructType); ok {
			inner = structure
		}
		return true
	})
	return inner
}

// isEmbedding tells a struct that borrows the methods of another type, and its texts with them.
func isEmbedding(declared *ast.StructType) bool {
	first := declared.Fields.List
	return len(first) == 1 && len(first[0].Names) == 0 && first[0].Tag == nil
}

func (c *collector) fields(structure *ast.StructType, in *file) []field {
	collected := []field{}
	for _, node := range structure.Fields.List {
		tag := reflect.StructTag("")
		if node.Tag != nil {
			text, _ := strconv.Unquote(node.Tag.Value)
			tag = reflect.StructTag(text)
		}
		name, flags, _ := strings.Cut(tag.Get("yaml"), ",")
		isPrivate := len(node.Names) > 0 && !node.Names[0].IsExported()
		if name == "-" || isPrivate {
			continue
		}
		if strings.Contains(flags, "inline") {
			collected = append(collected, c.inlined(node.Type, in)...)
			continue
		}
		for _, goName := range node.Names {
			collected = append(collected, field{
				Name:     or(name, strings.ToLower(goName.Name)),
				Type:     c.expression(node.Type, in),
				Omit:     omission(flags, tag.Get("talos")),
				Replaced: strings.Contains(tag.Get("merge"), "replace"),
			})
		}
		if len(node.Names) == 0 {
			log.Fatalf("a struct is embedded without inline in %s", in.pkg.path)
		}
	}
	return collected
}

// inlined takes the fields of an embedded struct over; what is no struct of ours stays a field without a name.
func (c *collector) inlined(node ast.Expr, in *file) []field {
	expression := c.expression(node, in)
	if known := c.Types[expression]; known != nil {
		return known.Fields
	}
	return []field{{Type: expression, Omit: "never"}}
}

func omission(yaml, talos string) string {
	switch {
	case !strings.Contains(yaml, "omitempty"):
		return "never"
	case strings.Contains(talos, "omitonlyifnil"):
		return "nil"
	}
	return "empty"
}

// enumeration lists the names in the table that enumer generates, if there is one for the type.
func (pkg *goPackage) enumeration(name string) []string {
	var values []string
	for _, in := range pkg.files {
		ast.Inspect(in.syntax, func(node ast.Node) bool {
			spec, ok := node.(*ast.ValueSpec)
			if !ok || spec.Names[0].Name != "_"+name+"Names" {
				return true
			}
			for _, element := range spec.Values[0].(*ast.CompositeLit).Elts {
				slice := element.(*ast.SliceExpr)
				all := pkg.strings[slice.X.(*ast.Ident).Name]
				values = append(values, all[number(slice.Low):number(slice.High)])
			}
			return false
		})
	}
	return values
}

// hasZero looks into the function by which enumer makes the compiler check that no number has changed.
func (pkg *goPackage) hasZero(name string) bool {
	found := false
	for _, in := range pkg.files {
		for _, node := range in.syntax.Decls {
			check, ok := node.(*ast.FuncDecl)
			if !ok || check.Name.Name != "_"+name+"NoOp" {
				continue
			}
			ast.Inspect(check, func(node ast.Node) bool {
				if difference, ok := node.(*ast.BinaryExpr); ok {
					found = found || number(difference.Y.(*ast.ParenExpr).X) == 0
				}
				return true
			})
		}
	}
	return found
}

func number(node ast.Expr) int {
	value, err := strconv.Atoi(node.(*ast.BasicLit).Value)
	check(err)
	return value
}

func or(text, otherwise string) string {
	if text != "" {
		return text
	}
	return otherwise
}
