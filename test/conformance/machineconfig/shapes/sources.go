package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// sources finds packages by their import path in the folders of modules.
type sources struct {
	modules  map[string]string
	packages map[string]*goPackage
}

// goPackage is what matters of one package: the declarations, and what each file calls its imports.
type goPackage struct {
	path    string
	name    string
	types   map[string]*declaration
	methods map[string]map[string]*ast.FuncDecl
	strings map[string]string
	files   []*file
}

type declaration struct {
	spec *ast.TypeSpec
	file *file
}

type file struct {
	pkg     *goPackage
	syntax  *ast.File
	imports map[string]string
}

func newSources(modules map[string]string) *sources {
	return &sources{modules: modules, packages: map[string]*goPackage{}}
}

// find parses a package; nil if it is of none of the modules.
func (s *sources) find(importPath string) *goPackage {
	if known, ok := s.packages[importPath]; ok {
		return known
	}
	var pkg *goPackage
	for module, folder := range s.modules {
		if rest, ok := strings.CutPrefix(importPath, module); ok {
			pkg = parse(importPath, filepath.Join(folder, rest))
		}
	}
	s.packages[importPath] = pkg
	return pkg
}

// below lists the packages in a folder of the machinery module.
func (s *sources) below(importPath string) []*goPackage {
	var found []*goPackage
	for module, folder := range s.modules {
		rest, ok := strings.CutPrefix(importPath, module)
		if !ok {
			continue
		}
		root := filepath.Join(folder, rest)
		check(filepath.WalkDir(root, func(place string, entry fs.DirEntry, err error) error {
			if err == nil && entry.IsDir() && entry.Name() != "testdata" {
				relative, _ := filepath.Rel(root, place)
				found = append(found, s.find(path.Join(importPath, filepath.ToSlash(relative))))
			}
			return err
		}))
	}
	return found
}

func parse(importPath, folder string) *goPackage {
	pkg := &goPackage{
		path:    importPath,
		name:    path.Base(importPath),
		types:   map[string]*declaration{},
		methods: map[string]map[string]*ast.FuncDecl{},
		strings: map[string]string{},
	}
	entries, err := os.ReadDir(folder)
	check(err)
	for _, entry := range entries {
		name := entry.Name()
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			syntax, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, name), nil, parser.SkipObjectResolution)
			check(err)
			pkg.add(syntax)
		}
	}
	return pkg
}

func (pkg *goPackage) add(syntax *ast.File) {
	one := &file{pkg: pkg, syntax: syntax, imports: map[string]string{}}
	pkg.files = append(pkg.files, one)
	pkg.name = syntax.Name.Name
	for _, spec := range syntax.Imports {
		importPath, _ := strconv.Unquote(spec.Path.Value)
		name := path.Base(importPath)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		one.imports[name] = importPath
	}
	for _, node := range syntax.Decls {
		switch node := node.(type) {
		case *ast.FuncDecl:
			pkg.addMethod(node)
		case *ast.GenDecl:
			for _, spec := range node.Specs {
				pkg.addSpec(spec, one)
			}
		}
	}
}

func (pkg *goPackage) addMethod(node *ast.FuncDecl) {
	if node.Recv == nil {
		return
	}
	receiver := node.Recv.List[0].Type
	if pointer, ok := receiver.(*ast.StarExpr); ok {
		receiver = pointer.X
	}
	if name, ok := receiver.(*ast.Ident); ok {
		if pkg.methods[name.Name] == nil {
			pkg.methods[name.Name] = map[string]*ast.FuncDecl{}
		}
		pkg.methods[name.Name][node.Name.Name] = node
	}
}

func (pkg *goPackage) addSpec(spec ast.Spec, in *file) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		pkg.types[spec.Name.Name] = &declaration{spec: spec, file: in}
	case *ast.ValueSpec:
		for at, name := range spec.Names {
			if at < len(spec.Values) {
				if literal, ok := spec.Values[at].(*ast.BasicLit); ok && literal.Kind == token.STRING {
					pkg.strings[name.Name], _ = strconv.Unquote(literal.Value)
				}
			}
		}
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
