//! Imports between the files of a crate never form a circle: each file can be understood after those that it imports.
//!
//! An import is a name of another file of the crate that code uses, by `use` or by its path. A re-export (`pub use`)
//! does not count unless the file uses the name itself, and a re-exported name counts as one of the file that defines
//! it. Tests are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use festival::modules;
use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, File, Item, UseTree, Visibility};

use crate::architecture::metadata;
use crate::support::repository;

/// The path of a module within its crate: `["importing", "matching"]`; empty for the root.
type ModulePath = Vec<String>;

/// The folders of the sources of all crates of the program.
fn source_folders() -> Vec<PathBuf> {
    let packages = metadata(&["--no-deps"])["packages"].clone();
    let manifests = packages.as_array().unwrap().iter().map(|package| package["manifest_path"].as_str().unwrap());
    let folders = manifests.map(|manifest| Path::new(manifest).parent().unwrap().to_owned());
    folders.filter(|folder| !folder.starts_with(repository("tests"))).map(|folder| folder.join("src")).collect()
}

/// References from a file to other files.
#[derive(Default)]
struct Names {
    /// The modules that it declares.
    children: BTreeSet<String>,
    /// Its imports: local name, path, whether it is only re-exported.
    imports: Vec<(String, Vec<String>, bool)>,
    /// The paths in its code.
    paths: BTreeSet<Vec<String>>,
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|condition| condition.is_ident("test"))
    })
}

impl Names {
    fn of(file: &File) -> Self {
        let mut names = Self::default();
        names.visit_file(file);
        names
    }

    fn import(&mut self, tree: &UseTree, mut path: Vec<String>, passes_on: bool) {
        match tree {
            UseTree::Path(inner) => {
                path.push(inner.ident.to_string());
                self.import(&inner.tree, path, passes_on);
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|item| self.import(item, path.clone(), passes_on));
            }
            UseTree::Name(name) if name.ident == "self" => {
                let last = path.last().cloned().unwrap_or_default();
                self.imports.push((last, path, passes_on));
            }
            UseTree::Name(name) => {
                path.push(name.ident.to_string());
                self.imports.push((name.ident.to_string(), path, passes_on));
            }
            UseTree::Rename(rename) => {
                path.push(rename.ident.to_string());
                self.imports.push((rename.rename.to_string(), path, passes_on));
            }
            UseTree::Glob(_) => self.imports.push(("*".to_owned(), path, passes_on)),
        }
    }

    /// The paths in a macro's arguments.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let (mut path, mut colons) = (Vec::new(), 0);
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.paths.insert(std::mem::take(&mut path));
                    }
                    path.push(ident.to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => {
                    self.add_tokens(group.stream());
                    colons = 0;
                }
                _ => colons = 0,
            }
        }
        self.paths.insert(path);
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Mod(module) if is_test(&module.attrs) => {}
            Item::Fn(function) if is_test(&function.attrs) => {}
            Item::Impl(block) if is_test(&block.attrs) => {}
            Item::Mod(module) if module.content.is_none() => {
                self.children.insert(module.ident.to_string());
            }
            Item::Use(import) if is_test(&import.attrs) => {}
            Item::Use(import) => {
                self.import(&import.tree, Vec::new(), !matches!(import.vis, Visibility::Inherited));
            }
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.paths.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.add_tokens(call.tokens.clone());
        visit::visit_macro(self, call);
    }

    fn visit_attribute(&mut self, _: &'ast Attribute) {}
}

/// The imports of each module of a crate.
fn imports_of(files: &BTreeMap<ModulePath, File>) -> BTreeMap<ModulePath, BTreeSet<ModulePath>> {
    let names: BTreeMap<&ModulePath, Names> = files.iter().map(|(path, file)| (path, Names::of(file))).collect();
    names
        .keys()
        .map(|at| {
            let mut imports = BTreeSet::new();
            let here = &names[*at];
            let code = |name: &str| here.paths.iter().any(|path| path.first().is_some_and(|first| first == name));
            for (name, path, passes_on) in &here.imports {
                if !passes_on || code(name) {
                    imports.extend(absolute(&names, at, path).map(|path| defining(&names, path)));
                }
            }
            for path in here.paths.iter().filter(|path| path.len() > 1) {
                imports.extend(absolute(&names, at, path).map(|path| defining(&names, path)));
            }
            imports.remove(*at);
            ((*at).clone(), imports)
        })
        .collect()
}

/// The path from the root of the crate; `None` for one outside the crate, or that begins with an imported name.
fn absolute(names: &BTreeMap<&ModulePath, Names>, at: &ModulePath, path: &[String]) -> Option<Vec<String>> {
    let mut from = at.clone();
    let mut rest = path;
    match path.first()?.as_str() {
        "crate" => (from, rest) = (Vec::new(), &path[1..]),
        "self" => rest = &path[1..],
        "super" => {
            while rest.first().is_some_and(|part| part == "super") {
                from.pop();
                rest = &rest[1..];
            }
        }
        first if names[at].children.contains(first) => {}
        _ => return None,
    }
    Some(from.into_iter().chain(rest.iter().cloned()).collect())
}

/// The module that defines what is at `path`, wherever it is re-exported.
fn defining(names: &BTreeMap<&ModulePath, Names>, path: Vec<String>) -> ModulePath {
    let mut path = path;
    // A re-export of a re-export, and so on; there are never this many.
    for _ in 0..9 {
        let mut module = path.clone();
        while !names.contains_key(&module) {
            module.pop();
        }
        let Some(name) = path.get(module.len()) else { return module };
        let imported = names[&module].imports.iter().find(|(imported, ..)| imported == name);
        match imported.and_then(|(_, imported, _)| absolute(names, &module, imported)) {
            Some(target) => path = target.into_iter().chain(path.into_iter().skip(module.len() + 1)).collect(),
            None => return module,
        }
    }
    path
}

/// The imports that are part of a circle.
fn circles(files: &BTreeMap<ModulePath, File>) -> Vec<String> {
    let mut imports = imports_of(files);
    // A module that imports none of the remaining ones, or that none of them imports, is in no circle.
    loop {
        let left: BTreeSet<ModulePath> = imports.keys().cloned().collect();
        let imported: BTreeSet<ModulePath> = imports.values().flatten().cloned().collect();
        imports.retain(|path, of| imported.contains(path) && of.iter().any(|other| left.contains(other)));
        let left_now: BTreeSet<ModulePath> = imports.keys().cloned().collect();
        imports.values_mut().for_each(|of| of.retain(|other| left_now.contains(other)));
        if left_now.len() == left.len() {
            break;
        }
    }
    let line = |(path, of): (&ModulePath, &BTreeSet<ModulePath>)| {
        let of: Vec<String> = of.iter().map(|other| other.join("::")).collect();
        format!("{} imports {}", path.join("::"), of.join(", "))
    };
    imports.iter().map(line).collect()
}

fn read(folder: &Path, path: &ModulePath, files: &mut BTreeMap<ModulePath, File>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap().path();
        let name = entry.file_stem().unwrap().to_string_lossy().into_owned();
        let inner = |name: String| path.iter().cloned().chain([name]).collect::<ModulePath>();
        if name == "tests" {
            continue;
        }
        if entry.is_dir() {
            read(&entry, &inner(name), files);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            let module = if matches!(name.as_str(), "lib" | "main" | "mod") { path.clone() } else { inner(name) };
            files.insert(module, syn::parse_file(&std::fs::read_to_string(&entry).unwrap()).unwrap());
        }
    }
}

#[test]
fn imports_between_files_form_no_circle() {
    let folders = source_folders();
    assert!(folders.len() > modules().len() + 8, "{folders:?}");
    for folder in folders {
        let mut files = BTreeMap::new();
        read(&folder, &Vec::new(), &mut files);
        assert_eq!(circles(&files), Vec::<String>::new(), "{}: files that import each other", folder.display());
    }
}

#[test]
fn circles_of_files_are_detected() {
    let circles_in = |files: [(&str, &str); 3]| {
        let parsed = files.map(|(path, text)| {
            let path = path.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
            (path, syn::parse_file(text).unwrap())
        });
        circles(&BTreeMap::from(parsed))
    };
    let below = ("a", "pub struct A;");
    assert_eq!(circles_in([("", "mod a; mod b; pub use a::A;"), below, ("b", "use super::A; fn f(_: A) {}")]).len(), 0);
    assert_eq!(
        circles_in([("", "mod a; mod b; pub use a::A;"), below, ("b", "#[cfg(test)] mod t { use crate::B; }")]).len(),
        0
    );
    // By `use`, by a path, in a macro, and through a re-export that the root uses itself.
    for (root, b) in [
        ("mod a; mod b; use b::f; pub struct R; fn g() { f() }", "use super::R; pub fn f() { R; }"),
        ("mod a; mod b; pub struct R; fn g() { b::f() }", "pub fn f() { crate::R; }"),
        ("mod a; mod b; pub struct R; fn g() { println!(\"{}\", b::f()) }", "pub fn f() { crate::R; }"),
        ("mod a; mod b; pub use b::B; pub struct R(B);", "use super::R; pub struct B(R);"),
    ] {
        assert_eq!(circles_in([("", root), below, ("b", b)]), [" imports b", "b imports "], "{root}");
    }
}
