//! Who may know whom: core knows no module, modules know core and no other module, only the command line knows all.

use std::collections::BTreeSet;

use cargo_metadata::{DependencyKind, MetadataCommand};
use festival_cli::modules::modules;

use crate::support::repository;

/// A dependency between two crates of ours.
type Edge = (String, String);

/// What must not be, in words.
fn forbidden(modules: &BTreeSet<String>, edges: &[Edge]) -> Vec<String> {
    edges
        .iter()
        .filter_map(|(from, to)| {
            let rule = match (from.as_str(), to.as_str()) {
                ("festival-core", _) => "core knows nobody",
                (_, "festival-cli") if from != "festival-tests" => "nobody but the tests knows the command line",
                (module, other) if modules.contains(module) && other != "festival-core" => "a module knows core only",
                _ => return None,
            };
            Some(format!("{from} depends on {to}: {rule}"))
        })
        .collect()
}

/// The crates in `modules/` and every dependency between crates of ours.
fn workspace() -> (BTreeSet<String>, Vec<Edge>) {
    let metadata = MetadataCommand::new().manifest_path(repository("Cargo.toml")).no_deps().exec().unwrap();
    let mut modules = BTreeSet::new();
    let mut edges = Vec::new();
    for package in &metadata.packages {
        if package.manifest_path.as_str().contains("/modules/") {
            modules.insert(package.name.to_string());
        }
        for dependency in package.dependencies.iter().filter(|d| d.path.is_some()) {
            assert_ne!(dependency.kind, DependencyKind::Build, "{} builds with ours", package.name);
            edges.push((package.name.to_string(), dependency.name.clone()));
        }
    }
    (modules, edges)
}

#[test]
fn nobody_knows_whom_it_must_not_know() {
    let (modules, edges) = workspace();
    assert!(modules.len() >= 5 && edges.len() >= 10, "{modules:?} {edges:?}");
    assert_eq!(forbidden(&modules, &edges), Vec::<String>::new());
}

/// The check itself sees what it must see.
#[test]
fn a_forbidden_dependency_is_found() {
    let (modules, edges) = workspace();
    for (from, to) in [
        ("festival-films", "festival-content"),
        ("festival-core", "festival-films"),
        ("festival-core", "festival-cli"),
        ("festival-forms", "festival-cli"),
    ] {
        let mut edges = edges.clone();
        edges.push((from.to_owned(), to.to_owned()));
        assert_eq!(forbidden(&modules, &edges).len(), 1, "{from} -> {to}");
    }
}

#[test]
fn every_module_in_its_folder_is_in_the_list_and_called_like_it() {
    let (crates, _) = workspace();
    let listed: BTreeSet<String> = modules().iter().map(|module| format!("festival-{}", module.name())).collect();
    assert_eq!(listed, crates);
    for name in listed {
        let folder = repository("modules").join(name.trim_start_matches("festival-"));
        assert!(folder.join("README.md").is_file(), "{} has no README.md", folder.display());
    }
}

/// Core's sources name no module: what it knows of them, they registered.
#[test]
fn core_names_no_module() {
    let words: Vec<String> = ["films", "magazines"].iter().map(|name| format!("festival_{name}")).collect();
    let mut folders = vec![repository("core/src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                assert!(words.iter().all(|word| !text.contains(word)), "{}", path.display());
            }
        }
    }
}
